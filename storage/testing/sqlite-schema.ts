import { openConnection } from "../sqlite/connection";

/** Columns, references, indexes and conditions of all tables of a file, unordered. */
export const sqliteSchema = (file: string): unknown => {
  const connection = openConnection(file, true);
  const tables = connection
    .prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'",
    )
    .all() as { name: string; sql: string }[];
  const listed = (table: string, list: string, columns: string): string[] =>
    connection
      .prepare(`SELECT ${columns} FROM pragma_${list}(?)`)
      .all(table)
      .map((row) => JSON.stringify([table, row]));
  const parts = tables.flatMap(({ name, sql }) => [
    ...listed(name, "table_info", 'name, type, "notnull", dflt_value, pk'),
    ...listed(name, "foreign_key_list", '"table", "from", "to", on_delete'),
    ...listed(name, "index_list", '"unique", origin, partial'),
    ...[...sql.matchAll(/CHECK \(.+\)|WITHOUT ROWID|AUTOINCREMENT/g)].map(
      ([text]) => `${name}: ${text.trim()}`,
    ),
  ]);
  const made = connection
    .prepare("SELECT sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL")
    .all() as { sql: string }[];
  connection.close();
  return { parts: parts.sort(), made: made.map(({ sql }) => sql).sort() };
};
