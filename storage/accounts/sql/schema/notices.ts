import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Notices (docs/guides/notices.md): where they are sent, the incidents that are open, so that each is sent once, the queue and
 * log of sending, and the balance below which a user wants a notice. Rows go with their user; `user_id` is NULL for the site's.
 */
export const NOTICES: SchemaPart = {
  common: `
CREATE TABLE notice_ways (
  id AUTO_ID,
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
  id AUTO_ID,
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

CREATE TABLE notice_thresholds (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  quota QUOTA NOT NULL CHECK (quota >= 0)
);
`,
};
