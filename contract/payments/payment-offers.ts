import * as z from "zod/mini";
import {
  compare,
  type Decimal,
  divideDown,
  formatDecimal,
  isZero,
  multiply,
  ONE,
  parseDecimal,
  roundDown,
  simplify,
} from "../values/decimal";
import { tryParseJson } from "../values/parse-json";
import { MAX_QUOTA } from "../values/quota";
import { minorDigits } from "./currency-codes";

/** An amount that buyers are offered, in US dollars of quota. */
export interface PaymentPackage {
  usd: Decimal;
  bonus: Decimal;
}

export interface PaymentOffers {
  packages: readonly PaymentPackage[];
  /** Factors of the price for who buys so much or more, the smallest amount first. */
  discounts: readonly { from: Decimal; factor: Decimal }[];
  /** Factors of the price for the users of a group. */
  groups: ReadonlyMap<string, Decimal>;
}

const MAX_ITEMS = 100;

const number = z.union([z.number(), z.string()]);
const offersSchema = z.strictObject({
  packages: z.optional(
    z.array(z.strictObject({ usd: number, bonus: z.optional(number) })).check(z.maxLength(MAX_ITEMS)),
  ),
  discounts: z.optional(
    z.array(z.strictObject({ from: number, factor: number })).check(z.maxLength(MAX_ITEMS)),
  ),
  groups: z.optional(z.record(z.string(), number)),
});

/** With more digits, or beyond these, no amount is bought. */
const MAX_DIGITS = 6;
const LARGEST = 1e9;

const readAmount = (value: string | number, canBeZero: boolean): Decimal | undefined => {
  const read = parseDecimal(value);
  if (!read || read.scale > MAX_DIGITS || roundDown(read) > LARGEST) return undefined;
  return isZero(read) && !canBeZero ? undefined : read;
};

/** A fault's place. */
class Misplaced extends Error {}

const amountAt = (value: string | number, place: string, canBeZero = false): Decimal => {
  const read = readAmount(value, canBeZero);
  if (!read) throw new Misplaced(place);
  return read;
};

/**
 * Reads the option PaymentOffers: packages, discounts by amount, and by group (docs/guides/payments.md). Numbers may be texts.
 * @returns where the text is wrong when it cannot be used.
 */
export const parsePaymentOffers = (text: string): PaymentOffers | { fault: string } => {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return { fault: "JSON" };
  const read = offersSchema.safeParse(parsed);
  if (!read.success) {
    const [issue] = read.error.issues;
    const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
    return { fault: [...(issue?.path ?? []), ...unknown].join(".") || "JSON" };
  }
  const { packages = [], discounts = [], groups = {} } = read.data;
  try {
    return {
      packages: packages.map(({ usd, bonus = 0 }, at) => ({
        usd: amountAt(usd, `packages.${at}.usd`),
        bonus: amountAt(bonus, `packages.${at}.bonus`, true),
      })),
      discounts: discounts
        .map(({ from, factor }, at) => ({
          from: amountAt(from, `discounts.${at}.from`, true),
          // A factor of 0 would give quota for nothing.
          factor: amountAt(factor, `discounts.${at}.factor`),
        }))
        .sort((one, other) => compare(one.from, other.from)),
      groups: new Map(
        Object.entries(groups).map(([name, factor]) => [name, amountAt(factor, `groups.${name}`)]),
      ),
    };
  } catch (error) {
    if (error instanceof Misplaced) return { fault: error.message };
    throw error;
  }
};

/** A site's terms for quota. */
export interface PaymentTerms {
  currency: string;
  /** Of one US dollar of quota, in the currency. */
  unitPrice: Decimal;
  /** US dollars. */
  minimum: Decimal;
  quotaPerUnit: Decimal;
  offers: PaymentOffers;
}

/** The terms that a quote is computed from. */
type QuotedTerms = Pick<PaymentTerms, "currency" | "unitPrice" | "quotaPerUnit">;

/** A person's price and quota. */
export interface Quote {
  /** US dollars, as they were asked for. */
  usd: string;
  /** Minor units of the currency. */
  amount: number;
  currency: string;
  /** All of it, with the bonus. */
  quota: number;
  /** The part of `quota` that is given on top. */
  bonus: number;
  /** The factors of the price, multiplied; "1" for none. */
  factor: string;
}

export type QuoteFault = "amount-invalid" | "below-minimum" | "amount-too-large";

/** The largest amount that Stripe takes; no other provider takes more. */
const MAX_MINOR = 99_999_999;

/**
 * Returns a plan's price in money: its price alone, without discounts, rounded up to the minor unit.
 * @param price quota.
 */
export const quoteOfPlan = (price: number, terms: PaymentTerms): Quote | { fault: QuoteFault } => {
  if (isZero(terms.unitPrice) || isZero(terms.quotaPerUnit)) return { fault: "amount-invalid" };
  const amount = priceOf(price, ONE, terms);
  if (amount > BigInt(MAX_MINOR)) return { fault: "amount-too-large" };
  const usd = divideDown({ digits: BigInt(price), scale: 0 }, terms.quotaPerUnit, MAX_DIGITS);
  return {
    usd: formatDecimal(simplify(usd)),
    amount: Number(amount),
    currency: terms.currency,
    quota: price,
    bonus: 0,
    factor: "1",
  };
};

