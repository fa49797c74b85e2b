import { openConnection } from "../sqlite/connection";

type Value = ArrayBuffer | Uint8Array | bigint | number | string | null;

const literal = (value: Value): string => {
  if (value === null) return "NULL";
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === "object") return `X'${Buffer.from(value as Uint8Array).toString("hex")}'`;
  return String(value);
};

/** Returns a file as statements that make it again. */
export const dumpSqlite = (path: string): string => {
  const connection = openConnection(path, true);
  const made = connection
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .all() as { type: string; name: string; sql: string }[];
  const tables = made.filter(({ type }) => type === "table");
  const rowsOf = (table: string): string[] =>
    connection
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .map((row) => Object.values(row as Record<string, Value>).map(literal))
      .map((values) => `INSERT INTO "${table}" VALUES (${values.join(", ")})`);
  const hasSequence = tables.some(({ sql }) => sql.includes("AUTOINCREMENT"));
  const statements = [
    "PRAGMA foreign_keys = OFF",
    ...tables.map(({ sql }) => sql),
    ...tables.flatMap(({ name }) => rowsOf(name)),
    ...(hasSequence ? ["DELETE FROM sqlite_sequence", ...rowsOf("sqlite_sequence")] : []),
    // Last, so that no trigger sees the rows above.
    ...made.filter(({ type }) => type !== "table").map(({ sql }) => sql),
  ];
  connection.close();
  return statements.map((statement) => `${statement};\n`).join("");
};

/** Tables of a file without a row. */
export const emptyTables = (path: string): string[] => {
  const connection = openConnection(path, true);
  const tables = connection
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string }[];
  const empty = tables.filter(
    ({ name }) => connection.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).all().length === 0,
  );
  connection.close();
  return empty.map(({ name }) => name).sort();
};
