import { compare, type Decimal } from "@tollgate/contract/values/decimal";
import type { Bill, Price } from "./price";
import { TOKEN_CLASSES, type TokenClass } from "./token-classes";

const isOne = ({ digits, scale }: Decimal): boolean => digits === 1n && scale === 0;

/**
 * The arithmetic of a charge by tokens in one line: `ceil((13 × 1 + 5 × 2) × 0.75 × 1) = 18` (contract section 2.5); in
 * money `ceil((13 × 3 + 5 × 15) × 500000 × 1 ÷ 1000000) = 57`. Classes that were not used are left out.
 */
export const explainBill = (price: Price, { counts, tier, quota, calls, extra }: Bill): string => {
  const { factorText = "", callsText = "" } = extra ?? {};
  const times = calls === 1 ? "" : `${calls} × `;
  if (price.perCall) return `ceil(${times}${price.unitText}${factorText}${callsText}) = ${quota}`;
  const terms: string[] = [];
  for (const each of TOKEN_CLASSES) {
    if (counts[each] > 0 || each === "input" || each === "output")
      terms.push(`${counts[each]} × ${tier.weightTexts[each]}`);
  }
  return `ceil((${terms.join(" + ")}) × ${price.unitText}${factorText}${callsText}) = ${quota}`;
};

/**
 * The arithmetic of a charge by images, seconds and the like.
 * @param units as explainUnits says them.
 * @param quota what the price asks for, before any shortfall.
 */
export const explainUnitCharge = (price: Price, units: string, quota: number): string => {
  const { weights, weightTexts } = price.tiers[0];
  const weight = isOne(weights.input) || price.perCall ? "" : `${weightTexts.input} × `;
  return `${units} × ${weight}${price.unitText} = ${quota}`;
};

const SPECIAL_CLASSES: readonly (readonly [TokenClass, TokenClass, string])[] = [
  ["cacheRead", "input", "缓存读取"],
  ["cacheWrite5m", "input", "缓存写入（5 分钟）"],
  ["cacheWrite1h", "input", "缓存写入（1 小时）"],
  ["audioInput", "input", "音频输入"],
  ["audioOutput", "output", "音频输出"],
];

/** What was charged otherwise than by the usual two prices; "" when nothing was. Begins with a comma. */
export const explainSpecials = (price: Price, { counts, tier, extra }: Bill): string => {
  const extras = extra?.explanation ?? "";
  if (price.perCall) return extras;
  let text = tier.aboveTokens > 0 ? `，长上下文价格（输入超过 ${tier.aboveTokens} tokens）` : "";
  for (const [each, usual, name] of SPECIAL_CLASSES) {
    const weight = tier.weights[each];
    if (counts[each] === 0 || compare(weight, tier.weights[usual]) === 0) continue;
    text += `，${name} ${counts[each]} × ${tier.weightTexts[each]}`;
  }
  return text + extras;
};
