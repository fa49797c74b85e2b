import type { SchemaPart } from "../../../sql/schema-part";
import { addSumColumns } from "../schema/sums";
import { CACHE_COLUMNS, SERVED_COLUMNS } from "../sum-columns";

/**
 * Whether the answer of a line names another model than its upstream was asked for: NULL where it names none, where
 * names cannot be compared, and in earlier lines. The name itself is in the receipt. Differences are few, and found by
 * an index of their own.
 */
export const SERVED_MODELS: readonly SchemaPart[] = [
  {
    common: `
ALTER TABLE logs ADD COLUMN is_other_model INTEGER;
CREATE INDEX logs_other_model ON logs (channel_id, model_id, created_at) WHERE is_other_model = 1;
`,
  },
  addSumColumns(SERVED_COLUMNS, CACHE_COLUMNS),
];
