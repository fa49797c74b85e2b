import type { Connection } from "../sqlite/connection";
import { inTransaction } from "../sqlite/in-transaction";
import type { ColumnKind, Columns, CopiedStore, CopiedTable, CopySide, Row } from "./copied-tables";
import { exactPart, partsQuery, readParts } from "./digests";

const KINDS: Readonly<Record<string, ColumnKind>> = {
  INTEGER: "number",
  REAL: "real",
  TEXT: "text",
  BLOB: "bytes",
};

const quoted = (name: string): string => `"${name}"`;

/** Returns the text before a NUL: readers see only this. */
const readable = (column: string): string =>
  `CASE WHEN instr(${column}, char(0)) > 0 THEN substr(${column}, 1, instr(${column}, char(0)) - 1) ELSE ${column} END`;

/** Makes a text unique, with its row's id, when another row's text reads the same. */
const distinguished = (column: string, hasNul: string, isOther: string): string =>
  `CASE WHEN instr(${hasNul}, char(0)) > 0 AND EXISTS (${isOther})
    THEN ${readable(column)} || char(65533) || id ELSE ${column} END`;

/** Rows of the same text up to a NUL, by the index. */
const sameBeforeNul = (table: string, column: string): string => {
  const before = readable(`${table}.${column}`);
  return `SELECT 1 FROM ${table} AS others WHERE others.id <> ${table}.id AND (others.${column} = ${before}
    OR (others.${column} >= ${before} || char(0) AND others.${column} < ${before} || char(1)))`;
};

/** Texts that differ only behind a NUL would be equal on PostgreSQL, which stores no NUL, where they must be unique. */
const DISTINGUISHED: Readonly<Record<string, string>> = {
  "models.name": distinguished("name", "name", sameBeforeNul("models", "name")),
  "contents.text": distinguished("text", "text", sameBeforeNul("contents", "text")),
  "payers.token_name": distinguished(
    "token_name",
    "username || token_name",
    `SELECT 1 FROM payers AS others WHERE others.user_id = payers.user_id AND others.token_id = payers.token_id
       AND others.id <> payers.id AND ${readable("others.username")} = ${readable("payers.username")}
       AND ${readable("others.token_name")} = ${readable("payers.token_name")}`,
  ),
};

const expressionOf =
  ({ name: table }: CopiedTable) =>
  (column: string): string =>
    DISTINGUISHED[`${table}.${column}`] ?? quoted(column);

const selected = (table: CopiedTable, columns: Columns): string =>
  [...columns.keys()].map((name) => `${expressionOf(table)(name)} AS ${quoted(name)}`).join(", ");

/** The files of a data folder, each with a connection. */
export const sqliteSide = (connections: Readonly<Record<CopiedStore, Connection | undefined>>): CopySide => {
  /** @returns undefined where there is no file: it has no rows. */
  const read = ({ store }: CopiedTable): Connection | undefined => connections[store];
  const write = (table: CopiedTable): Connection => {
    const connection = read(table);
    if (!connection) throw new Error(`there is no file for ${table.name}`);
    return connection;
  };
  const inParts = (parts: readonly number[]): string => parts.join(", ");

  const side: CopySide = {
    async columns(table) {
      const rows = read(table)?.prepare(`PRAGMA table_info(${table.name})`).all() ?? [];
      return new Map(
        (rows as { name: string; type: string }[]).map(({ name, type }) => [name, KINDS[type] ?? "text"]),
      );
    },

    async parts(table, columns) {
      if (table.isExact) return exactPart(side.rows(table, columns, undefined), table, columns);
      const rows = read(table)
        ?.prepare(partsQuery(table.name, table, columns, expressionOf(table)))
        .all();
      return readParts((rows ?? []) as Row[]);
    },

    async *rowsAfter(table, columns, id) {
      // One read per page: a long transaction would keep rows written meanwhile from being cleaned up.
      const page = read(table)?.prepare(
        `SELECT ${selected(table, columns)} FROM ${table.name} WHERE id > ? ORDER BY id LIMIT ${table.rowsAPage}`,
      );
      for (let last = id; page; ) {
        const rows = page.all(last) as Row[];
        if (rows.length === 0) return;
        yield rows;
        last = Number(rows.at(-1)?.id);
      }
    },

    async *rows(table, columns, parts) {
      const where = parts ? ` WHERE ${table.part} IN (${inParts(parts)})` : "";
      const rows = read(table)?.prepare(`SELECT ${selected(table, columns)} FROM ${table.name}${where}`);
      let page: Row[] = [];
      for (const row of (rows?.iterate() ?? []) as Iterable<Row>) {
        page.push(row);
        if (page.length < table.rowsAPage) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },

    async highestId(table) {
      const row = read(table)?.prepare(`SELECT coalesce(max(id), 0) AS id FROM ${table.name}`).get();
      return (row as { id: number } | undefined)?.id ?? 0;
    },

    async insert(table, columns, rows) {
      const connection = write(table);
      const names = [...columns.keys()];
      const insert = connection.prepare(
        `INSERT INTO ${table.name} (${names.map(quoted).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      );
      inTransaction(connection, () => {
        for (const row of rows) insert.run(...names.map((name) => row[name]));
      });
    },

    async remove(table, parts) {
      write(table).exec(`DELETE FROM ${table.name} WHERE ${table.part} IN (${inParts(parts)})`);
    },
  };
  return side;
};
