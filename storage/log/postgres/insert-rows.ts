import { CompiledQuery, type Kysely } from "kysely";

export type Value = number | string | Uint8Array | null;

/**
 * Inserts rows, all of them in one statement.
 * @param types of the columns, by their names. @param onConflict action for rows that are there already.
 */
export const insertRows = async (
  transaction: Kysely<unknown>,
  table: string,
  types: Readonly<Record<string, string>>,
  rows: readonly (readonly Value[])[],
  onConflict?: string,
): Promise<void> => {
  if (rows.length === 0) return;
  const columns = Object.keys(types);
  const lists = Object.values(types).map((type, index) => `$${index + 1}::${type}[]`);
  const into = `${table} (${columns.join(", ")})`;
  const from = `unnest(${lists.join(", ")})`;
  const conflict = onConflict === undefined ? "" : `ON CONFLICT ${onConflict}`;
  const text = `INSERT INTO ${into} SELECT * FROM ${from} ${conflict}`;
  const values = columns.map((_, index) => rows.map((row) => row[index]));
  await transaction.executeQuery(CompiledQuery.raw(text, values));
};

export const bigints = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, "bigint"]));
