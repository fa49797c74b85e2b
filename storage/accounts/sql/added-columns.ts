import type { SchemaPart } from "../../sql/schema-part";
import { type WatchedTable, watchColumns } from "./schema/change-triggers";

interface DeclaredColumn {
  readonly name: string;
  readonly column: "TEXT" | "SMALLINT";
  readonly since: string | undefined;
}

const DEFAULTS = { TEXT: "''", SMALLINT: "0" } as const;

/**
 * Migrations for settings (contract/resource/settings.ts) that say since which migration they are stored. Nodes keep settings in
 * memory, so changes of the columns go into the change feed.
 * @returns them by their names.
 */
export const addedColumns = (
  table: WatchedTable,
  settings: Readonly<Record<string, DeclaredColumn>>,
): Record<string, readonly SchemaPart[]> => {
  const added: Record<string, readonly SchemaPart[]> = {};
  for (const { name, column, since } of Object.values(settings)) {
    if (since === undefined) continue;
    const common = `ALTER TABLE ${table} ADD COLUMN ${name} ${column} NOT NULL DEFAULT ${DEFAULTS[column]};`;
    const part = { common, postgres: watchColumns(table, name, [name]) };
    added[since] = [...(added[since] ?? []), part];
  }
  return added;
};
