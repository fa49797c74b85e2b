import { type Kysely, sql } from "kysely";
import { SealBroken, type Secrets } from "../../secrets";
import { SEALED_COLUMNS } from "./sealed-columns";
import type { Tables } from "./tables";

/** A few of each column. */
const SEALED = SEALED_COLUMNS.map(
  ({ table, column, where }) => `SELECT ${column} AS sealed FROM ${table} WHERE ${where} LIMIT 3`,
);

/**
 * Opens a few of the stored secrets: under a wrong master key nothing would work, but each part would fail in a way of
 * its own.
 * @param more queries of an engine that holds others.
 * @returns false when there are some and none can be opened.
 */
export const hasMasterKey = async (
  db: Kysely<Tables>,
  secrets: Secrets,
  more: readonly string[] = [],
): Promise<boolean> => {
  let broken = 0;
  for (const query of [...SEALED, ...more]) {
    const { rows } = await sql.raw<{ sealed: string }>(query).execute(db);
    for (const { sealed } of rows) {
      try {
        secrets.open(sealed);
        return true;
      } catch (error) {
        // One altered secret is not a wrong key.
        if (error instanceof SealBroken) broken += 1;
      }
    }
  }
  return broken === 0;
};
