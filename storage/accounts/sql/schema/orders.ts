import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Orders, their refunds, and faults of callbacks (docs/guides/payments.md). Orders outlive their user: like the ledger
 * they account for payments. `asked_at` is when the provider was last queried about the order. An order for a plan
 * keeps the plan's terms as ordered, the subscription that started or the reason none did, and the part of its price
 * that came back.
 *
 * `failure` of a refund is the provider's name for a refund of its own that failed after it had been made. The
 * `settled_` columns say who settled a refund by hand whose outcome no provider reports; `settled_at` is 0 for all
 * others. A fault is a callback that changed nothing; each kind per order is one row with a count.
 */
export const ORDERS: SchemaPart = {
  common: `
CREATE TABLE orders (
  id AUTO_ID,
  number TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL,
  username TEXT NOT NULL,
  provider TEXT NOT NULL,
  method TEXT NOT NULL,
  state TEXT NOT NULL,
  usd TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  quota QUOTA NOT NULL CHECK (quota > 0),
  bonus QUOTA NOT NULL DEFAULT 0,
  factor TEXT NOT NULL,
  checkout TEXT NOT NULL DEFAULT '',
  payment TEXT NOT NULL DEFAULT '',
  pay_kind TEXT NOT NULL DEFAULT '',
  pay_content TEXT NOT NULL DEFAULT '',
  words TEXT NOT NULL DEFAULT '{}',
  refunded INTEGER NOT NULL DEFAULT 0,
  disputed INTEGER NOT NULL DEFAULT 0,
  taken QUOTA NOT NULL DEFAULT 0 CHECK (taken BETWEEN 0 AND quota),
  is_late INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  paid_at INTEGER NOT NULL DEFAULT 0,
  asked_at INTEGER NOT NULL DEFAULT 0,
  completed_by INTEGER NOT NULL DEFAULT 0,
  completed_name TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT '',
  plan_id INTEGER NOT NULL DEFAULT 0,
  plan_terms TEXT NOT NULL DEFAULT '',
  plan_fault TEXT NOT NULL DEFAULT '',
  plan_back INTEGER NOT NULL DEFAULT 0,
  subscription_id INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX orders_user ON orders (user_id, id);
CREATE INDEX orders_state ON orders (state, id);
CREATE INDEX orders_payment ON orders (payment) WHERE payment <> '';
CREATE INDEX orders_pending ON orders (asked_at) WHERE state = 'pending';
CREATE INDEX orders_subscription ON orders (subscription_id) WHERE subscription_id > 0;

CREATE TABLE order_refunds (
  id AUTO_ID,
  order_id INTEGER NOT NULL,
  reference TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  taken QUOTA NOT NULL DEFAULT 0,
  missing QUOTA NOT NULL DEFAULT 0,
  state TEXT NOT NULL,
  actor_id INTEGER NOT NULL DEFAULT 0,
  actor_name TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  detail TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  failure TEXT NOT NULL DEFAULT '',
  settled_by INTEGER NOT NULL DEFAULT 0,
  settled_name TEXT NOT NULL DEFAULT '',
  settled_reason TEXT NOT NULL DEFAULT '',
  settled_at INTEGER NOT NULL DEFAULT 0,
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
`,
};
