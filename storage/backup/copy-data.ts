import { existsSync } from "node:fs";
import { join } from "node:path";
import { chargeWrites } from "../accounts/sqlite/charges.repository";
import { bodyFilePath } from "../bodies/sqlite/body-file";
import { readSettledJournal } from "../doctor/check-journal";
import { takeSnapshot } from "../doctor/snapshot";
import { type DataFault, DataRefused } from "../errors";
import { isCurrentFolder } from "../is-current-folder";
import { encodeRecord } from "../journal/journal-record";
import { type JournalReading, journalFaults } from "../journal/read-journal";
import { logFilePath } from "../log/sqlite/log-file";
import { type Connection, openConnection } from "../sqlite/connection";

/** Gives a connection that only reads a second file, into which it may copy. */
const attachCopy = (connection: Connection, path: string): void => {
  connection.exec("PRAGMA query_only = OFF");
  connection.exec("PRAGMA foreign_keys = OFF");
  connection.exec(`ATTACH DATABASE '${path.replaceAll("'", "''")}' AS copy`);
  // The copy is not used before it is whole, and a failure throws it away.
  connection.exec("PRAGMA copy.journal_mode = OFF");
  connection.exec("PRAGMA copy.synchronous = OFF");
};

/** Copies everything that the connection's transaction sees into the attached file. */
const copyAll = (connection: Connection): void => {
  const parts = connection
    .prepare(
      "SELECT type, name, sql FROM main.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    .all() as { type: string; name: string; sql: string }[];
  const tables = parts.filter(({ type }) => type === "table");
  for (const { name, sql } of tables) {
    connection.exec(sql.replace(/^CREATE TABLE\s+/i, "CREATE TABLE copy."));
    connection.exec(`INSERT INTO copy."${name}" SELECT * FROM main."${name}"`);
  }
  if (tables.some(({ sql }) => /\bAUTOINCREMENT\b/i.test(sql))) {
    // Numbers of rows that are deleted are not given again.
    connection.exec("DELETE FROM copy.sqlite_sequence");
    connection.exec("INSERT INTO copy.sqlite_sequence SELECT * FROM main.sqlite_sequence");
  }
  // Building an index at once costs less than adding every row to it.
  for (const { type, sql } of parts)
    if (type === "index") connection.exec(sql.replace(/^CREATE (UNIQUE )?INDEX\s+/i, "CREATE $1INDEX copy."));
};

const readNewestBatch = (connection: Connection): number => {
  const { newest } = connection.prepare("SELECT newest_batch AS newest FROM journal_state").get() as {
    newest: number;
  };
  return newest;
};

const bookBatches = (connection: Connection, batches: JournalReading["batches"], booked: number): void => {
  const charges = chargeWrites(connection);
  let newest = booked;
  for (const batch of batches) {
    if (batch.id !== newest + 1) charges.skipTo(batch.id - 1);
    charges.commitJournal([{ id: batch.id, bytes: encodeRecord(batch) }]);
    newest = batch.id;
  }
};

/** Brings the charges to the copy that only the journal had; so the copy needs no journal. */
const takeOver = (path: string, journal: JournalReading): DataFault[] => {
  const connection = openConnection(path, false);
  try {
    const booked = readNewestBatch(connection);
    const faults = journalFaults(journal, booked);
    const waiting = journal.batches.filter(({ id }) => id > booked);
    // Files of an older version are copied as they are; nothing can be booked in them.
    if (waiting.length > 0 && !isCurrentFolder(path)) throw new DataRefused({ code: "schema-other" });
    if (waiting.length > 0) bookBatches(connection, waiting, booked);
    connection.exec("UPDATE journal_state SET is_reserved = 0");
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return faults;
  } finally {
    connection.close();
  }
};

/** Lets a copy be opened as the product does, beside others that read it. Nothing is left in a file beside it. */
const finish = (path: string): void => {
  const connection = openConnection(path, false);
  connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  connection.close();
};

/** Copies stored bodies as of a moment of their own: no count includes them. */
const copyBodies = (path: string, copyPath: string): void => {
  const connection = openConnection(path, true);
  try {
    attachCopy(connection, copyPath);
    connection.exec("BEGIN");
    copyAll(connection);
    connection.exec("COMMIT");
  } finally {
    connection.close();
  }
};

/** Whether secrets are being sealed again; a file of an older version knows nothing of it. */
const readRotationMark = (connection: Connection): boolean =>
  connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'key_rotation'").get() !== undefined &&
  connection.prepare("SELECT 1 FROM key_rotation").get() !== undefined;

/**
 * Copies the data beside a main file as of one moment, also while the product runs and charges: balances, log and the
 * entries on their way between them belong together.
 * @param mainPath the main file. @param folder where the copies go; it holds nothing of theirs yet.
 * @returns everything that is wrong with the journal.
 * @throws Error when a file cannot be read; DataRefused when charges are missing for good, or wait in the journal of an
 *   older version.
 */
export const copyData = (mainPath: string, folder: string): DataFault[] => {
  const copyPath = join(folder, "tollgate.db");
  // The journal before the main file: charges that move meanwhile are then in both.
  const state = openConnection(mainPath, true);
  const journal = readSettledJournal(mainPath, state);
  const isRotating = readRotationMark(state);
  state.close();
  // One of both keys would not be inside.
  if (isRotating) throw new DataRefused({ code: "key-rotation-unfinished" });
  const snapshot = takeSnapshot(mainPath, (main, log) => {
    attachCopy(main, copyPath);
    attachCopy(log, logFilePath(copyPath));
  });
  if (!snapshot) throw new DataRefused({ code: "outbox-lacks-charges" });
  try {
    for (const connection of [snapshot.main, snapshot.log]) {
      copyAll(connection);
      connection.exec("COMMIT");
    }
  } finally {
    snapshot.close();
  }
  finish(logFilePath(copyPath));
  if (existsSync(bodyFilePath(mainPath))) {
    copyBodies(bodyFilePath(mainPath), bodyFilePath(copyPath));
    finish(bodyFilePath(copyPath));
  }
  return takeOver(copyPath, journal);
};
