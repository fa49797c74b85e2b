import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";

/** What channels have spent, in thousandths of quota, and balances that people type in, which are counted down by it. */
const SCHEMA = `
ALTER TABLE channels ADD COLUMN spent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN typed_balance REAL;
ALTER TABLE channels ADD COLUMN typed_spent INTEGER NOT NULL DEFAULT 0;
`;

export const typedBalances: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
