import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";

/**
 * Orders whose product is a plan: its terms as they were when it was ordered, the subscription that began, or why none did, and what came
 * back of its price. `failure` is what a provider calls a refund of its own that failed after it had been made.
 */
const SCHEMA = `
ALTER TABLE orders ADD COLUMN plan_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN plan_terms TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN plan_fault TEXT NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN plan_back BIGINT NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN subscription_id BIGINT NOT NULL DEFAULT 0;
CREATE INDEX orders_subscription ON orders (subscription_id) WHERE subscription_id > 0;
ALTER TABLE order_refunds ADD COLUMN failure TEXT NOT NULL DEFAULT '';
`;

export const planOrders: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
