import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** Decisions of keys about fields that an upstream's protocol has no place for; older keys go by the site's option. */
const SCHEMA = `
ALTER TABLE tokens ADD COLUMN unsupported_fields TEXT NOT NULL DEFAULT '';
`;

export const unsupportedFields: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
