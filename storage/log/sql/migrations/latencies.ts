import type { SchemaPart } from "../../../sql/schema-part";

const COLUMNS = ["hour", "model_id", "channel_id", "measure", "bucket", "requests"];
const KEYS = COLUMNS.slice(0, -1).join(", ");

const create = (name: string, type: string): string => `
CREATE TABLE ${name} (
  ${COLUMNS.map((column) => `${column} ${type} NOT NULL`).join(",\n  ")}`;

/**
 * Counts of answered requests by duration (storage/log/latency-buckets.ts): `measure` is 0 for the first byte of
 * streams, 1 for the whole answer. Lines that are older than this table have none. `unsummed_latencies` relates to it
 * as `unsummed` to the sums.
 */
export const LATENCIES: SchemaPart = {
  sqlite: `${create("latency_hours", "INTEGER")},
  PRIMARY KEY (${KEYS})
) WITHOUT ROWID;
`,
  postgres: `${create("unsummed_latencies", "BIGINT")}
);
${create("latency_hours_summed", "BIGINT")},
  PRIMARY KEY (${KEYS})
);
CREATE VIEW latency_hours AS
  SELECT ${COLUMNS.join(", ")} FROM latency_hours_summed
  UNION ALL SELECT ${COLUMNS.join(", ")} FROM unsummed_latencies;
`,
};