const factorFor = (usd: Decimal, groups: readonly string[], offers: PaymentOffers): Decimal => {
  const byAmount = offers.discounts.findLast(({ from }) => compare(from, usd) <= 0)?.factor ?? ONE;
  let byGroup: Decimal | undefined;
  for (const group of groups) {
    const factor = offers.groups.get(group);
    if (factor && (!byGroup || compare(factor, byGroup) < 0)) byGroup = factor;
  }
  return multiply(byAmount, byGroup ?? ONE);
};

/** `quota × price × factor ÷ quota per unit` in minor units, rounded up. */
const priceOf = (
  quota: number,
  factor: Decimal,
  { unitPrice, quotaPerUnit, currency }: QuotedTerms,
): bigint => {
  const price = multiply(unitPrice, factor);
  const numerator =
    BigInt(quota) * price.digits * 10n ** BigInt(minorDigits(currency)) * 10n ** BigInt(quotaPerUnit.scale);
  const denominator = quotaPerUnit.digits * 10n ** BigInt(price.scale);
  return (numerator + denominator - 1n) / denominator;
};

/** Minor units that a promotion leaves to pay at least: the price of the smallest purchase, and never nothing. */
export const smallestPayable = (terms: PaymentTerms): number => {
  const quota = roundDown(multiply(terms.minimum, terms.quotaPerUnit));
  const price = isZero(terms.quotaPerUnit) ? 0n : priceOf(quota, ONE, terms);
  return Math.max(1, Number(price < BigInt(MAX_MINOR) ? price : MAX_MINOR));
};

/** An order's quote with the terms from which it was computed, as texts; undefined in orders of older versions. */
export interface KeptQuote extends Quote {
  /** Minor units that a promotion lowered the price by (promotions.ts). */
  discount?: number | undefined;
  unitPrice?: string | undefined;
  quotaPerUnit?: string | undefined;
}

/** A quote is honoured while quota does not cost more than this many times as much. */
const MAX_PRICE_RISE: Decimal = { digits: 2n, scale: 0 };

/** Whether a quote equals the result of its own terms. */
const followsFromTerms = (quote: KeptQuote, terms: QuotedTerms): boolean => {
  const factor = parseDecimal(quote.factor);
  const bought = quote.quota - quote.bonus;
  if (!factor || bought < 1 || isZero(terms.quotaPerUnit)) return false;
  return priceOf(bought, factor, terms) === BigInt(quote.amount) + BigInt(quote.discount ?? 0);
};

/**
 * Whether a payment alone may complete an order. The buyer gets the quoted quota, also after a price change. A person decides where the
 * amount does not follow from the order's terms, or where one of two prices must be a mistake.
 */
export const isQuoteInLine = (quote: KeptQuote, now: PaymentTerms): boolean => {
  const { unitPrice: unitText, quotaPerUnit: quotaText, currency } = quote;
  if (unitText === undefined || quotaText === undefined) return true;
  const unitPrice = parseDecimal(unitText);
  const quotaPerUnit = parseDecimal(quotaText);
  if (!unitPrice || !quotaPerUnit || !followsFromTerms(quote, { unitPrice, quotaPerUnit, currency }))
    return false;
  // Prices in another currency cannot be compared; the quota of a dollar can.
  const isComparable = currency === now.currency;
  const priceNow = multiply(isComparable ? now.unitPrice : ONE, quotaPerUnit);
  const priceThen = multiply(isComparable ? unitPrice : ONE, now.quotaPerUnit);
  return compare(priceNow, multiply(priceThen, MAX_PRICE_RISE)) <= 0;
};

/**
 * Computes a person's price of an amount. Quota is whole, rounded down, and the price is that of this quota, rounded up
 * to the minor unit: the buyer pays less than one minor unit above the exact price of the granted quota, and nothing is
 * free.
 * @param usd US dollars of quota, as typed. @param groups of the buyer: the lowest factor of them applies.
 */
export const quoteFor = (
  usd: string,
  groups: readonly string[],
  terms: PaymentTerms,
): Quote | { fault: QuoteFault } => {
  const wanted = readAmount(usd, false);
  if (!wanted || isZero(terms.unitPrice)) return { fault: "amount-invalid" };
  if (compare(wanted, terms.minimum) < 0) return { fault: "below-minimum" };
  const bought = roundDown(multiply(wanted, terms.quotaPerUnit));
  const bonus = terms.offers.packages.find((each) => compare(each.usd, wanted) === 0)?.bonus;
  const given = bonus ? roundDown(multiply(bonus, terms.quotaPerUnit)) : 0;
  if (bought < 1) return { fault: "below-minimum" };
  const factor = factorFor(wanted, groups, terms.offers);
  const amount = priceOf(bought, factor, terms);
  if (bought + given >= MAX_QUOTA || amount > BigInt(MAX_MINOR)) return { fault: "amount-too-large" };
  return {
    usd: formatDecimal(simplify(wanted)),
    amount: Number(amount),
    currency: terms.currency,
    quota: bought + given,
    bonus: given,
    factor: formatDecimal(simplify(factor)),
  };
};
