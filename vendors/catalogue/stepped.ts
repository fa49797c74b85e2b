import type { TierPrices, TokenPrices } from "@tollgate/contract/management/model-price";

/** Input, output and, if it is listed, the price of reading a cached token. */
type Step = readonly [input: number, output: number, cacheRead?: number];

const stepOf = ([input, output, cacheRead]: Step) => ({
  input,
  output,
  ...(cacheRead === undefined ? {} : { cacheRead }),
});

/** Prices by the length of the prompt: the first step, then each further one with its threshold in tokens. */
export const stepped = (
  first: Step,
  ...further: readonly (readonly [aboveTokens: number, step: Step])[]
): TokenPrices => ({
  ...stepOf(first),
  tiers: further.map(([aboveTokens, step]): TierPrices => ({ aboveTokens, ...stepOf(step) })),
});
