import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { openLeases } from "../accounts/postgres/open-leases";
import { DatabaseRefused, DataRefused } from "../errors";
import { aloneWithDatabase } from "./alone-with-database";
import { copyNumbersToFolder } from "./copy-numbers";
import { copyTables, type TableProof } from "./copy-tables";
import { markDatabase, readDatabaseMark, unmarkDatabase } from "./database-marks";
import { ARRIVING, noteArrived, noteArriving, readArriving } from "./folder-marks";
import { namedAddress } from "./named-address";
import { type OpenDatabase, openDatabase, openFolderToWrite, settleDatabase } from "./open-sides";
import type { Promotion } from "./promote-to-database";
import { refuseNodes } from "./refuse-nodes";

export interface ToFolder {
  address: string;
  /** One that is empty or does not exist; its own half from before is begun again. */
  folder: string;
  masterKey: Uint8Array;
}

/** Files that may be in a folder that counts as empty. */
const KEPT: readonly string[] = ["master.key", "lost+found"];

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !KEPT.includes(name)) : [];

const clearFolder = (folder: string, except: readonly string[] = []): void => {
  for (const name of filesIn(folder)) if (!except.includes(name)) rmSync(join(folder, name));
};

/**
 * Keeps nodes off a database.
 * @param token in the folder already: whatever is cut off from here on finds it in both. @throws DatabaseRefused while nodes
 * work with it.
 */
const claim = async (
  { db, destination: { database } }: OpenDatabase,
  address: string,
  token: string,
): Promise<void> => {
  const mark = await readDatabaseMark(db);
  if (mark?.state === "arriving") throw new DatabaseRefused({ code: "database-incomplete", database });
  if (mark && mark.token !== token) throw new DatabaseRefused({ code: "database-left", database });
  if (mark) return;
  // Releases the leases of nodes that died.
  const { leases, close } = openLeases(namedAddress(address), 0, async () => {});
  await leases.expire().finally(close);
  await db.transaction().execute(async (transaction) => {
    await refuseNodes(transaction, database);
    await markDatabase(transaction, { state: "left", token });
  });
};

/** @throws DatabaseRefused where something is still on its way, in tables that are not copied. */
const checkSettled = async ({ db, destination: { database } }: OpenDatabase): Promise<void> => {
  const { rows } = await sql`SELECT 1 WHERE EXISTS (SELECT FROM outbox) OR EXISTS (SELECT FROM unsummed)
    OR EXISTS (SELECT FROM unsummed_contents) OR EXISTS (SELECT FROM unsummed_latencies)`.execute(db);
  if (rows.length > 0) throw new DatabaseRefused({ code: "database-unsettled", database });
};

/**
 * Brings the data of a database to a folder, while no node works with it. The database is given up only where both sides are
 * equal, table by table. Whatever is cut off can be done again.
 * @throws DatabaseRefused, DataRefused that say why not.
 */
export const promoteToFolder = (settings: ToFolder): Promise<Promotion> =>
  aloneWithDatabase(settings.address, () => bringToFolder(settings));

const bringToFolder = async ({ address, folder, masterKey }: ToFolder): Promise<Promotion> => {
  const arriving = readArriving(folder);
  if (!arriving && filesIn(folder).length > 0) throw new DataRefused({ code: "folder-not-empty", folder });
  const token = arriving?.token ?? randomUUID();
  const database = await openDatabase(address, masterKey);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    noteArriving(folder, token);
    await claim(database, address, token);
    // The last node may have stored something after the database was opened.
    await settleDatabase(address);
    await checkSettled(database);
    const proofs = await fill(database, folder, masterKey);
    const isMoved = proofs.every(({ isEqual }) => isEqual);
    if (isMoved) noteArrived(folder);
    else await giveUp(database, folder, token);
    return { proofs, isMoved };
  } catch (error) {
    await giveUp(database, folder, token);
    throw error;
  } finally {
    await database.close();
  }
};

const fill = async (database: OpenDatabase, folder: string, masterKey: Uint8Array): Promise<TableProof[]> => {
  // Its own half from before is begun again.
  clearFolder(folder, [ARRIVING]);
  const made = await openFolderToWrite(folder, masterKey);
  try {
    const proofs = await copyTables(database.side, made.side);
    await copyNumbersToFolder(database, made);
    return proofs;
  } finally {
    made.close();
  }
};

/** The database is the nodes' again, as it was, and the folder empty. */
const giveUp = async ({ db }: OpenDatabase, folder: string, token: string): Promise<void> => {
  await unmarkDatabase(db, token);
  clearFolder(folder);
};
