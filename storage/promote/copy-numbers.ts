import { type Kysely, sql } from "kysely";
import {
  forgetNames as forgetDatabaseNames,
  readState as readDatabaseState,
  writeState as writeDatabaseState,
} from "../log/postgres/sums";
import { forgetNames } from "../log/sqlite/eight-hour-buckets";
import { readState, writeState } from "../log/sqlite/log-state";
import type { Connection } from "../sqlite/connection";
import { COPIED_TABLES } from "./copied-tables";
import type { OpenDatabase, OpenFolder } from "./open-sides";

/*
 * State that belongs to no row: the next ids, and up to where the log was cleared and added up. The sums of names that
 * many keys have in common are not copied: they follow from the others, and the next process that opens the log adds
 * them up.
 */

/** Tables whose next id follows the highest one. */
const FOLLOWING = ["payers", "models", "contents", "price_shapes", "priced_lines", "bodies"] as const;
/** Sequences of the ids of lines and receipts. */
const OF_LOG = [
  ["logs", "log_ids", "last-log-id"],
  ["receipts", "receipt_ids", "last-receipt-id"],
] as const;
const STATES = ["cleared-before", "buckets-until"] as const;

/** Marks that the log lacks earlier use: see the first migration of the accounts on SQLite. */
const BEFORE_LOG = "accounts_before_log";

/** The last id that a sequence gave. */
const lastOf = async (db: Kysely<unknown>, sequence: string): Promise<number> => {
  const { rows } = await sql<{ last: number }>`
    SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS last FROM ${sql.table(sequence)}`.execute(
    db,
  );
  return rows[0]?.last ?? 0;
};

const highestOf = async (db: Kysely<unknown>, table: string): Promise<number> => {
  const { rows } = await sql<{
    id: number;
  }>`SELECT coalesce(max(id), 0) AS id FROM ${sql.table(table)}`.execute(db);
  return rows[0]?.id ?? 0;
};

const setNext = async (db: Kysely<unknown>, sequence: string, last: number): Promise<void> => {
  await sql`SELECT setval(${sequence}::regclass, ${last + 1}::bigint, false)`.execute(db);
};

/** Copied tables whose ids are never given twice, also those of rows that are gone: the folder's schema says which. */
const countedTables = (main: Connection): string[] => {
  const rows = main
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
    .all() as { name: string }[];
  const counted = new Set(rows.map(({ name }) => name));
  return COPIED_TABLES.filter(({ store, name }) => store === "main" && counted.has(name)).map(
    ({ name }) => name,
  );
};

/** From a folder to a database. */
export const copyNumbersToDatabase = async (
  { main, log }: OpenFolder,
  { db }: OpenDatabase,
): Promise<void> => {
  for (const table of countedTables(main)) {
    const row = main.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table);
    const last = (row as { seq: number } | undefined)?.seq ?? 0;
    await setNext(db, `${table}_id_seq`, Math.max(last, await highestOf(db, table)));
  }
  for (const table of FOLLOWING) await setNext(db, `${table}_id_seq`, await highestOf(db, table));
  for (const [table, sequence, key] of OF_LOG)
    await setNext(db, sequence, Math.max(readState(log, key), await highestOf(db, table)));
  for (const key of STATES) await writeDatabaseState(db, key, readState(log, key));
  await forgetDatabaseNames(db);
  const lacks = main.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(BEFORE_LOG) !== undefined;
  await (lacks
    ? sql`CREATE TABLE IF NOT EXISTS ${sql.table(BEFORE_LOG)} (id BIGINT PRIMARY KEY)`.execute(db)
    : sql`DROP TABLE IF EXISTS ${sql.table(BEFORE_LOG)}`.execute(db));
};

/** From a database to a folder that is made. */
export const copyNumbersToFolder = async (
  { db }: Pick<OpenDatabase, "db">,
  { main, log }: OpenFolder,
): Promise<void> => {
  for (const table of countedTables(main)) {
    const last = Math.max(await lastOf(db, `${table}_id_seq`), await highestOf(db, table));
    main.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
    main.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, last);
  }
  for (const [table, sequence, key] of OF_LOG)
    writeState(log, key, Math.max(await lastOf(db, sequence), await highestOf(db, table)));
  for (const key of STATES) writeState(log, key, await readDatabaseState(db, key));
  forgetNames(log);
  const { rows } = await sql`SELECT 1 WHERE to_regclass(${BEFORE_LOG}) IS NOT NULL`.execute(db);
  if (rows.length > 0) main.exec(`CREATE TABLE ${BEFORE_LOG} (id INTEGER PRIMARY KEY)`);
};
