import { type Kysely, sql } from "kysely";

/**
 * Recognises a file of the last version that kept a list of migrations of its own, whose schema is that of the first
 * migration of today. To be called by that migration, in its transaction.
 * @param newest the names in the list of such a file.
 * @param prepare what has to be done while the list is still there.
 * @returns false for a file without such a list, which is a new one.
 * @throws Error for a file of a version before.
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
  if (applied.size !== newest.length || newest.some((name) => !applied.has(name))) throw new TooOld();
  await prepare();
  await sql`DROP TABLE migrations`.execute(db);
  return true;
};

/** A file that this version does not read, and that the version before can bring to where it does. */
export class TooOld extends Error {
  override readonly name = "TooOld";
  constructor() {
    super(
      "the database was written by a development version that is too old: start commit 43eec1d of Tollgate on this folder until its log is complete, stop it, then start this version",
    );
  }
}
