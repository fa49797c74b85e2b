import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import { INTERRUPTION_MARKS, PHRASES_BEGIN } from "../../../outbox/log-content";
import type { SchemaPart } from "../../../sql/schema-part";

const MARKED = INTERRUPTION_MARKS.map((mark) => `text LIKE '%${mark}%'`).join(" OR ");

/**
 * Marks the lines of requests that were cut off and charged in part, and finds them by indexes of these alone: they are
 * few. Earlier lines tell it by their text. A node of an older version does not mark the lines that it writes.
 */
export const INTERRUPTIONS: SchemaPart = {
  common: `
ALTER TABLE logs ADD COLUMN is_interrupted INTEGER NOT NULL DEFAULT 0;
UPDATE logs SET is_interrupted = 1 WHERE type = ${LOG_CONSUME} AND content_id IN (
  SELECT id FROM contents WHERE text LIKE '${PHRASES_BEGIN}%' AND (${MARKED})
);
CREATE INDEX logs_interrupted_time ON logs (created_at) WHERE is_interrupted = 1;
CREATE INDEX logs_interrupted_user_time ON logs (user_id, created_at) WHERE is_interrupted = 1;
`,
};
