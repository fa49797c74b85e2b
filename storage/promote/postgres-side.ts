import { createHash } from "node:crypto";
import { CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { dayOf } from "../log/hours";
import { makeDays } from "../log/postgres/days";
import type { ColumnKind, Columns, CopiedTable, CopySide, Row } from "./copied-tables";
import { exactPart, partsQuery, readParts } from "./digests";

const KINDS: Readonly<Record<string, ColumnKind>> = {
  bigint: "number",
  smallint: "number",
  "double precision": "real",
  text: "text",
  bytea: "bytes",
};
const TYPES: Readonly<Record<ColumnKind, string>> = {
  number: "bigint",
  real: "double precision",
  text: "text",
  bytes: "bytea",
};

/** SQLite gives bytes without a view of them, which the driver would take for text. */
const bytesOf = (value: unknown): unknown => (value instanceof ArrayBuffer ? Buffer.from(value) : value);

const quoted = (name: string): string => `"${name}"`;

/** Hash by which texts are found here (storage/log/postgres/log-numbers.ts). */
const hashOf = ({ name, text }: Row): string =>
  createHash("sha256")
    .update(String(name ?? text))
    .digest("base64url");

const HASHED: ReadonlySet<string> = new Set(["models", "contents", "price_shapes"]);
/** By which column a table has a part for each day. */
const TIMES: Readonly<Record<string, string>> = {
  logs: "created_at",
  receipts: "created_at",
  priced_lines: "hour",
};
const isHashed = ({ name }: CopiedTable): boolean => HASHED.has(name);

/** Runs a query where it is to be read. */
const ask = async (on: Kysely<unknown>, query: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
  (await on.executeQuery<Row>(CompiledQuery.raw(query, [...parameters]))).rows;

async function* fetched(
  on: Kysely<unknown>,
  { rowsAPage }: CopiedTable,
  query: string,
  cursor: string,
): AsyncIterable<readonly Row[]> {
  await ask(on, `DECLARE ${cursor} NO SCROLL CURSOR FOR ${query}`);
  for (;;) {
    const rows = await ask(on, `FETCH ${rowsAPage} FROM ${cursor}`);
    if (rows.length === 0) break;
    yield rows;
  }
  await ask(on, `CLOSE ${cursor}`);
}

const listOf = (columns: Columns): string => [...columns.keys()].map(quoted).join(", ");

/** Changes a table without telling the change feed: no node works with it. */
const quietly = (
  db: Kysely<unknown>,
  table: CopiedTable,
  step: (transaction: Kysely<unknown>) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const isWatched = table.store === "main";
    if (isWatched) await ask(transaction, `ALTER TABLE ${table.postgres} DISABLE TRIGGER USER`);
    await step(transaction);
    if (isWatched) await ask(transaction, `ALTER TABLE ${table.postgres} ENABLE TRIGGER USER`);
  });

/**
 * A database that no node works with; or one state of it, which may only be read.
 * @param snapshot a transaction that sees one state: all is read there.
 */
export const postgresSide = (db: Kysely<unknown>, snapshot?: Transaction<unknown>): CopySide => {
  const on = snapshot ?? db;
  let cursors = 0;

  /** Rows of a query, some at a time; all as of one moment. */
  async function* pages(table: CopiedTable, query: string): AsyncIterable<readonly Row[]> {
    cursors += 1;
    const cursor = `copied_${cursors}`;
    if (snapshot) {
      yield* fetched(snapshot, table, query, cursor);
      return;
    }
    // A callback's transaction cannot yield: each page is fetched when the caller wants it.
    const transaction = await db.startTransaction().execute();
    try {
      yield* fetched(transaction, table, query, cursor);
    } finally {
      await transaction.rollback().execute();
    }
  }

  const side: CopySide = {
    async columns(table) {
      const { rows } = await sql<{ name: string; type: string }>`
        SELECT column_name AS name, data_type AS type FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ${table.postgres} ORDER BY ordinal_position`.execute(
        on,
      );
      return new Map(
        rows
          .filter(({ name }) => !(isHashed(table) && name === "hash"))
          .map(({ name, type }) => [name, KINDS[type] ?? "text"]),
      );
    },

    async parts(table, columns) {
      if (table.isExact) return exactPart(side.rows(table, columns, undefined), table, columns);
      return readParts(await ask(on, partsQuery(table.postgres, table, columns)));
    },

    rowsAfter: (table, columns, id) =>
      pages(table, `SELECT ${listOf(columns)} FROM ${table.postgres} WHERE id > ${id} ORDER BY id`),

    rows: (table, columns, parts) => {
      const where = parts ? ` WHERE ${table.part} IN (${parts.join(", ")})` : "";
      return pages(table, `SELECT ${listOf(columns)} FROM ${table.postgres}${where}`);
    },

    async highestId(table) {
      const [row] = await ask(on, `SELECT coalesce(max(id), 0) AS id FROM ${table.postgres}`);
      return Number(row?.id ?? 0);
    },

    insert: (table, columns, rows) =>
      quietly(db, table, async (transaction) => {
        const time = TIMES[table.name];
        if (time !== undefined)
          await makeDays(transaction, [...new Set(rows.map((row) => dayOf(Number(row[time]))))]);
        const names = [...columns.keys()];
        const types = names.map((name) => TYPES[columns.get(name) ?? "text"]);
        const values = names.map((name) => rows.map((row) => bytesOf(row[name])));
        if (isHashed(table)) {
          names.push("hash");
          types.push("text");
          values.push(rows.map(hashOf));
        }
        const lists = types.map((type, index) => `$${index + 1}::${type}[]`);
        await ask(
          transaction,
          `INSERT INTO ${table.postgres} (${names.map(quoted).join(", ")}) SELECT * FROM unnest(${lists.join(", ")})`,
          values,
        );
      }),

    remove: (table, parts) =>
      quietly(db, table, async (transaction) => {
        await ask(transaction, `DELETE FROM ${table.postgres} WHERE ${table.part} IN (${parts.join(", ")})`);
      }),
  };
  return side;
};
