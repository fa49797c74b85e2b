import type { Usage } from "@tollgate/contract/relay/usage";

/** The `usageMetadata` object of an answer. */
export interface UsageMetadata {
  promptTokenCount: number;
  candidatesTokenCount: number;
  totalTokenCount: number;
  cachedContentTokenCount?: number;
  thoughtsTokenCount?: number;
}

/**
 * @returns undefined when the totals are not known, because clients would book an invented number. Thoughts are counted
 * separately from the output.
 */
export const encodeUsage = (usage: Usage): UsageMetadata | undefined => {
  const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const thoughts = Math.min(reasoningTokens ?? 0, outputTokens);
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - thoughts,
    totalTokenCount: inputTokens + outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cachedContentTokenCount: cacheReadTokens }),
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
  };
};
