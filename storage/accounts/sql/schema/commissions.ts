import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Commissions: one row per payment that an inviter earned from; `missing` is the part that a refund claimed back after
 * it was spent. A commission account has the sum of its entries in the ledger (docs/money.md): `commission` can be
 * turned into balance or requested, `payout` is requested and not decided yet.
 */
export const COMMISSIONS: SchemaPart = {
  common: `
CREATE TABLE commission_accounts (
  user_id INTEGER PRIMARY KEY,
  commission QUOTA NOT NULL DEFAULT 0 CHECK (commission >= 0),
  payout QUOTA NOT NULL DEFAULT 0 CHECK (payout >= 0)
);

CREATE TABLE commissions (
  id AUTO_ID,
  inviter_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  order_id INTEGER NOT NULL UNIQUE,
  base QUOTA NOT NULL,
  basis_points INTEGER NOT NULL,
  amount QUOTA NOT NULL CHECK (amount > 0),
  taken_back QUOTA NOT NULL DEFAULT 0,
  missing QUOTA NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);
CREATE INDEX commissions_inviter ON commissions (inviter_id, id);

CREATE TABLE payouts (
  id AUTO_ID,
  user_id INTEGER NOT NULL,
  amount QUOTA NOT NULL CHECK (amount > 0),
  state SORTED_TEXT NOT NULL,
  note SORTED_TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  decided_at INTEGER NOT NULL DEFAULT 0,
  actor_id INTEGER NOT NULL DEFAULT 0,
  reason SORTED_TEXT NOT NULL DEFAULT ''
);
CREATE INDEX payouts_user ON payouts (user_id, id);
CREATE INDEX payouts_state ON payouts (state, id);
`,
};
