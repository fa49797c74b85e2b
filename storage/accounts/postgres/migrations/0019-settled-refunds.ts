import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";

/** Refunds of whose end no provider will tell: who settled one by hand, when and why. `settled_at` is 0 for all others. */
const SCHEMA = `
ALTER TABLE order_refunds ADD COLUMN settled_by BIGINT NOT NULL DEFAULT 0;
ALTER TABLE order_refunds ADD COLUMN settled_name TEXT NOT NULL DEFAULT '';
ALTER TABLE order_refunds ADD COLUMN settled_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE order_refunds ADD COLUMN settled_at BIGINT NOT NULL DEFAULT 0;
`;

export const settledRefunds: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
