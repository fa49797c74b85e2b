import type { Kysely, Migration } from "kysely";
import { runStatements } from "../../../postgres/migrate";
import { addSumColumns } from "./sum-views";

const KNOWN = [
  "lines",
  "requests",
  "errors",
  "prompt_tokens",
  "completion_tokens",
  "quota",
  "duration_ms",
  "first_byte_ms",
  "streams",
];

/**
 * What upstreams ask, in thousandths of quota. Of lines of before nobody knows: their cost is null, and the sums, which add up
 * only what is known, begin with nothing.
 */
const SCHEMA = `
ALTER TABLE logs ADD COLUMN cost BIGINT;
${addSumColumns(KNOWN, ["costed_requests", "costed_quota", "cost"])}
`;

export const costs: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, SCHEMA),
};
