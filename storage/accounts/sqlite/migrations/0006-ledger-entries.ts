import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * The ledger (contract/records/ledger-entry.ts): the sum of an account's entries is what was granted to it. An entry is written
 * before the balance is moved, so that a movement without one is refused. Entries stay when a user or a key is deleted: like the lines of the
 * log they are the account of what was paid. `key_id` is 0 but for the own limit of a key. `reference` is NULL where a movement has none;
 * all others are booked once.
 *
 * What accounts were given before is one entry each.
 */
const SCHEMA = `
CREATE TABLE ledger_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  account TEXT NOT NULL,
  key_id INTEGER NOT NULL DEFAULT 0,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  cause TEXT NOT NULL,
  reference TEXT,
  actor_id INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  CHECK ((account = 'key') = (key_id <> 0)),
  UNIQUE (cause, reference, account)
);
CREATE INDEX ledger_entries_account ON ledger_entries (user_id, account, key_id);
CREATE INDEX ledger_entries_user ON ledger_entries (user_id, id);
CREATE INDEX ledger_entries_cause ON ledger_entries (cause, id);
CREATE INDEX ledger_entries_time ON ledger_entries (created_at);

INSERT INTO ledger_entries (user_id, account, amount, cause, created_at)
  SELECT id, 'balance', granted_quota, 'opening', unixepoch() FROM users WHERE granted_quota <> 0;
INSERT INTO ledger_entries (user_id, account, key_id, amount, cause, created_at)
  SELECT user_id, 'key', id, granted_quota, 'opening', unixepoch() FROM tokens WHERE granted_quota <> 0;

CREATE TRIGGER users_moved AFTER UPDATE OF granted_quota ON users WHEN NEW.granted_quota <> (
    SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE user_id = NEW.id AND account = 'balance' AND key_id = 0)
  BEGIN SELECT RAISE(ABORT, 'a balance was moved without an entry in the ledger'); END;
CREATE TRIGGER tokens_moved AFTER UPDATE OF granted_quota ON tokens WHEN NEW.granted_quota <> (
    SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE user_id = NEW.user_id AND account = 'key' AND key_id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'a balance was moved without an entry in the ledger'); END;
`;

export const ledgerEntries: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
