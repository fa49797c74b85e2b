import type { Usage } from "@tollgate/contract/relay/usage";

/** The `usage` object of a Messages answer. */
export interface MessageUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

/**
 * Encodes usage. This shape cannot omit counters, so unknown ones are written as 0; the engine counts before that
 * happens. Input is written without its cached parts, never below 0.
 */
export const encodeUsage = ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: Usage): MessageUsage => {
  const cacheRead = cacheReadTokens ?? 0;
  const cacheWrite = cacheWriteTokens ?? 0;
  return {
    input_tokens: Math.max(0, (inputTokens ?? 0) - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: outputTokens ?? 0,
  };
};
