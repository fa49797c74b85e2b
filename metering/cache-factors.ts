import type { CacheRatios } from "@tollgate/contract/control/model-price";
import { type Decimal, ONE, parseDecimal } from "@tollgate/contract/values/decimal";

/** What a cached token costs, as a factor of an input token. */
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
 * The vendors' own factors by the beginning of the model's name, the first match:
 *
 * - OpenAI: https://openai.com/api/pricing ("Cached input"): GPT-5 a tenth; GPT-4.1, o3 and o4-mini a quarter; GPT-4o, o1
 *   and o3-mini half. Writing costs nothing of its own.
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

/**
 * What cached tokens of a model cost: what the option CacheRatio says, else the vendor's own factor, else the full price.
 * @param isBilled the option CacheBillingEnabled; when it is off everything costs the full price, as with one-api.
 */
export const cacheFactors = (
  model: string,
  ratios: CacheRatios | undefined,
  isBilled: boolean,
): CacheFactors => {
  if (!isBilled) return FULL_PRICE;
  const family = familyFactors(model);
  const own = ratios?.get(model);
  if (!own) return family;
  return {
    read: toDecimal(own.read, family.read),
    write5m: toDecimal(own.write5m, family.write5m),
    write1h: toDecimal(own.write1h, family.write1h),
  };
};
