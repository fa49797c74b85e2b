import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * What lines were made of, so that they can be priced anew (storage/log/priced-lines.ts): blocks of the lines of an hour, and the
 * texts that many of them have in common. Lines of before have none.
 */
const SCHEMA = `
CREATE TABLE price_shapes (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);
CREATE TABLE priced_lines (
  id INTEGER PRIMARY KEY,
  hour INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX priced_lines_hour ON priced_lines (hour);
`;

export const pricedTokens: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
