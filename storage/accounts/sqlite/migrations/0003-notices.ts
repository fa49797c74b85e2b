import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * Telling people what happened: over which ways, what was told already, and what is to be sent and was
 * (docs/guides/notices.md). An incident is there while it goes on, so that it is told once. What belongs to a user goes with the
 * user; `user_id` is NULL for what is the site's.
 */
const SCHEMA = `
CREATE TABLE notice_ways (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  is_enabled INTEGER NOT NULL DEFAULT 1,
  language TEXT NOT NULL DEFAULT '',
  events TEXT NOT NULL DEFAULT '',
  fields_sealed TEXT NOT NULL,
  created_time INTEGER NOT NULL
);
CREATE INDEX notice_ways_user ON notice_ways (user_id);

CREATE TABLE notice_incidents (
  event TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  params TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  resolved_at INTEGER,
  raised INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (event, subject)
);
CREATE INDEX notice_incidents_user ON notice_incidents (user_id);

CREATE TABLE notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  way_id INTEGER NOT NULL,
  way_kind TEXT NOT NULL,
  way_name TEXT NOT NULL DEFAULT '',
  event TEXT NOT NULL,
  phase TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '',
  params TEXT NOT NULL,
  message_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL DEFAULT 0,
  tried_at INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  fault TEXT NOT NULL DEFAULT '',
  status INTEGER NOT NULL DEFAULT 0,
  detail TEXT NOT NULL DEFAULT ''
);
CREATE INDEX notices_waiting ON notices (due_at) WHERE state = 'waiting';
CREATE INDEX notices_tried ON notices (way_id, tried_at);
CREATE INDEX notices_user ON notices (user_id);
`;

export const notices: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
