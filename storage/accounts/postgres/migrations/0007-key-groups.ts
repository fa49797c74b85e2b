import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";

/**
 * By which groups a key's requests go; keys from before go by their user's. The trigger beside that of the first migration tells
 * nodes of these columns (change-triggers.ts): what is told twice is read once.
 */
const SCHEMA = `
ALTER TABLE tokens ADD COLUMN "group" TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN auto_groups TEXT NOT NULL DEFAULT '';
CREATE CONSTRAINT TRIGGER note_tokens_groups_changed AFTER UPDATE OF "group", auto_groups ON tokens
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD."group", OLD.auto_groups) IS DISTINCT FROM (NEW."group", NEW.auto_groups))
  EXECUTE FUNCTION note_change('api-key', 'id');
`;

export const keyGroups: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
