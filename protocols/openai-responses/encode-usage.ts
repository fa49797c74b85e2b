import type { Usage } from "@tollgate/contract/relay/usage";

/** The `usage` object of a Responses answer. */
export interface ResponseUsage {
  input_tokens: number;
  input_tokens_details: Record<string, number>;
  output_tokens: number;
  output_tokens_details: Record<string, number>;
  total_tokens: number;
}

/** @returns null, this API's value for unknown fields, when the totals are not known. */
export const encodeUsage = (usage: Usage): ResponseUsage | null => {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return null;
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cacheReadTokens ?? 0,
      ...(cacheWriteTokens === undefined ? {} : { cache_write_tokens: cacheWriteTokens }),
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
    total_tokens: inputTokens + outputTokens,
  };
};
