import type { SchemaPart } from "../../sql/schema-part";
import { WATCHED_TABLES, type WatchedTable, watchColumns } from "./schema/change-triggers";

const DEFAULTS = { TEXT: "NOT NULL DEFAULT ''", SMALLINT: "NOT NULL DEFAULT 0", INTEGER: "" } as const;

interface DeclaredColumn {
  readonly name: string;
  readonly column: keyof typeof DEFAULTS;
  readonly since: string | undefined;
}

/**
 * Adds migrations for settings and limits (contract/resource/) that say since which migration they are stored. Nodes keep them
 * in memory, so changes of the columns go into the change feed. A migration of that name that is there already keeps its parts.
 * @param parts the migrations by their names. @param tables the settings and limits of each table.
 */
export const withAddedColumns = (
  parts: Readonly<Record<string, readonly SchemaPart[]>>,
  tables: Readonly<Partial<Record<WatchedTable, Readonly<Record<string, DeclaredColumn>>>>>,
): Record<string, readonly SchemaPart[]> => {
  const added: Record<string, readonly SchemaPart[]> = { ...parts };
  for (const table of WATCHED_TABLES)
    for (const { name, column, since } of Object.values(tables[table] ?? {})) {
      if (since === undefined) continue;
      const common = `ALTER TABLE ${table} ADD COLUMN ${name} ${column} ${DEFAULTS[column]};`;
      const part = { common, postgres: watchColumns(table, name, [name]) };
      added[since] = [...(added[since] ?? []), part];
    }
  return added;
};
