import type { SchemaPart } from "../../../sql/schema-part";

/** The domain refuses a balance or a sum that JavaScript does not hold exactly. */
export const QUOTA_DOMAIN: SchemaPart = {
  postgres: "CREATE DOMAIN quota AS BIGINT CHECK (VALUE BETWEEN -9007199254740991 AND 9007199254740991);",
};

/**
 * State of several nodes on PostgreSQL (docs/decisions/0013-leases.md), and a text sealed at the first start, by which a node
 * with another master key is refused.
 *
 * The row of a silent node is deleted after its leases have been returned; `about` is its self-description. `number` is that of
 * the newest change of a lease, and `granted` the answer to that change, should the node ask again. A lease goes with its account.
 *
 * Charges and edits of balances are known by their ids, so that each is applied once however often it is sent. Rows are kept
 * while a node may send them again: at least a day, and the newest batch of each epoch (`booked_epochs`) as long as its node may
 * be cut off, because a node sends its next batch only after the answer to the one before.
 */
export const NODES: SchemaPart = {
  postgres: `
CREATE TABLE master_key_probe (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  sealed TEXT NOT NULL
);

CREATE TABLE nodes (
  epoch BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  heard_at TIMESTAMPTZ NOT NULL,
  expires_at TIMESTAMPTZ NOT NULL,
  about JSON NOT NULL
);

CREATE TABLE user_leases (
  user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  epoch BIGINT NOT NULL REFERENCES nodes (epoch),
  quota quota NOT NULL CHECK (quota >= 0),
  number BIGINT NOT NULL,
  granted quota NOT NULL,
  PRIMARY KEY (user_id, epoch)
);
CREATE INDEX user_leases_epoch ON user_leases (epoch);

CREATE TABLE token_leases (
  token_id BIGINT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
  epoch BIGINT NOT NULL REFERENCES nodes (epoch),
  quota quota NOT NULL CHECK (quota >= 0),
  number BIGINT NOT NULL,
  granted quota NOT NULL,
  PRIMARY KEY (token_id, epoch)
);
CREATE INDEX token_leases_epoch ON token_leases (epoch);

CREATE TABLE charges (
  request_id TEXT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  token_id BIGINT,
  charged quota NOT NULL CHECK (charged >= 0),
  shortfall quota NOT NULL,
  taken_from_key quota NOT NULL CHECK (taken_from_key >= 0),
  key_shortfall quota NOT NULL,
  is_refunded BIGINT NOT NULL DEFAULT 0,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  epoch BIGINT
);
CREATE INDEX charges_created ON charges (created_at);

CREATE TABLE balance_edits (
  id TEXT PRIMARY KEY,
  moved quota NOT NULL,
  created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX balance_edits_created ON balance_edits (created_at);

CREATE TABLE booked_epochs (epoch BIGINT PRIMARY KEY, booked_at TIMESTAMPTZ NOT NULL);
`,
};
