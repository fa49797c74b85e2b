import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * The accounts elsewhere by which users sign in had a column for each sign-in method. A user has at most one of a method,
 * and each is one user's.
 */
const SCHEMA = `
CREATE TABLE identities (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (subject <> ''),
  PRIMARY KEY (user_id, method),
  UNIQUE (method, subject)
) WITHOUT ROWID;
INSERT INTO identities (user_id, method, subject)
  SELECT id, 'github', github_id FROM users WHERE github_id <> ''
  UNION ALL SELECT id, 'wechat', wechat_id FROM users WHERE wechat_id <> '';
DROP INDEX users_github;
DROP INDEX users_wechat;
ALTER TABLE users DROP COLUMN github_id;
ALTER TABLE users DROP COLUMN wechat_id;
`;

export const identities: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
