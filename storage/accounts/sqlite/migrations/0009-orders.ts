import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * What users buy (docs/guides/payments.md). Orders stay when a user is deleted: like the ledger they are the account of what was paid.
 * `asked_at` is when the provider was last asked what became of it. A fault is a callback that changed nothing; each kind of an order is one row, counted.
 */
const SCHEMA = `
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  number TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL,
  username TEXT NOT NULL,
  provider TEXT NOT NULL,
  method TEXT NOT NULL,
  state TEXT NOT NULL,
  usd TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  quota INTEGER NOT NULL CHECK (quota > 0),
  bonus INTEGER NOT NULL DEFAULT 0,
  factor TEXT NOT NULL,
  checkout TEXT NOT NULL DEFAULT '',
  payment TEXT NOT NULL DEFAULT '',
  pay_kind TEXT NOT NULL DEFAULT '',
  pay_content TEXT NOT NULL DEFAULT '',
  words TEXT NOT NULL DEFAULT '{}',
  refunded INTEGER NOT NULL DEFAULT 0,
  disputed INTEGER NOT NULL DEFAULT 0,
  taken INTEGER NOT NULL DEFAULT 0 CHECK (taken BETWEEN 0 AND quota),
  is_late INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  paid_at INTEGER NOT NULL DEFAULT 0,
  asked_at INTEGER NOT NULL DEFAULT 0,
  completed_by INTEGER NOT NULL DEFAULT 0,
  completed_name TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT ''
);
CREATE INDEX orders_user ON orders (user_id, id);
CREATE INDEX orders_state ON orders (state, id);
CREATE INDEX orders_payment ON orders (payment) WHERE payment <> '';
CREATE INDEX orders_pending ON orders (asked_at) WHERE state = 'pending';

CREATE TABLE order_refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id INTEGER NOT NULL,
  reference TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  taken INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL,
  actor_id INTEGER NOT NULL DEFAULT 0,
  actor_name TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  UNIQUE (order_id, reference)
);
CREATE INDEX order_refunds_asking ON order_refunds (id) WHERE state = 'asking';

CREATE TABLE payment_faults (
  provider TEXT NOT NULL,
  order_id INTEGER NOT NULL,
  fault TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  words TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (provider, order_id, fault)
);
`;

export const orders: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
