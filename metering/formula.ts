import { compare, type Decimal } from "@tollgate/contract/values/decimal";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { Bill } from "./bill";
import type { Price } from "./price";
import { areUsual, TOKEN_CLASSES, type TokenClass, type TokenCounts } from "./token-classes";

const isOne = ({ digits, scale }: Decimal): boolean => digits === 1n && scale === 0;

const termsOf = (counts: TokenCounts, weightTexts: Readonly<Record<TokenClass, string>>): string => {
  const terms: string[] = [];
  for (const each of TOKEN_CLASSES) {
    if (counts[each] > 0 || each === "input" || each === "output")
      terms.push(`${counts[each]} × ${weightTexts[each]}`);
  }
  return terms.join(" + ");
};

/**
 * The arithmetic of a charge by tokens in one line: `ceil((13 × 1 + 5 × 2) × 0.75 × 1) = 18` (contract section 2.5); in
 * money `ceil((13 × 3 + 5 × 15) × 500000 × 1 ÷ 1000000) = 57`. Classes that were not used are left out.
 */
export const explainBill = (price: Price, bill: Bill): string =>
  `ceil(${arithmeticOf(price, bill)}) = ${bill.quota}`;

/** The multiplication for tokens or calls in one line, without its result. */
export const arithmeticOf = (price: Price, { counts, tier, calls, extra }: Omit<Bill, "quota">): string => {
  const { factorText = "", callsText = "" } = extra ?? {};
  const times = calls === 1 ? "" : `${calls} × `;
  if (price.perCall) return `${times}${price.unitText}${factorText}${callsText}`;
  const { input, output } = tier.weightTexts;
  const terms = areUsual(counts)
    ? `${counts.input} × ${input} + ${counts.output} × ${output}`
    : termsOf(counts, tier.weightTexts);
  return `(${terms}) × ${price.unitText}${factorText}${callsText}`;
};

/**
 * The arithmetic of a charge by images, seconds and the like, after the text about these (explainUnits).
 * @param quota the price, before any shortfall.
 */
export const explainUnitCharge = (price: Price, quota: number | string): string => {
  const { weights, weightTexts } = price.tiers[0];
  const weight = isOne(weights.input) || price.perCall ? "" : `${weightTexts.input} × `;
  return `${weight}${price.unitText} = ${quota}`;
};

const SPECIALS = [
  ["cacheRead", "input", "cache-read"],
  ["cacheWrite5m", "input", "cache-write-5m"],
  ["cacheWrite1h", "input", "cache-write-1h"],
  ["audioInput", "input", "audio-input"],
  ["audioOutput", "output", "audio-output"],
] as const satisfies readonly (readonly [TokenClass, TokenClass, LogPhrase["code"]])[];

/** The parts of a charge beyond the usual two prices; undefined for most charges, to avoid creating a list. */
const specialsOf = (price: Price, { counts, tier }: Bill): LogPhrase[] | undefined => {
  if (price.perCall) return undefined;
  let specials: LogPhrase[] | undefined;
  if (tier.aboveTokens > 0) specials = [{ code: "long-context", tokens: tier.aboveTokens }];
  if (areUsual(counts)) return specials;
  for (const [each, usual, code] of SPECIALS) {
    const count = counts[each];
    if (count === 0 || compare(tier.weights[each], tier.weights[usual]) === 0) continue;
    specials ??= [];
    specials.push({ code, count, weight: tier.weightTexts[each] });
  }
  return specials;
};

/** The log text of a charge by tokens; most contain only the price, and share its list. */
export const explainCharge = (price: Price, bill: Bill): readonly LogPhrase[] => {
  const specials = specialsOf(price, bill);
  const extras = bill.extra?.explanation ?? [];
  if (!specials && extras.length === 0) return price.explanation;
  return [...price.explanation, ...(specials ?? []), ...extras];
};
