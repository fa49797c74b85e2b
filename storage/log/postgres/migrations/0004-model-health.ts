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
  "costed_requests",
  "costed_quota",
  "cost",
];

/** Which errors were the service's own; of those of before nobody knows, and they count as none. */
export const modelHealth: Migration = {
  up: (db: Kysely<unknown>) => runStatements(db, addSumColumns(KNOWN, ["faults"])),
};
