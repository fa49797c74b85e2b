import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/**
 * Plans, who has them, their periods, and how the balances of these users are made up (docs/reference/plans.md). A subscription keeps
 * the terms on which it was bought. A period is open, over while requests under way hold some of it, or closed. `follows` is the
 * subscription that one takes the place of; no two take the place of one. `plan_groups` are those of a user's plans, before the
 * user's own.
 */
const SCHEMA = `
CREATE TABLE plans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  price INTEGER NOT NULL CHECK (price >= 0),
  duration_unit TEXT NOT NULL,
  duration_count INTEGER NOT NULL CHECK (duration_count > 0),
  quota INTEGER NOT NULL CHECK (quota >= 0),
  reset TEXT NOT NULL,
  "group" TEXT NOT NULL DEFAULT '',
  beyond TEXT NOT NULL,
  max_per_user INTEGER NOT NULL DEFAULT 0,
  is_enabled INTEGER NOT NULL DEFAULT 1,
  sort_order INTEGER NOT NULL DEFAULT 0,
  created_time INTEGER NOT NULL
);

CREATE TABLE subscriptions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  plan_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  price INTEGER NOT NULL CHECK (price >= 0),
  duration_unit TEXT NOT NULL,
  duration_count INTEGER NOT NULL,
  quota INTEGER NOT NULL CHECK (quota >= 0),
  reset TEXT NOT NULL,
  "group" TEXT NOT NULL DEFAULT '',
  beyond TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  source TEXT NOT NULL,
  reference TEXT NOT NULL UNIQUE,
  follows INTEGER UNIQUE,
  end_reason TEXT NOT NULL DEFAULT '',
  renews INTEGER NOT NULL DEFAULT 0,
  is_told INTEGER NOT NULL DEFAULT 0,
  created_time INTEGER NOT NULL
);
CREATE INDEX subscriptions_user ON subscriptions (user_id);
CREATE INDEX subscriptions_plan ON subscriptions (plan_id);
CREATE INDEX subscriptions_live ON subscriptions (ends_at) WHERE state <> 'ended';

CREATE TABLE plan_periods (
  subscription_id INTEGER NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  granted INTEGER NOT NULL CHECK (granted >= 0),
  unspent INTEGER NOT NULL CHECK (unspent >= 0),
  spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
  withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn >= 0),
  taken INTEGER NOT NULL DEFAULT 0 CHECK (taken >= 0),
  PRIMARY KEY (subscription_id, number),
  CHECK (granted = unspent + spent + withdrawn + taken)
) WITHOUT ROWID;
CREATE INDEX plan_periods_user ON plan_periods (user_id) WHERE state <> 'closed';
CREATE INDEX plan_periods_end ON plan_periods (ends_at) WHERE state <> 'closed';

CREATE TABLE plan_accounts (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  counted INTEGER NOT NULL,
  own_spent INTEGER NOT NULL CHECK (own_spent >= 0),
  parked INTEGER NOT NULL DEFAULT 0 CHECK (parked >= 0)
);

ALTER TABLE users ADD COLUMN plan_groups TEXT NOT NULL DEFAULT '';
`;

export const plans: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
