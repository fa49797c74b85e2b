import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";

/**
 * When the newest batch of each epoch was booked, and of which epoch a charge is. A node sends its next batch only when the one
 * before was answered, so what it may send again, however long it was cut off, is its newest: those rows are kept.
 */
export const bookedEpochs: Migration = {
  up: (db: Kysely<unknown>) =>
    runStatements(
      db,
      `CREATE TABLE booked_epochs (epoch BIGINT PRIMARY KEY, booked_at TIMESTAMPTZ NOT NULL);
       ALTER TABLE charges ADD COLUMN epoch BIGINT;`,
    ),
};
