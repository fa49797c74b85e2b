import { type Kysely, sql } from "kysely";
import { DataRefused } from "../errors";

/**
 * Recognises a file of the last version that kept a list of migrations of its own, whose schema is that of the first
 * migration of today. To be called by that migration, in its transaction.
 * @param newest the names in the list of such a file.
 * @param prepare what has to be done while the list is still there.
 * @returns false for a file without such a list, which is a new one.
 * @throws DataRefused for a file of a version before, which that version can bring to where this one reads it.
 */
export const takeOverSchema = async (
  db: Kysely<unknown>,
  newest: readonly string[],
  prepare: () => Promise<void> = async () => {},
): Promise<boolean> => {
  const table = await sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'`.execute(
    db,
  );
  if (table.rows.length === 0) return false;
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  if (applied.size !== newest.length || newest.some((name) => !applied.has(name)))
    throw new DataRefused({ code: "schema-too-old" });
  await prepare();
  await sql`DROP TABLE migrations`.execute(db);
  return true;
};
