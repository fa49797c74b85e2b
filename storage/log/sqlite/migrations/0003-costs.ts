import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../sqlite/migrate";
import { addSumColumns } from "./add-sum-columns";

/**
 * What upstreams ask, in thousandths of quota. Of lines of before nobody knows: their cost is null, and the sums, which add up
 * only what is known, begin with nothing.
 */
const SCHEMA = `
ALTER TABLE logs ADD COLUMN cost INTEGER;
${addSumColumns(["costed_requests", "costed_quota", "cost"])}
`;

export const costs: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
