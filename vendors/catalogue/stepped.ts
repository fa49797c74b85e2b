import type { TierPrices, TokenPrices } from "@tollgate/contract/management/model-price";

/** Input, output and, where it is listed, what a cached token costs to read. */
type Step = readonly [input: number, output: number, cacheRead?: number];

const stepOf = ([input, output, cacheRead]: Step) => ({
  input,
  output,
  ...(cacheRead === undefined ? {} : { cacheRead }),
});

/** Prices by the length of the prompt: the first step, then each further one with the tokens above which it holds. */
export const stepped = (
  first: Step,
  ...further: readonly (readonly [aboveTokens: number, step: Step])[]
): TokenPrices => ({
  ...stepOf(first),
  tiers: further.map(([aboveTokens, step]): TierPrices => ({ aboveTokens, ...stepOf(step) })),
});
