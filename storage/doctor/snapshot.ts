import { logFilePath } from "../log/sqlite/log-file";
import { readState } from "../log/sqlite/log-state";
import { decodeEntries, type RequestEntry } from "../outbox/log-entry";
import { type Connection, openConnection } from "../sqlite/connection";

/** Both files at one moment, also while the product runs. */
export interface Snapshot {
  main: Connection;
  log: Connection;
  /** Requests that are charged and wait for their lines. */
  waiting: RequestEntry[];
  /** Outbox rows in which they wait, and those that cannot be read. */
  waitingRows: number;
  unreadableRows: number[];
  close(): void;
}

const TRIES = 50;

/** Outbox rows that the log file does not know yet; undefined when some of them are gone already. */
const readWaiting = (
  main: Connection,
  log: Connection,
): Pick<Snapshot, "waiting" | "waitingRows" | "unreadableRows"> | undefined => {
  const applied = readState(log, "last-batch");
  const rows = main.prepare("SELECT id, batch FROM outbox WHERE id > ? ORDER BY id").all(applied) as {
    id: number;
    batch: string;
  }[];
  const row = main.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").get();
  const newest = Math.max(applied, row === undefined ? 0 : (row as { seq: number }).seq);
  if (rows.length !== newest - applied) return undefined;
  const waiting: RequestEntry[] = [];
  const unreadableRows: number[] = [];
  for (const { id, batch } of rows) {
    try {
      decodeEntries(
        batch,
        (entry) => waiting.push(entry),
        () => {},
      );
    } catch {
      unreadableRows.push(id);
    }
  }
  return { waiting, waitingRows: rows.length, unreadableRows };
};

/**
 * Opens both files for reading, as they were at one moment: charges go from the one to the other meanwhile, so it is
 * tried until none was on its way unseen.
 * @param prepare what has to be done with both connections before.
 * @returns undefined when rows are missing from the outbox for good.
 */
export const takeSnapshot = (
  path: string,
  prepare: (main: Connection, log: Connection) => void = () => {},
): Snapshot | undefined => {
  const log = openConnection(logFilePath(path), true);
  const main = openConnection(path, true);
  const close = (): void => {
    main.close();
    log.close();
  };
  prepare(main, log);
  for (let i = 0; i < TRIES; i += 1) {
    log.exec("BEGIN");
    main.exec("BEGIN");
    const read = readWaiting(main, log);
    if (read) return { main, log, ...read, close };
    main.exec("COMMIT");
    log.exec("COMMIT");
  }
  close();
  return undefined;
};
