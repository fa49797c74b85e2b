import { type Kysely, sql } from "kysely";
import { SealBroken, type Secrets } from "../../secrets";
import type { Tables } from "./tables";

/** Columns that hold sealed texts. */
const SEALED = [
  "SELECT key_sealed AS sealed FROM tokens LIMIT 3",
  "SELECT key_sealed AS sealed FROM channels LIMIT 3",
  "SELECT key_sealed AS sealed FROM redemptions LIMIT 3",
  "SELECT access_token_sealed AS sealed FROM users WHERE access_token_sealed IS NOT NULL LIMIT 3",
  "SELECT fields_sealed AS sealed FROM notice_ways LIMIT 3",
  "SELECT value AS sealed FROM options WHERE is_sealed = 1 LIMIT 3",
];

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
