import { accessSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Remark } from "./remark";

/** Mode bits that let others read, write or run a path. */
const OTHERS = 0o077;

const isUsable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Checks that a data folder is its owner's alone, and that the caller may work with it.
 * @param userId of the calling process; undefined where the system has no such numbers.
 */
export const checkFolder = (folder: string, userId = process.getuid?.()): Remark[] => {
  const remarks: Remark[] = [];
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    // The folder may be a link to where it is: systemd makes one for a service whose user comes and goes.
    const state = (path === folder ? statSync : lstatSync)(path, { throwIfNoEntry: false });
    // Gone meanwhile: SQLite's files beside the main one come and go.
    if (!state) continue;
    const mode = (state.mode & 0o777).toString(8).padStart(3, "0");
    if ((state.mode & OTHERS) !== 0)
      remarks.push({
        isFault: true,
        text: `${path} has the mode ${mode}, so that other users of this machine can get at it: chmod go-rwx ${path}`,
      });
    if (userId !== undefined && userId !== 0 && state.uid !== userId)
      remarks.push({ isFault: true, text: `${path} belongs to the user ${state.uid}, not to ${userId}.` });
    else if (!isUsable(path))
      remarks.push({ isFault: true, text: `${path} cannot be read and written by the user ${userId}.` });
  }
  return remarks;
};
