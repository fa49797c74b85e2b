import type { SchemaPart } from "../../../sql/schema-part";
import { addSumColumns } from "../schema/sums";
import { CACHE_COLUMNS } from "../sum-columns";

/**
 * Tokens of the prompt that the upstream read from its cache, and wrote to it. They are NULL where the upstream did not
 * report them, and in earlier lines, whose receipts may tell them. Of sums, only requests that know them count.
 */
export const PROMPT_CACHE: readonly SchemaPart[] = [
  {
    common: `
ALTER TABLE logs ADD COLUMN cache_read_tokens INTEGER;
ALTER TABLE logs ADD COLUMN cache_write_tokens INTEGER;
`,
  },
  addSumColumns(CACHE_COLUMNS),
];
