import type { ModelPriceEntry, TierPrices, TokenPrices } from "@tollgate/contract/management/model-price";
import type { PriceDifference } from "@tollgate/contract/management/price-sync";
import { TOKEN_CLASSES, type TokenClass } from "./token-classes";

type ClassPrices = Pick<TokenPrices | TierPrices, TokenClass>;

/** The prices of prompts with more than this number of tokens. */
const pricesAbove = (price: TokenPrices, tokens: number): ClassPrices =>
  price.tiers?.findLast(({ aboveTokens }) => aboveTokens <= tokens) ?? price;

/** The price of a class without its own price. */
const usualOf = (prices: ClassPrices, each: TokenClass): number | undefined =>
  each === "audioOutput" ? prices.output : prices.input;

/** Whether a class has its own price; input and output always have. */
const isOwn = (prices: ClassPrices | undefined, each: TokenClass): boolean =>
  prices !== undefined && prices[each] !== usualOf(prices, each);

/** A tenth of a percent. */
const percentOf = (old: number, next: number): number => Math.round(((next - old) / old) * 1000) / 10;

const differenceOf = (
  part: PriceDifference["part"],
  aboveTokens: number,
  old: number | undefined,
  next: number | undefined,
): PriceDifference => ({
  part,
  above_tokens: aboveTokens,
  ...(old === undefined ? {} : { old }),
  ...(next === undefined ? {} : { next }),
  ...(old && next !== undefined ? { percent: percentOf(old, next) } : {}),
});

const perCallOf = (price: ModelPriceEntry | undefined): number | undefined =>
  price && "perCall" in price ? price.perCall : undefined;
const tokensOf = (price: ModelPriceEntry | undefined): TokenPrices | undefined =>
  price && "input" in price ? price : undefined;

/**
 * The differences of two prices, each with all its classes (`usdPriceOf`): part by part, and for each length threshold
 * of either price. A part that costs the same as the input before and after is omitted.
 */
export const priceDifferences = (
  old: ModelPriceEntry | undefined,
  next: ModelPriceEntry | undefined,
): PriceDifference[] => {
  const found: PriceDifference[] = [];
  const [oldCall, nextCall] = [perCallOf(old), perCallOf(next)];
  if (oldCall !== nextCall) found.push(differenceOf("perCall", 0, oldCall, nextCall));
  const [oldTokens, nextTokens] = [tokensOf(old), tokensOf(next)];
  const lengths = new Set(
    [
      0,
      ...[oldTokens, nextTokens].flatMap((each) => each?.tiers ?? []).map((tier) => tier.aboveTokens ?? 0),
    ].sort((a, b) => a - b),
  );
  for (const length of lengths) {
    const before = oldTokens && pricesAbove(oldTokens, length);
    const after = nextTokens && pricesAbove(nextTokens, length);
    for (const each of TOKEN_CLASSES) {
      const isNamed = each === "input" || each === "output" || isOwn(before, each) || isOwn(after, each);
      if (!isNamed || before?.[each] === after?.[each]) continue;
      found.push(differenceOf(each, length, before?.[each], after?.[each]));
    }
  }
  return found;
};

/** Maximum factor between old and new price of a part: beyond it, the unit is different, or the price is a mistake. */
const MAX_TIMES = 1000;

/**
 * Assumed tokens of a call with a price per call, for comparing it with prices of tokens: real mistakes are far larger.
 */
const TOKENS_OF_A_CALL = 1000;

const isFar = (old: number | undefined, next: number | undefined): boolean =>
  old !== undefined && next !== undefined && old > 0 && (next >= old * MAX_TIMES || next <= old / MAX_TIMES);

/** The price of such a call by its tokens; undefined when tokens have no price on that side. */
const callOf = (inputUsd: number | undefined): number | undefined =>
  inputUsd === undefined ? undefined : (inputUsd / 1_000_000) * TOKENS_OF_A_CALL;

/**
 * Whether a part of a price would become a thousand times its value, or a thousandth; also when calls are charged
 * instead of tokens, or tokens instead of calls.
 */
export const isAbsurd = (differences: readonly PriceDifference[]): boolean => {
  if (differences.some(({ old, next }) => isFar(old, next))) return true;
  const perCall = differences.find(({ part }) => part === "perCall");
  const input = differences.find(({ part, above_tokens }) => part === "input" && above_tokens === 0);
  return isFar(perCall?.old, callOf(input?.next)) || isFar(callOf(input?.old), perCall?.next);
};
