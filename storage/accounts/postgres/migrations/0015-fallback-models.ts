import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";
import { watchColumns } from "./change-triggers";

/** Keys in whose requests no other model answers in place of the one that is named. */
const SCHEMA = `
ALTER TABLE tokens ADD COLUMN no_fallbacks SMALLINT NOT NULL DEFAULT 0;
${watchColumns("tokens", "fallbacks", ["no_fallbacks"])}
`;

export const fallbackModels: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
