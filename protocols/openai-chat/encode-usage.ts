import type { Usage } from "@tollgate/contract/relay/usage";

/** The `usage` object of a Chat Completions answer. */
export interface ChatUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: Record<string, number>;
  completion_tokens_details: Record<string, number>;
}

/**
 * @returns undefined when the totals are not known, because clients would book an invented number. Unknown details are
 * 0, as in OpenAI's own answers.
 */
export const encodeUsage = (usage: Usage): ChatUsage | undefined => {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: {
      cached_tokens: cacheReadTokens ?? 0,
      ...(cacheWriteTokens === undefined ? {} : { cache_write_tokens: cacheWriteTokens }),
    },
    completion_tokens_details: { reasoning_tokens: reasoningTokens ?? 0 },
  };
};
