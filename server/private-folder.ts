import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** For its owner only. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Makes the data folder and everything in it readable by the owner of this process alone, whatever the umask says and
 * whatever older versions left; and everything that this process creates from now on.
 * @returns the names of what belongs to another person, so that it could not be done.
 */
export const makeFolderPrivate = (folder: string): string[] => {
  // SQLite gives its files no mode of its own (https://www.sqlite.org/compile.html#default_file_permissions).
  process.umask(0o077);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const refused: string[] = [];
  const change = (path: string, mode: number): void => {
    try {
      chmodSync(path, mode);
    } catch {
      refused.push(path);
    }
  };
  change(folder, FOLDER_MODE);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) change(join(folder, entry.name), FILE_MODE);
  return refused;
};
