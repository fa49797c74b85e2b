/** Redemption codes, codes sent by e-mail, external identities, and what administrators changed. */
export const accounts = {
  name: "0002-accounts",
  sql: `
CREATE TABLE redemptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  key_sealed TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 1,
  name TEXT NOT NULL DEFAULT '',
  quota INTEGER NOT NULL CHECK (quota > 0),
  created_time INTEGER NOT NULL,
  redeemed_time INTEGER NOT NULL DEFAULT 0,
  redeemed_by INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE verifications (
  purpose TEXT NOT NULL,
  subject TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  expires_time INTEGER NOT NULL,
  attempts_left INTEGER NOT NULL,
  PRIMARY KEY (purpose, subject)
) WITHOUT ROWID;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  username TEXT NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  action TEXT NOT NULL,
  target TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_time ON audit (created_at);

CREATE UNIQUE INDEX users_email ON users (email) WHERE email <> '';
CREATE UNIQUE INDEX users_github ON users (github_id) WHERE github_id <> '';
CREATE UNIQUE INDEX users_wechat ON users (wechat_id) WHERE wechat_id <> '';
`,
};
