import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DataRefused } from "../errors";

/** In a folder whose data was taken to a database: no process works with it any more. */
const MOVED = "moved-to.json";
/** In a folder to which data is being brought: it is not complete. */
export const ARRIVING = "arriving.json";

/** Where the data of a folder is now; never the password. */
export interface MovedTo {
  /** The same in the database. */
  token: string;
  host: string;
  database: string;
}

const writeMark = (folder: string, name: string, value: object): void => {
  const path = join(folder, name);
  const file = openSync(`${path}.new`, "w", 0o600);
  writeSync(file, `${JSON.stringify(value)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
};

const readMark = <Mark>(folder: string, name: string): Mark | undefined => {
  const path = join(folder, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Mark) : undefined;
};

export const readMovedTo = (folder: string): MovedTo | undefined => readMark(folder, MOVED);

/** From here on the folder is out of use: later changes happen in the database. */
export const noteMovedTo = (folder: string, moved: MovedTo): void => writeMark(folder, MOVED, moved);

/** Token of the data being copied here. */
export const readArriving = (folder: string): { token: string } | undefined => readMark(folder, ARRIVING);
export const noteArriving = (folder: string, token: string): void => writeMark(folder, ARRIVING, { token });
export const noteArrived = (folder: string): void => rmSync(join(folder, ARRIVING));

/**
 * A process that starts on a folder whose data is elsewhere would spend old balances.
 * @param path the main file. @throws DataRefused that says where its data is.
 */
export const checkFolderMarks = (path: string): void => {
  const folder = dirname(path);
  const moved = readMovedTo(folder);
  if (moved)
    throw new DataRefused({ code: "folder-moved", folder, host: moved.host, database: moved.database });
  if (readArriving(folder)) throw new DataRefused({ code: "folder-incomplete", folder });
};

/**
 * A process that starts on a database beside a folder with data that was never taken there would begin without any account.
 * @param path the main file. @throws DataRefused
 */
export const checkFolderIsMoved = (path: string): void => {
  const folder = dirname(path);
  if (existsSync(path) && !readMovedTo(folder)) throw new DataRefused({ code: "folder-not-moved", folder });
};
