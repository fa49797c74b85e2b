import { accessSync, constants } from "node:fs";

/** Whether a path is a program that this user may run. */
export const isRunnable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
