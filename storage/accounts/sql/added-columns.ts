import type { SchemaPart } from "../../sql/schema-part";
import { WATCHED_TABLES, type WatchedTable, watchColumns } from "./schema/change-triggers";

const DEFAULTS = { TEXT: "NOT NULL DEFAULT ''", SMALLINT: "NOT NULL DEFAULT 0", INTEGER: "" } as const;

interface DeclaredColumn {
  readonly name: string;
  readonly column: keyof typeof DEFAULTS;
  readonly since: string | undefined;
}

/**
 * Migrations for settings and limits (contract/resource/) that say since which migration they are stored. Nodes keep them in
 * memory, so changes of the columns go into the change feed.
 * @param tables the settings and limits of each table.
 * @returns the migrations by their names.
 */
export const addedColumns = (
  tables: Readonly<Partial<Record<WatchedTable, Readonly<Record<string, DeclaredColumn>>>>>,
): Record<string, readonly SchemaPart[]> => {
  const added: Record<string, readonly SchemaPart[]> = {};
  for (const table of WATCHED_TABLES)
    for (const { name, column, since } of Object.values(tables[table] ?? {})) {
      if (since === undefined) continue;
      const common = `ALTER TABLE ${table} ADD COLUMN ${name} ${column} ${DEFAULTS[column]};`;
      const part = { common, postgres: watchColumns(table, name, [name]) };
      added[since] = [...(added[since] ?? []), part];
    }
  return added;
};
