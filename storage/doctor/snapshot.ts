import { logFilePath } from "../log/sqlite/log-file";
import { readState } from "../log/sqlite/log-state";
import { type Connection, openConnection } from "../sqlite/connection";
import { sqliteRunner } from "../sqlite/sqlite-runner";
import type { DataReader } from "./data-reader";
import { WaitingEntries } from "./waiting-entries";

/** Both files at one moment, also while the product runs. */
export interface Snapshot {
  main: Connection;
  log: Connection;
  /** Requests that are charged and wait for their lines. */
  waiting: WaitingEntries;
  close(): void;
}

const TRIES = 50;
const ROWS_A_PAGE = 1000;

/** Outbox rows that the log file does not know yet; undefined when some of them are gone already. */
const readWaiting = (main: Connection, log: Connection): WaitingEntries | undefined => {
  const applied = readState(log, "last-batch");
  const { count } = main.prepare("SELECT count(*) AS count FROM outbox WHERE id > ?").get(applied) as {
    count: number;
  };
  const row = main.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").get();
  const newest = Math.max(applied, row === undefined ? 0 : (row as { seq: number }).seq);
  if (count !== newest - applied) return undefined;
  const waiting = new WaitingEntries();
  const rows = main.prepare("SELECT id, batch FROM outbox WHERE id > ? ORDER BY id").iterate(applied);
  for (const { id, batch } of rows as IterableIterator<{ id: number; batch: string }>) waiting.add(id, batch);
  return waiting;
};

/**
 * Opens both files for reading as of one moment. Charges move from one to the other meanwhile, so it retries until none
 * moved unseen.
 * @param prepare runs on both connections before.
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
    const waiting = readWaiting(main, log);
    if (waiting) return { main, log, waiting, close };
    main.exec("COMMIT");
    log.exec("COMMIT");
  }
  close();
  return undefined;
};

/** Reads a connection in whose transaction the data stands still. */
export const sqliteReader = (connection: Connection): DataReader => ({
  ...sqliteRunner(connection),
  async *pages<Row>(sql: string) {
    let page: Row[] = [];
    for (const row of connection.prepare(sql).iterate() as IterableIterator<Row>) {
      page.push(row);
      if (page.length < ROWS_A_PAGE) continue;
      yield page;
      page = [];
    }
    yield page;
  },
});
