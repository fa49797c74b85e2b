import type { Usage } from "@tollgate/contract/relay/usage";
import type { Decimal } from "@tollgate/contract/values/decimal";

/** What a token can be to its price; every token is in exactly one class. */
export const TOKEN_CLASSES = [
  "input",
  "cacheRead",
  "cacheWrite5m",
  "cacheWrite1h",
  "audioInput",
  "output",
  "audioOutput",
] as const;
export type TokenClass = (typeof TOKEN_CLASSES)[number];

/** All but the two usual ones. */
export const SPECIAL_CLASSES = TOKEN_CLASSES.filter((each) => each !== "input" && each !== "output");

export type TokenCounts = Readonly<Record<TokenClass, number>>;
/** What a token of each class costs, in a price's own unit. */
export type Weights = Readonly<Record<TokenClass, Decimal>>;

const atMost = (told: number | undefined, left: number): number => Math.min(told ?? 0, left);

/**
 * Divides what was read and written into classes. What is told of parts never counts for more than the whole.
 * @param usage what the upstream told of the parts.
 */
export const classifyTokens = (promptTokens: number, completionTokens: number, usage: Usage): TokenCounts => {
  const cacheRead = atMost(usage.cacheReadTokens, promptTokens);
  const cacheWrite = atMost(usage.cacheWriteTokens, promptTokens - cacheRead);
  const cacheWrite1h = atMost(usage.cacheWrite1hTokens, cacheWrite);
  const uncached = promptTokens - cacheRead - cacheWrite;
  const audioInput = atMost(usage.audioInputTokens, uncached);
  const audioOutput = atMost(usage.audioOutputTokens, completionTokens);
  return {
    input: uncached - audioInput,
    cacheRead,
    cacheWrite5m: cacheWrite - cacheWrite1h,
    cacheWrite1h,
    audioInput,
    output: completionTokens - audioOutput,
    audioOutput,
  };
};

/** Whether all tokens are of the two usual classes: what is asked of every charge first, because hardly any is otherwise. */
export const areUsual = (counts: TokenCounts): boolean =>
  counts.cacheRead === 0 &&
  counts.cacheWrite5m === 0 &&
  counts.cacheWrite1h === 0 &&
  counts.audioInput === 0 &&
  counts.audioOutput === 0;
