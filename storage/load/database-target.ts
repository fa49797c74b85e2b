import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { DatabaseRefused } from "../errors";
import { openPool } from "../postgres/connection-pool";
import { queryBuilder } from "../postgres/query-builder";
import { markDatabase, readDatabaseMark } from "../promote/database-marks";
import { namedAddress } from "../promote/named-address";
import { openDatabase, settleFolder } from "../promote/open-sides";
import { promoteToDatabase } from "../promote/promote-to-database";
import { refuseNodes } from "../promote/refuse-nodes";
import { IMPORT_TOKEN, type OwnData, UNTOUCHED_ROOT } from "./folder-target";

const readOwnData = async (db: Kysely<unknown>): Promise<OwnData | undefined> => {
  const { rows } = await sql<OwnData & { roots: number }>`
    SELECT (SELECT count(*) FROM users)::int AS users,
      (SELECT count(*) FROM users WHERE ${sql.raw(UNTOUCHED_ROOT)})::int AS roots,
      (SELECT count(*) FROM tokens)::int AS tokens, (SELECT count(*) FROM channels)::int AS channels,
      (SELECT count(*) FROM redemptions)::int AS redemptions`.execute(db);
  const [found] = rows;
  if (!found) return undefined;
  const { roots, ...own } = found;
  return own.users > roots || roots > 1 || own.tokens + own.channels + own.redemptions > 0 ? own : undefined;
};

/** @throws DatabaseRefused where its data is elsewhere, or half of something else's. */
const readOwnMark = async (db: Kysely<unknown>, database: string): Promise<string | undefined> => {
  const mark = await readDatabaseMark(db);
  if (mark?.state === "left") throw new DatabaseRefused({ code: "database-left", database });
  if (mark && !mark.token.startsWith(IMPORT_TOKEN))
    throw new DatabaseRefused({ code: "database-incomplete", database });
  return mark?.token;
};

/**
 * Examines a database for an import, and changes nothing.
 * @returns the existing data; undefined when the database may be written.
 * @throws DatabaseRefused with the reason.
 */
export const examineDatabaseTarget = async (address: string): Promise<OwnData | undefined> => {
  const pool = openPool(namedAddress(address), 1);
  try {
    const db = queryBuilder<unknown>(pool);
    const { rows } = await sql<{ has: boolean }>`SELECT to_regclass('moves') IS NOT NULL AS has`.execute(db);
    if (rows[0]?.has !== true) return undefined;
    if ((await readOwnMark(db, pool.destination.database)) !== undefined) return undefined;
    return await readOwnData(db);
  } finally {
    await pool.end();
  }
};

/** Keeps nodes off the database, and deletes the rows of its first start. */
const claim = async (address: string, masterKey: Uint8Array): Promise<OwnData | undefined> => {
  const { db, destination, close } = await openDatabase(address, masterKey);
  const { database } = destination;
  try {
    return await db.transaction().execute(async (transaction) => {
      await refuseNodes(transaction, database);
      if ((await readOwnMark(transaction, database)) !== undefined) return undefined;
      const own = await readOwnData(transaction);
      if (own) return own;
      for (const table of ["users", "options", "verifications", "audit"])
        await sql`DELETE FROM ${sql.table(table)}`.execute(transaction);
      await markDatabase(transaction, { state: "arriving", token: `${IMPORT_TOKEN}${randomUUID()}` });
      return undefined;
    });
  } finally {
    await close();
  }
};

/**
 * Copies a finished folder of an import to a database. An interrupted copy leaves a database on which no node starts,
 * and which the next import fills again.
 * @param folder is of no use afterwards.
 * @returns the existing data, where nothing was changed; undefined when everything was copied.
 * @throws DatabaseRefused with the reason.
 */
export const fillDatabase = async (
  folder: string,
  address: string,
  masterKey: Uint8Array,
  onCopied: (table: string, rows: number) => void,
): Promise<OwnData | undefined> => {
  const own = await claim(address, masterKey);
  if (own) return own;
  const { isMoved } = await promoteToDatabase({
    folder,
    address,
    masterKey,
    onCopied: ({ table, written }) => onCopied(table, written),
    takeFolder: () => settleFolder(folder, masterKey),
  });
  if (!isMoved) throw new Error("what was copied to the database differs from what was to be copied");
  return undefined;
};
