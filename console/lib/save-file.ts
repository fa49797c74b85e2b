import { addressOf, type QueryValue } from "./api-client";

/**
 * Has the browser save what a call answers as a file: it writes it to the disk while it comes, however long it is. What the
 * server refuses it says in the browser's list of downloads.
 */
export const saveFile = (path: string, query: Record<string, QueryValue>): void => {
  const link = document.createElement("a");
  link.href = addressOf(path, query);
  // The server names the file.
  link.download = "";
  link.click();
};
