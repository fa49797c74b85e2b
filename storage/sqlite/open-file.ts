import { type DataFault, DataRefused } from "../errors";

const faultOf = (path: string, error: unknown): DataFault | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string" && error.code.startsWith("SQLITE_"))
    return { code: "file-unopenable", path, reason: error.code };
  // libsql's message for a file that it cannot open at all.
  return error.message.startsWith("ConnectionFailed") ? { code: "file-unreadable", path } : undefined;
};

/**
 * Opens a file of the data folder.
 * @throws DataRefused that names the file, where SQLite only has an error code.
 */
export const openFile = async <T>(path: string, open: () => Promise<T>): Promise<T> => {
  try {
    return await open();
  } catch (error) {
    const fault = faultOf(path, error);
    throw fault ? new DataRefused(fault) : error;
  }
};
