import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";
import { watchColumns } from "./change-triggers";

/** Decisions of keys about fields that an upstream's protocol has no place for; older keys go by the site's option. */
const SCHEMA = `
ALTER TABLE tokens ADD COLUMN unsupported_fields TEXT NOT NULL DEFAULT '';
${watchColumns("tokens", "unsupported", ["unsupported_fields"])}
`;

export const unsupportedFields: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
