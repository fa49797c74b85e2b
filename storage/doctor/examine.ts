import { existsSync } from "node:fs";
import { ACCOUNTS_MIGRATIONS } from "../accounts/sqlite/migrations/migrations";
import type { DataFault } from "../errors";
import { logFilePath } from "../log/sqlite/log-file";
import { LOG_MIGRATIONS } from "../log/sqlite/migrations/migrations";
import { type Connection, openConnection } from "../sqlite/connection";
import { appliedMigrations, type Migrations } from "../sqlite/migrate";
import { checkBalances } from "./check-balances";
import { checkJournal, readSettledJournal } from "./check-journal";
import { checkLog } from "./check-log";
import { checkRecords } from "./check-records";
import { takeSnapshot } from "./snapshot";

/** What an examination found. */
export interface Examination {
  users: number;
  tokens: number;
  /** Lines in the log file. */
  lines: number;
  /** Requests that are charged and whose lines the next start writes. */
  waiting: number;
  /** Charges that are stored in the journal alone; the next start brings them to the main file. */
  journalled: number;
  /** Everything that is wrong. */
  faults: DataFault[];
}

const NOTHING: Examination = { users: 0, tokens: 0, lines: 0, waiting: 0, journalled: 0, faults: [] };

const checkIntegrity = (connection: Connection, path: string): DataFault[] => {
  const rows = connection.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
  return rows
    .map((row) => row.integrity_check)
    .filter((text) => text !== "ok")
    .map((reason) => ({ code: "file-damaged", path, reason }));
};

const isCurrent = (path: string, migrations: Migrations): boolean => {
  const connection = openConnection(path, true);
  try {
    return appliedMigrations(connection).join() === Object.keys(migrations).join();
  } finally {
    connection.close();
  }
};

/**
 * Proves the promise on a data folder: each balance is what was granted less what was settled, everything settled is in
 * the log once, nothing is negative, nothing is damaged. Reads only; the product may run meanwhile.
 * @param path the main file.
 */
export const examine = (path: string): Examination => {
  for (const file of [path, logFilePath(path)]) {
    if (!existsSync(file)) return { ...NOTHING, faults: [{ code: "file-missing", path: file }] };
  }
  const unreadable = [path, logFilePath(path)].flatMap(checkReadable);
  if (unreadable.length > 0) return { ...NOTHING, faults: unreadable };
  try {
    return examineReadable(path);
  } catch (error) {
    return { ...NOTHING, faults: [{ code: "data-damaged", reason: reasonOf(error) }] };
  }
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Looks at every page of a file before anything is asked of it. */
const checkReadable = (path: string): DataFault[] => {
  let connection: Connection | undefined;
  try {
    connection = openConnection(path, true);
    connection.prepare("SELECT count(*) AS count FROM sqlite_master").get();
    return checkIntegrity(connection, path);
  } catch (error) {
    return [{ code: "file-damaged-throughout", path, reason: reasonOf(error) }];
  } finally {
    connection?.close();
  }
};

const examineReadable = (path: string): Examination => {
  if (!isCurrent(path, ACCOUNTS_MIGRATIONS) || !isCurrent(logFilePath(path), LOG_MIGRATIONS)) {
    return { ...NOTHING, faults: [{ code: "schema-other" }] };
  }
  const journalState = openConnection(path, true);
  const batches = readSettledJournal(path, journalState);
  journalState.close();
  const snapshot = takeSnapshot(path);
  if (!snapshot) return { ...NOTHING, faults: [{ code: "outbox-lacks-charges" }] };
  try {
    const journal = checkJournal(snapshot.main, batches);
    const damage = [
      ...journal.faults,
      ...snapshot.unreadableRows.map((row): DataFault => ({ code: "outbox-row-unreadable", row })),
    ];
    const balances = checkBalances(snapshot);
    const log = checkLog(snapshot);
    return {
      users: balances.users,
      tokens: balances.tokens,
      lines: log.lines,
      waiting: snapshot.waiting.length,
      journalled: journal.charges,
      faults: [...damage, ...balances.faults, ...log.faults, ...checkRecords(snapshot)],
    };
  } finally {
    snapshot.close();
  }
};
