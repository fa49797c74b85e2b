import type { Units } from "@tollgate/contract/relay/operation";
import {
  compare,
  type Decimal,
  divideDown,
  formatDecimal,
  isZero,
  multiply,
  multiplyInteger,
  ONE,
  roundDown,
  roundUp,
  simplify,
} from "@tollgate/contract/values/decimal";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import { priceCalls } from "./bill";
import { imageRatio } from "./image-ratio";
import type { Price } from "./price";

/*
 * One price table serves every operation: a unit of work costs the same as a number of prompt tokens of its model.
 *
 * - A character of speech is one token: tts-1's ratio 7.5 is 15 USD per million characters (contract section 2.10).
 * - An image is 1000 tokens times the ratio of its size (contract section 2.9).
 * - A minute of a recording is 200 tokens: whisper-1's ratio 15 was derived this way from 0.006 USD per minute.
 * - A search is 1000 tokens: a ratio of 1 is 2 USD per 1000 searches, Cohere's price.
 */
const TOKENS_PER_IMAGE: Decimal = { digits: 1000n, scale: 0 };
const TOKENS_PER_SECOND: Decimal = { digits: 3_333_333n, scale: 6 };
const TOKENS_PER_SEARCH: Decimal = { digits: 1000n, scale: 0 };

const PLACES = 12;

/** The ratio of an image of this size and quality; the delivered image is no dearer than the requested one. */
const ratioOfImage = (
  { model, tiers }: Price,
  { size, quality, asked }: Extract<Units, { kind: "images" }>,
): Decimal => {
  const { input, output } = tiers[0].weights;
  const outputRatio = isZero(input) ? ONE : divideDown(output, input, PLACES);
  const came = imageRatio(model, size, quality, outputRatio);
  if (asked === undefined) return came;
  const wanted = imageRatio(model, asked.size, asked.quality, outputRatio);
  return compare(wanted, came) < 0 ? wanted : came;
};

/** The quota for one unit, exactly. */
const perUnit = (price: Price, units: Units): Decimal => {
  const { perPromptToken } = price;
  switch (units.kind) {
    case "characters":
      return perPromptToken;
    case "images":
      return multiply(perPromptToken, multiply(TOKENS_PER_IMAGE, ratioOfImage(price, units)));
    case "seconds":
      return multiply(perPromptToken, TOKENS_PER_SECOND);
    case "searches":
      return multiply(perPromptToken, TOKENS_PER_SEARCH);
  }
};

const exactQuota = (price: Price, units: Units): number => {
  const each = perUnit(price, units);
  // The contract rounds one image, and a text, down (sections 2.9, 2.10).
  if (units.kind === "images") return roundDown(each) * units.count;
  const all = multiplyInteger(each, units.count);
  return units.kind === "characters" ? roundDown(all) : roundUp(all);
};

/** The price of units before rounding: the operator's cost is not a charge. */
export const sumUnits = (price: Price, units: Units): Decimal => {
  const count = units.kind === "images" || !price.perCall ? units.count : Math.min(1, units.count);
  return multiplyInteger(price.perCall ?? perUnit(price, units), count);
};

/** The quota for an answer that is charged by units: at least 1 unless the price or the count is zero. */
export const priceUnits = (price: Price, units: Units): number => {
  if (units.count === 0) return 0;
  // A price per call applies per image: a request for four at once costs four.
  if (price.perCall) return priceCalls(price, units.kind === "images" ? units.count : 1);
  if (isZero(price.perPromptToken)) return 0;
  return Math.max(1, Math.min(Number.MAX_SAFE_INTEGER, exactQuota(price, units)));
};

/** gpt-image-1 writes 6,208 for the largest: https://platform.openai.com/docs/guides/image-generation#cost-and-latency */
const MAX_PER_IMAGE = 7000;
/** Gemini reads 32 for a second of audio, OpenAI 10; a fast speaker says eight tokens in it. */
const MAX_READ_PER_SECOND = 32;
const MAX_WRITTEN_PER_SECOND = 8;

/** Maximum tokens an upstream may report for work that is usually charged by units. */
export const maxUnitTokens = ({ kind, count }: Units): { read: number; written: number } => {
  switch (kind) {
    case "images":
      return { read: 0, written: count * MAX_PER_IMAGE };
    case "seconds":
      return { read: count * MAX_READ_PER_SECOND, written: count * MAX_WRITTEN_PER_SECOND };
    default:
      // Speech and searches report none.
      return { read: 0, written: 0 };
  }
};

/** The log text about the charged units. */
export const explainUnits = (price: Price, units: Units): LogPhrase => {
  const { count } = units;
  switch (units.kind) {
    case "characters":
      return { code: "speech", characters: count };
    case "images": {
      const ratio = formatDecimal(simplify(ratioOfImage(price, units)), 2);
      const size = [units.size, units.quality].filter((word) => word !== "").join(" ");
      return size === "" ? { code: "images", count, ratio } : { code: "sized-images", count, size, ratio };
    }
    case "seconds":
      return { code: "recording", seconds: count };
    case "searches":
      return { code: "searches", count };
  }
};
