import type { SchemaPart } from "../../../sql/schema-part";

/** Announcements (contract/api/announcements.ts). `groups` is a comma list, "" for all; `ends_at` is 0 without an end. */
export const ANNOUNCEMENTS: SchemaPart = {
  common: `
CREATE TABLE announcements (
  id AUTO_ID,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  level TEXT NOT NULL,
  is_pinned INTEGER NOT NULL,
  "groups" TEXT NOT NULL,
  is_public INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  author TEXT NOT NULL,
  created_time INTEGER NOT NULL,
  updated_time INTEGER NOT NULL
);
CREATE INDEX announcements_start ON announcements (starts_at);
`,
};
