import type { CacheRatio, TokenPrices } from "@tollgate/contract/management/model-price";
import {
  type Decimal,
  divideDown,
  isZero,
  ONE,
  parseDecimal,
  simplify,
  ZERO,
} from "@tollgate/contract/values/decimal";

/** The price of a cached token, as a factor of an input token's. */
export interface CacheFactors {
  read: Decimal;
  write5m: Decimal;
  write1h: Decimal;
}

interface FamilyRule {
  match: RegExp;
  read: number;
  write5m?: number;
  write1h?: number;
}

/**
 * The vendors' factors for models that no price list names yet, by the beginning of the name, the first match:
 *
 * - OpenAI: https://openai.com/api/pricing ("Cached input"): GPT-5 a tenth; GPT-4.1, o3 and o4-mini a quarter; GPT-4o,
 *   o1 and o3-mini half. Writing costs nothing extra.
 * - Anthropic: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching#pricing.
 * - Gemini: https://ai.google.dev/gemini-api/docs/pricing ("Context caching"): a quarter; newer models go lower.
 * - DeepSeek: https://api-docs.deepseek.com/quick_start/pricing ("Cache hit"): a tenth.
 * - Qwen: https://help.aliyun.com/zh/model-studio/context-cache: implicit reads a fifth, explicit writes 1.25.
 */
const FAMILIES: readonly FamilyRule[] = [
  { match: /^claude-/, read: 0.1, write5m: 1.25, write1h: 2 },
  { match: /^gpt-5|^codex-/, read: 0.1 },
  { match: /^gpt-4\.1|^o3(?!-mini)|^o4-mini/, read: 0.25 },
  { match: /^(?:chat)?gpt-4o|^o1|^o3-mini/, read: 0.5 },
  { match: /^gemini-/, read: 0.25 },
  { match: /^deepseek-/, read: 0.1 },
  { match: /^qwen|^qwq|^qvq/, read: 0.2, write5m: 1.25, write1h: 1.25 },
];

const FULL_PRICE: CacheFactors = { read: ONE, write5m: ONE, write1h: ONE };

const toDecimal = (value: number | undefined, fallback: Decimal): Decimal =>
  value === undefined ? fallback : (parseDecimal(value) ?? fallback);

const familyFactors = (model: string): CacheFactors => {
  // Vendors that resell others' models put the maker in front: "anthropic/claude-…".
  const name = model.toLowerCase().slice(model.lastIndexOf("/") + 1);
  const rule = FAMILIES.find(({ match }) => match.test(name));
  return rule
    ? {
        read: toDecimal(rule.read, ONE),
        write5m: toDecimal(rule.write5m, ONE),
        write1h: toDecimal(rule.write1h, ONE),
      }
    : FULL_PRICE;
};

const PLACES = 12;

/** The factors of a list price. A class missing from the list costs the same as any input. */
const listedFactors = ({ input, cacheRead, cacheWrite5m, cacheWrite1h }: TokenPrices): CacheFactors => {
  const full = toDecimal(input, ZERO);
  const factorOf = (price: number | undefined): Decimal =>
    price === undefined || isZero(full) ? ONE : simplify(divideDown(toDecimal(price, ZERO), full, PLACES));
  return { read: factorOf(cacheRead), write5m: factorOf(cacheWrite5m), write1h: factorOf(cacheWrite1h) };
};

/**
 * The prices of a model's cached tokens: from the option CacheRatio, else the vendor's price list, else the rule of the
 * model's family, else the full price.
 * @param own the model's value in the option CacheRatio.
 * @param isBilled the option CacheBillingEnabled; when it is off, everything costs the full price, as with one-api.
 * @param listed the vendor's list price, if it is known.
 */
export const cacheFactors = (
  model: string,
  own: CacheRatio | undefined,
  isBilled: boolean,
  listed?: TokenPrices,
): CacheFactors => {
  if (!isBilled) return FULL_PRICE;
  const usual = listed ? listedFactors(listed) : familyFactors(model);
  if (!own) return usual;
  return {
    read: toDecimal(own.read, usual.read),
    write5m: toDecimal(own.write5m, usual.write5m),
    write1h: toDecimal(own.write1h, usual.write1h),
  };
};
