import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** What the keys of a channel may be asked, all together and each; NULL limits nothing (docs/reference/limits.md). */
const SCHEMA = `
ALTER TABLE channels ADD COLUMN rpm INTEGER;
ALTER TABLE channels ADD COLUMN tpm INTEGER;
ALTER TABLE channels ADD COLUMN concurrency INTEGER;
ALTER TABLE channels ADD COLUMN key_rpm INTEGER;
ALTER TABLE channels ADD COLUMN key_tpm INTEGER;
ALTER TABLE channels ADD COLUMN key_concurrency INTEGER;
`;

export const upstreamLimits: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
