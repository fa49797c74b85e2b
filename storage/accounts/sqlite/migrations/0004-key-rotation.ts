import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** While secrets are sealed anew under another master key: a text that is sealed under that one (storage/rotate/). */
export const keyRotation: Migration = {
  up: (db: Kysely<unknown>) =>
    runStatements(
      db,
      "CREATE TABLE key_rotation (id INTEGER PRIMARY KEY CHECK (id = 1), sealed TEXT NOT NULL)",
    ),
};
