import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { openAccounts } from "../accounts/postgres/open-accounts";
import { takeOutboxRows } from "../accounts/postgres/outbox.repository";
import { openBodies as openBodiesDatabase } from "../bodies/postgres/open-bodies";
import { bodyFilePath, openBodyFile } from "../bodies/sqlite/body-file";
import { readSettledJournal } from "../doctor/check-journal";
import { DataRefused } from "../errors";
import { replayJournal } from "../journal/replay-journal";
import { openLog } from "../log/postgres/open-log";
import { logFilePath, openLogFile } from "../log/sqlite/log-file";
import { openLogWriter, openWriter } from "../open-sqlite";
import { openPool, readDestination } from "../postgres/connection-pool";
import type { Destination } from "../postgres/explain-failure";
import { queryBuilder } from "../postgres/query-builder";
import { createSecrets } from "../secrets";
import { type Connection, openConnection } from "../sqlite/connection";
import { lockFolder } from "../sqlite/folder-lock";
import type { CopySide } from "./copied-tables";
import { namedAddress } from "./named-address";
import { postgresSide } from "./postgres-side";
import { sqliteSide } from "./sqlite-side";

/** A folder or a database, opened. */
export interface OpenFolder {
  main: Connection;
  log: Connection;
  side: CopySide;
  close(): void;
}

export const mainPathOf = (folder: string): string => join(folder, "tollgate.db");

/** Opens the files of a folder to be read, also while the product writes them. */
export const openFolderToRead = (folder: string): OpenFolder => {
  const path = mainPathOf(folder);
  const main = openConnection(path, true);
  const log = openConnection(logFilePath(path), true);
  const bodies = existsSync(bodyFilePath(path)) ? openConnection(bodyFilePath(path), true) : undefined;
  return {
    main,
    log,
    side: sqliteSide({ main, log, bodies }),
    close() {
      bodies?.close();
      log.close();
      main.close();
    },
  };
};

/** Makes the files of a folder, to be written. */
export const openFolderToWrite = async (folder: string, masterKey: Uint8Array): Promise<OpenFolder> => {
  const path = mainPathOf(folder);
  // Each makes its tables.
  (await openWriter(path, masterKey)).close();
  const main = openConnection(path, false);
  const log = await openLogFile(logFilePath(path));
  const bodies = await openBodyFile(bodyFilePath(path));
  return {
    main,
    log,
    side: sqliteSide({ main, log, bodies }),
    close() {
      for (const connection of [bodies, log, main]) {
        connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        connection.close();
      }
    },
  };
};

/**
 * Locks a folder that is not in use, and completes its entries under way: charges of the journal go into the accounts,
 * entries of the outbox into the log.
 * @returns unlocks it. @throws DataRefused when a process uses it, or charges are missing.
 */
export const settleFolder = async (
  folder: string,
  masterKey: Uint8Array,
  patienceMs?: number,
): Promise<() => void> => {
  const path = mainPathOf(folder);
  const unlock = lockFolder(path, patienceMs);
  try {
    const writer = await openWriter(path, masterKey);
    try {
      await replayJournal(path, writer.repositories.charges, (error) => {
        if (error.fault.code !== "journal-batch-unfinished") throw error;
      });
      const log = await openLogWriter(path);
      try {
        let last = log.repositories.log.lastBatch();
        await writer.repositories.outbox.startAfter(last);
        for (let next = log.repositories.log.ingest(); next !== last; next = log.repositories.log.ingest())
          last = next;
        await writer.repositories.outbox.trim(last);
      } finally {
        log.close();
      }
    } finally {
      writer.close();
    }
    checkSettled(path);
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
};

/** @throws DataRefused where something is still on its way. */
const checkSettled = (path: string): void => {
  const main = openConnection(path, true);
  try {
    const { waiting, newest } = main
      .prepare("SELECT (SELECT count(*) FROM outbox) AS waiting, newest_batch AS newest FROM journal_state")
      .get() as { waiting: number; newest: number };
    const { batches } = readSettledJournal(path, main);
    if (waiting > 0 || batches.some(({ id }) => id > newest))
      throw new DataRefused({ code: "outbox-lacks-charges" });
  } finally {
    main.close();
  }
};

/** Rows of the outbox that are taken over at once. */
const OUTBOX_ROWS = 200;

/** Returns the destination of an address, without the password. @throws DatabaseRefused for an invalid address. */
export const readDestinationOf = (address: string): Destination => readDestination(address);

/** A database that no node works with. */
export interface OpenDatabase {
  db: Kysely<unknown>;
  destination: Destination;
  side: CopySide;
  close(): Promise<void>;
}

/** A side is read and compared at once. */
const CONNECTIONS = 2;

/** Brings what is on its way in a database to its tables: the entries of the outbox to the log, new lines to the sums. */
export const settleDatabase = async (given: string): Promise<void> => {
  const log = await openLog(namedAddress(given), { all: async () => [] });
  try {
    while ((await log.takeOver((transaction) => takeOutboxRows(transaction, OUTBOX_ROWS))) > 0) {
      // Until none is left.
    }
    await log.addUpSums();
  } finally {
    await log.close();
  }
};

/**
 * Opens a database, migrates it to the newest schema, and settles it.
 * @throws DatabaseRefused with the reason.
 */
export const openDatabase = async (given: string, masterKey: Uint8Array): Promise<OpenDatabase> => {
  const address = namedAddress(given);
  const accounts = await openAccounts(address, createSecrets(masterKey));
  await accounts.close();
  const bodies = await openBodiesDatabase(address, masterKey);
  await bodies.close();
  await settleDatabase(given);
  const pool = openPool(address, CONNECTIONS);
  const db = queryBuilder<unknown>(pool);
  return { db, destination: pool.destination, side: postgresSide(db), close: () => pool.end() };
};
