import type { SchemaPart } from "../../../sql/schema-part";

/**
 * Plans, subscriptions, their periods, and how subscribers' balances are composed (docs/reference/plans.md). A subscription keeps
 * the terms it was bought on. `follows` is the subscription it replaces; at most one replaces another. A period is open, over
 * while requests under way still hold some of it, or closed.
 */
export const PLANS: SchemaPart = {
  common: `
CREATE TABLE plans (
  id AUTO_ID,
  title TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  price QUOTA NOT NULL CHECK (price >= 0),
  duration_unit TEXT NOT NULL,
  duration_count INTEGER NOT NULL CHECK (duration_count > 0),
  quota QUOTA NOT NULL CHECK (quota >= 0),
  reset TEXT NOT NULL,
  "group" TEXT NOT NULL DEFAULT '',
  beyond TEXT NOT NULL,
  max_per_user INTEGER NOT NULL DEFAULT 0,
  is_enabled INTEGER NOT NULL DEFAULT 1,
  sort_order INTEGER NOT NULL DEFAULT 0,
  created_time INTEGER NOT NULL
);

CREATE TABLE subscriptions (
  id AUTO_ID,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  plan_id INTEGER NOT NULL,
  title TEXT NOT NULL,
  price QUOTA NOT NULL CHECK (price >= 0),
  duration_unit TEXT NOT NULL,
  duration_count INTEGER NOT NULL,
  quota QUOTA NOT NULL CHECK (quota >= 0),
  reset TEXT NOT NULL,
  "group" TEXT NOT NULL DEFAULT '',
  beyond TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  state TEXT NOT NULL,
  source TEXT NOT NULL,
  reference TEXT NOT NULL CONSTRAINT subscriptions_reference_unique UNIQUE,
  follows INTEGER CONSTRAINT subscriptions_follows_unique UNIQUE,
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
  granted QUOTA NOT NULL CHECK (granted >= 0),
  unspent QUOTA NOT NULL CHECK (unspent >= 0),
  spent QUOTA NOT NULL DEFAULT 0 CHECK (spent >= 0),
  withdrawn QUOTA NOT NULL DEFAULT 0 CHECK (withdrawn >= 0),
  taken QUOTA NOT NULL DEFAULT 0 CHECK (taken >= 0),
  PRIMARY KEY (subscription_id, number),
  CHECK (granted = unspent + spent + withdrawn + taken)
) WITHOUT ROWID;
CREATE INDEX plan_periods_user ON plan_periods (user_id) WHERE state <> 'closed';
CREATE INDEX plan_periods_end ON plan_periods (ends_at) WHERE state <> 'closed';

CREATE TABLE plan_accounts (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  counted QUOTA NOT NULL,
  own_spent QUOTA NOT NULL CHECK (own_spent >= 0),
  parked QUOTA NOT NULL DEFAULT 0 CHECK (parked >= 0)
);
`,
};
