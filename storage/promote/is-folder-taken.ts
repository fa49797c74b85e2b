import { join } from "node:path";
import { DataRefused } from "../errors";
import { lockFolder } from "../sqlite/folder-lock";

/** Whether a process works with a folder. */
export const isFolderTaken = (folder: string): boolean => {
  try {
    lockFolder(join(folder, "tollgate.db"), 0)();
    return false;
  } catch (error) {
    if (error instanceof DataRefused) return true;
    throw error;
  }
};
