import type { Usage } from "@tollgate/contract/relay/usage";
import type { Decimal } from "@tollgate/contract/values/decimal";

/** Classes of tokens with separate prices; every token is in exactly one class. */
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

export const SPECIAL_CLASSES = TOKEN_CLASSES.filter((each) => each !== "input" && each !== "output");

export type TokenCounts = Readonly<Record<TokenClass, number>>;
/** The price of a token of each class, in a price's own unit. */
export type Weights = Readonly<Record<TokenClass, Decimal>>;

/** Tokens read from a prompt cache, at most the whole prompt; undefined when not reported. */
export const cacheReadOf = (promptTokens: number, { cacheReadTokens }: Usage): number | undefined =>
  cacheReadTokens === undefined ? undefined : Math.min(cacheReadTokens, promptTokens);

/** Tokens written to a prompt cache, at most the part of the prompt that was not read from it. */
export const cacheWriteOf = (promptTokens: number, usage: Usage): number | undefined =>
  usage.cacheWriteTokens === undefined
    ? undefined
    : Math.min(usage.cacheWriteTokens, promptTokens - (cacheReadOf(promptTokens, usage) ?? 0));

const atMost = (told: number | undefined, left: number): number => Math.min(told ?? 0, left);

/**
 * Divides input and output tokens into classes. Reported parts never count for more than the whole.
 * @param usage the upstream's report about the parts.
 */
export const classifyTokens = (promptTokens: number, completionTokens: number, usage: Usage): TokenCounts => {
  const cacheRead = cacheReadOf(promptTokens, usage) ?? 0;
  const cacheWrite = cacheWriteOf(promptTokens, usage) ?? 0;
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

/** Whether all tokens are of the two usual classes: checked first for every charge, because nearly all are. */
export const areUsual = (counts: TokenCounts): boolean =>
  counts.cacheRead === 0 &&
  counts.cacheWrite5m === 0 &&
  counts.cacheWrite1h === 0 &&
  counts.audioInput === 0 &&
  counts.audioOutput === 0;
