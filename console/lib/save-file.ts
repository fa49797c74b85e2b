import { addressOf, callApi, type QueryValue } from "./api-client";

/**
 * Saves a call's answer as a file through the browser, which writes it to disk while it arrives, whatever its size. A
 * browser does not explain a failed download, so a first call checks that the server would start one.
 * @throws the errors of callApi if it would not.
 */
export const saveFile = async (path: string, query: Record<string, QueryValue>): Promise<void> => {
  await callApi("GET", path, { query: { ...query, check: true } });
  const link = document.createElement("a");
  link.href = addressOf(path, query);
  // The server names the file.
  link.download = "";
  link.click();
};
