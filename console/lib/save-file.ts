import { addressOf, callApi, type QueryValue } from "./api-client";

/**
 * Has the browser save what a call answers as a file: it writes it to the disk while it comes, however long it is.
 * A browser does not say why it was refused a file, so the call is asked first whether it would begin one.
 * @throws what callApi throws where it would not.
 */
export const saveFile = async (path: string, query: Record<string, QueryValue>): Promise<void> => {
  await callApi("GET", path, { query: { ...query, check: true } });
  const link = document.createElement("a");
  link.href = addressOf(path, query);
  // The server names the file.
  link.download = "";
  link.click();
};
