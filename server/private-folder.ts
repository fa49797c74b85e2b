import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** For its owner only. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Makes the data folder and its content readable only by the owner of this process, whatever the umask and older
 * versions left; and all files that this process creates from now on.
 * @returns the names of files that belong to another user, whose mode could not be changed.
 */
export const makeFolderPrivate = (folder: string): string[] => {
  // SQLite sets no file mode (https://www.sqlite.org/compile.html#default_file_permissions).
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
