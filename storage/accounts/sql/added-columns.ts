import { addColumn, type SchemaPart } from "../../sql/schema-part";
import { WATCHED_TABLES, type WatchedTable, watchColumns } from "./schema/change-triggers";

/** @throws for a table that nodes do not keep in memory. */
const watchedTable = (name: string): WatchedTable => {
  const table = WATCHED_TABLES.find((each) => each === name);
  if (table === undefined) throw new Error(`the change feed has no table ${name}`);
  return table;
};

/**
 * Adds the columns of tables that say since which migration they are stored, before that migration's own parts. Changes of those
 * that nodes keep in memory go into the change feed.
 * @param parts the migrations by their names.
 */
export const withAddedColumns = (
  parts: Readonly<Record<string, readonly SchemaPart[]>>,
): Record<string, readonly SchemaPart[]> => {
  const added: Record<string, SchemaPart[]> = {};
  const tables = Object.values(parts)
    .flat()
    .flatMap((part) => Object.entries(part.tables ?? {}));
  for (const [table, { columns }] of tables)
    for (const [name, column] of Object.entries(columns)) {
      if (typeof column === "string") continue;
      const postgres = column.isWatched ? watchColumns(watchedTable(table), name, [name]) : "";
      added[column.since] ??= [];
      added[column.since]?.push({ common: addColumn(table, name, column), postgres });
    }
  const names = Object.keys({ ...parts, ...added });
  return Object.fromEntries(names.map((name) => [name, [...(added[name] ?? []), ...(parts[name] ?? [])]]));
};
