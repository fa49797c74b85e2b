import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * Codes that end at a time (0 for never) and may be used more than once, once by each user, with who used them: `redemption_uses`.
 * The status stays the contract's: unused until the last use.
 *
 * What inviters earn of payments: a row in `commissions` for each, `missing` being what a refund asked back and was spent already. A
 * commission account has what its entries in the ledger add up to (docs/money.md): `commission` can be turned into balance or asked for,
 * `payout` is asked for and not decided yet.
 */
const SCHEMA = `
ALTER TABLE redemptions ADD COLUMN expires_time INTEGER NOT NULL DEFAULT 0;
ALTER TABLE redemptions ADD COLUMN most_uses INTEGER NOT NULL DEFAULT 1;
ALTER TABLE redemptions ADD COLUMN used_count INTEGER NOT NULL DEFAULT 0;
UPDATE redemptions SET used_count = 1 WHERE status = 3;

CREATE TABLE redemption_uses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  redemption_id INTEGER NOT NULL REFERENCES redemptions (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  quota INTEGER NOT NULL,
  UNIQUE (redemption_id, user_id)
);
INSERT INTO redemption_uses (redemption_id, user_id, used_at, quota)
  SELECT id, redeemed_by, redeemed_time, quota FROM redemptions WHERE status = 3;

CREATE TABLE commission_accounts (
  user_id INTEGER PRIMARY KEY,
  commission INTEGER NOT NULL DEFAULT 0 CHECK (commission >= 0),
  payout INTEGER NOT NULL DEFAULT 0 CHECK (payout >= 0)
);

CREATE TABLE commissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  inviter_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  order_id INTEGER NOT NULL UNIQUE,
  base INTEGER NOT NULL,
  basis_points INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  taken_back INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);
CREATE INDEX commissions_inviter ON commissions (inviter_id, id);
CREATE INDEX users_inviter ON users (inviter_id, id) WHERE inviter_id <> 0;

CREATE TABLE payouts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  state TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  decided_at INTEGER NOT NULL DEFAULT 0,
  actor_id INTEGER NOT NULL DEFAULT 0,
  reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX payouts_user ON payouts (user_id, id);
CREATE INDEX payouts_state ON payouts (state, id);
`;

export const invitations: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
