import { statSync } from "node:fs";
import { logFilePath } from "./log/sqlite/log-file";

const reasonOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string" && error.code.startsWith("SQLITE_"))
    return error.code;
  // What libsql says of a file that it cannot open at all.
  return error.message.startsWith("ConnectionFailed") ? "no such file, or not readable" : undefined;
};

/**
 * Opens a file of the data folder.
 * @throws Error that names the file and says what to do, where SQLite has but a code for what is wrong with it.
 */
export const openFile = async <T>(path: string, open: () => Promise<T>): Promise<T> => {
  try {
    return await open();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    throw new Error(
      `${path} cannot be opened as a database (${reason}). If it is damaged, restore a backup; npm run doctor examines the folder.`,
    );
  }
};

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * A folder without its main file would begin anew, without any account, and whoever comes first would set root's password.
 * @throws Error where the log file says that there was one.
 */
export const checkMainFile = (path: string): void => {
  if (bytesOf(path) === 0 && bytesOf(logFilePath(path)) > 0)
    throw new Error(
      `${path} is missing or empty, although there is a log beside it: put the file back, restore a backup, or name another folder with DATA_DIR.`,
    );
};
