import { existsSync } from "node:fs";
import { rotationFaults } from "../accounts/sql/rotation-mark";
import type { DataFault } from "../errors";
import { folderVersionFault } from "../is-current-folder";
import { logFilePath } from "../log/sqlite/log-file";
import { type Connection, openConnection } from "../sqlite/connection";
import { queryBuilder } from "../sqlite/query-builder";
import { checkJournal, readSettledJournal } from "./check-journal";
import { type Examination, examineData, NOTHING_EXAMINED } from "./examine-data";
import { FoundFaults } from "./found-faults";
import { sqliteReader, takeSnapshot } from "./snapshot";

const checkIntegrity = (connection: Connection, path: string): DataFault[] => {
  const rows = connection.prepare("PRAGMA integrity_check").all() as { integrity_check: string }[];
  return rows
    .map((row) => row.integrity_check)
    .filter((text) => text !== "ok")
    .map((reason) => ({ code: "file-damaged", path, reason }));
};

/**
 * Proves the promise on a data folder: each balance equals the granted less the settled quota, everything settled is in
 * the log once, nothing is negative, nothing is damaged. Reads only; the product may run meanwhile.
 * @param path the main file.
 */
export const examine = async (path: string): Promise<Examination> => {
  for (const file of [path, logFilePath(path)]) {
    if (!existsSync(file)) return { ...NOTHING_EXAMINED, faults: [{ code: "file-missing", path: file }] };
  }
  const unreadable = [path, logFilePath(path)].flatMap(checkReadable);
  if (unreadable.length > 0) return { ...NOTHING_EXAMINED, faults: unreadable };
  try {
    return await examineReadable(path);
  } catch (error) {
    return { ...NOTHING_EXAMINED, faults: [{ code: "data-damaged", reason: reasonOf(error) }] };
  }
};

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Checks every page of a file before any query. */
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

const examineReadable = async (path: string): Promise<Examination> => {
  const fault = folderVersionFault(path);
  if (fault) return { ...NOTHING_EXAMINED, faults: [fault] };
  const journalState = openConnection(path, true);
  const batches = readSettledJournal(path, journalState);
  journalState.close();
  const snapshot = takeSnapshot(path);
  if (!snapshot) return { ...NOTHING_EXAMINED, faults: [{ code: "outbox-lacks-charges" }] };
  try {
    const { main, log, waiting } = snapshot;
    const journal = checkJournal(main, batches);
    const isLogComplete =
      main.prepare("SELECT 1 FROM sqlite_master WHERE name = 'accounts_before_log'").get() === undefined;
    const found = new FoundFaults();
    found.add(...(await rotationFaults(queryBuilder(main))), ...journal.faults);
    const data = {
      main: sqliteReader(main),
      log: sqliteReader(log),
      waiting,
      hasLeases: false,
      isLogComplete,
    };
    const examination = await examineData(data, found);
    return { ...examination, journalled: journal.charges };
  } finally {
    snapshot.close();
  }
};
