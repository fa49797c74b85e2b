import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";

/** Requests that came to nothing; the columns are explained with the other engine's table (storage/log/sqlite/migrations). */
const SCHEMA = `
CREATE TABLE failures (
  request_id TEXT NOT NULL PRIMARY KEY,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  occurrences BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  payer_id BIGINT NOT NULL,
  model_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  status BIGINT NOT NULL,
  code TEXT NOT NULL
);
CREATE INDEX failures_time ON failures (first_at);
CREATE INDEX failures_user_time ON failures (user_id, first_at);
`;

export const failures: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
