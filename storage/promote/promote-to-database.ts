import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import { DatabaseRefused, DataRefused } from "../errors";
import { isCurrentFolder } from "../is-current-folder";
import { aloneWithDatabase } from "./alone-with-database";
import { copyNumbersToDatabase } from "./copy-numbers";
import { copyTables, type TableProof } from "./copy-tables";
import { markDatabase, readDatabaseMark, unmarkDatabase } from "./database-marks";
import { noteMovedTo, readArriving, readMovedTo } from "./folder-marks";
import { mainPathOf, type OpenDatabase, openDatabase, openFolderToRead } from "./open-sides";

/** Outcome of moving data from one engine to the other. */
export interface Promotion {
  /** Content of each table on both sides; empty when only the last step was missing. */
  proofs: TableProof[];
  /** Everything is equal, and from now on the other side has the data. */
  isMoved: boolean;
}

export interface ToDatabase {
  folder: string;
  address: string;
  masterKey: Uint8Array;
  /** Told of each table that was copied while the product runs. */
  onCopied(proof: TableProof): void;
  /**
   * Waits until the folder is not in use, and nothing in it is on its way (settleFolder).
   * @returns gives it back.
   */
  takeFolder(): Promise<() => void>;
}

const isEmpty = async (db: Kysely<unknown>): Promise<boolean> => {
  const { rows } = await sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM logs)
    OR EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM nodes)`.execute(db);
  return rows.length === 0;
};

/**
 * Keeps nodes off a database that is empty, or was being brought here before.
 * @returns its token. @throws DatabaseRefused for one with data of its own.
 */
const claim = async ({ db, destination: { database } }: OpenDatabase): Promise<string> => {
  const mark = await readDatabaseMark(db);
  if (mark?.state === "left") throw new DatabaseRefused({ code: "database-left", database });
  if (mark) return mark.token;
  if (!(await isEmpty(db))) throw new DatabaseRefused({ code: "database-not-empty", database });
  const token = randomUUID();
  await markDatabase(db, { state: "arriving", token });
  return token;
};

/**
 * Moves the data of a folder to a database while the product works with the folder: first everything, then, while the
 * product does not run, the changes made meanwhile. The folder is given up only when both sides are equal, table by
 * table. An interrupted move can run again.
 * @throws DatabaseRefused, DataRefused with the reason.
 */
export const promoteToDatabase = (settings: ToDatabase): Promise<Promotion> =>
  aloneWithDatabase(settings.address, () => bringToDatabase(settings));

const bringToDatabase = async (settings: ToDatabase): Promise<Promotion> => {
  const { folder, address, masterKey } = settings;
  if (!existsSync(mainPathOf(folder)))
    throw new DataRefused({ code: "file-missing", path: mainPathOf(folder) });
  if (readArriving(folder)) throw new DataRefused({ code: "folder-incomplete", folder });
  const moved = readMovedTo(folder);
  const database = await openDatabase(address, masterKey);
  try {
    if (moved) {
      const mark = await readDatabaseMark(database.db);
      // The folder was given up, and then something was cut off.
      if (mark?.token !== moved.token)
        throw new DataRefused({ code: "folder-moved", folder, host: moved.host, database: moved.database });
      await unmarkDatabase(database.db, moved.token);
      return { proofs: [], isMoved: true };
    }
    // It is copied before it may be written to, and the two sides have the same columns at the newest schema only.
    if (!isCurrentFolder(mainPathOf(folder))) throw new DataRefused({ code: "schema-other" });
    const token = await claim(database);
    const running = openFolderToRead(folder);
    try {
      await copyTables(running.side, database.side, settings.onCopied);
    } finally {
      running.close();
    }
    const giveBack = await settings.takeFolder();
    try {
      return await moveRest(settings, database, token);
    } finally {
      giveBack();
    }
  } finally {
    await database.close();
  }
};

/** The part while the folder is not in use. */
const moveRest = async (
  { folder }: ToDatabase,
  database: OpenDatabase,
  token: string,
): Promise<Promotion> => {
  const still = openFolderToRead(folder);
  try {
    const proofs = await copyTables(still.side, database.side);
    await copyNumbersToDatabase(still, database);
    if (proofs.some(({ isEqual }) => !isEqual)) return { proofs, isMoved: false };
    const { host, database: name } = database.destination;
    // The folder first: between the two no process can work with either, and doing it again goes on from here.
    noteMovedTo(folder, { token, host, database: name });
    await unmarkDatabase(database.db, token);
    return { proofs, isMoved: true };
  } finally {
    still.close();
  }
};
