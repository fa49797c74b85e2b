import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { DataRefused } from "../errors";
import { noteArrived, noteArriving, readArriving, readMovedTo } from "../promote/folder-marks";
import { isFolderTaken } from "../promote/is-folder-taken";
import { openConnection } from "../sqlite/connection";
import { lockFolder } from "../sqlite/folder-lock";
import { openFile } from "../sqlite/open-file";

/** The marks of an import, among those of other ways to bring data to a folder or a database. */
export const IMPORT_TOKEN = "import-";

/** Where the files are made, within the folder that they are for, so that they are moved on one disk. */
const STAGING = "importing";

/** Files that a start creates in an empty folder, and an import creates again. */
const OWN_FILES =
  /^(?:(?:tollgate\.db|logs\.sqlite|bodies\.sqlite)(?:-wal|-shm|-journal)?|charges-[ab]\.journal)$/;

/** The files beside a main file were merged into it (open-load.ts), and are empty. */
const isWhole = (name: string): boolean => OWN_FILES.test(name) && !/-(?:wal|shm)$/.test(name);

/** Counts of the rows in a folder or a database. */
export type OwnData = Readonly<Record<"users" | "tokens" | "channels" | "redemptions", number>>;

/** Root as the first start creates it, before its password is set. */
export const UNTOUCHED_ROOT = `role = ${ROLE_ROOT} AND password_hash = '' AND used_quota = 0`;

const readOwnData = async (folder: string): Promise<OwnData | undefined> => {
  const path = join(folder, "tollgate.db");
  return openFile(path, async () => {
    const main = openConnection(path, true);
    try {
      const [found] = main
        .prepare(
          `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM users WHERE ${UNTOUCHED_ROOT}) AS roots,
            (SELECT count(*) FROM tokens) AS tokens, (SELECT count(*) FROM channels) AS channels,
            (SELECT count(*) FROM redemptions) AS redemptions`,
        )
        .all() as { users: number; roots: number; tokens: number; channels: number; redemptions: number }[];
      if (!found) return undefined;
      const { roots, ...own } = found;
      const isOthers = own.users > roots || roots > 1 || own.tokens + own.channels + own.redemptions > 0;
      return isOthers ? own : undefined;
    } finally {
      main.close();
    }
  });
};

/**
 * Examines a data folder for an import, and changes nothing.
 * @param isTaken this process works with it (openFolderTarget).
 * @returns the existing data; undefined when the folder may be written.
 * @throws DataRefused when a process works with it, or it is an incomplete copy of other data.
 */
export const examineFolder = async (folder: string, isTaken = false): Promise<OwnData | undefined> => {
  if (!existsSync(folder)) return undefined;
  const moved = readMovedTo(folder);
  if (moved)
    throw new DataRefused({ code: "folder-moved", folder, host: moved.host, database: moved.database });
  const arriving = readArriving(folder);
  // Half of an import that was cut off: it is begun again.
  if (arriving?.token.startsWith(IMPORT_TOKEN)) return undefined;
  if (arriving) throw new DataRefused({ code: "folder-incomplete", folder });
  if (!existsSync(join(folder, "tollgate.db"))) {
    if (existsSync(join(folder, "logs.sqlite")))
      throw new DataRefused({ code: "main-file-missing", path: join(folder, "tollgate.db") });
    return undefined;
  }
  if (!isTaken && isFolderTaken(folder)) throw new DataRefused({ code: "folder-in-use", folder });
  return readOwnData(folder);
};

/** A data folder that is being filled. Until it is taken over nothing of it has changed. */
export interface FolderTarget {
  /** Where its files are made; empty. */
  staging: string;
  /** Puts the files in the place of those that were there. */
  takeOver(): void;
  /** Deletes files that were not taken over, and unlocks the folder. */
  close(): void;
}

/**
 * Takes a data folder that may be written (examineFolder).
 * @throws DataRefused while another process works with it.
 */
export const openFolderTarget = (folder: string): FolderTarget => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(join(folder, "tollgate.db"));
  const staging = join(folder, STAGING);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { mode: 0o700 });
  return {
    staging,
    takeOver() {
      // From here on no process starts on the folder, until all files are there.
      noteArriving(folder, `${IMPORT_TOKEN}${randomUUID()}`);
      for (const name of readdirSync(folder)) if (OWN_FILES.test(name)) rmSync(join(folder, name));
      for (const name of readdirSync(staging))
        if (isWhole(name)) renameSync(join(staging, name), join(folder, name));
      noteArrived(folder);
    },
    close() {
      rmSync(staging, { recursive: true, force: true });
      unlock();
    },
  };
};
