import { type Decimal, multiply, ONE, parseDecimal } from "@tollgate/contract/values/decimal";

/** Sizes of dall-e and the ratio of an image of each (contract section 2.9). */
const DALL_E_2: Readonly<Record<string, string>> = {
  "256x256": "1",
  "512x512": "1.125",
  "1024x1024": "1.25",
};
const DALL_E_3: Readonly<Record<string, string>> = { "1024x1024": "1", "1024x1792": "2", "1792x1024": "2" };

/**
 * Output tokens of one image of OpenAI's gpt-image models, by quality: square, upright, lying
 * (https://platform.openai.com/docs/guides/image-generation#calculating-costs).
 */
const GPT_IMAGE: Readonly<Record<string, readonly [number, number, number]>> = {
  low: [272, 408, 400],
  medium: [1056, 1584, 1568],
  high: [4160, 6240, 6208],
};
const GPT_IMAGE_SIZES = ["1024x1024", "1024x1536", "1536x1024"];
/** The tokens of the most expensive image: for "auto", whose size is not known in advance. */
const MAX_GPT_IMAGE_TOKENS = 6240;

/**
 * Output tokens of the largest picture of Gemini's models, for answers that report none
 * (https://ai.google.dev/gemini-api/docs/pricing).
 */
const GEMINI_IMAGE_TOKENS: readonly (readonly [match: RegExp, tokens: number])[] = [
  [/gemini-2\.5-flash-image/, 1290],
  [/gemini-3-pro-image/, 2000],
  [/gemini-3\.1-flash-image/, 2520],
];
const decimal = (text: string): Decimal => parseDecimal(text) ?? ONE;

/** For a size missing from the table, the table's maximum. */
const findSize = (table: Readonly<Record<string, string>>, size: string): Decimal =>
  decimal(table[size] ?? Object.values(table).at(-1) ?? "1");

const dallE3 = (size: string, quality: string): Decimal => {
  const base = findSize(DALL_E_3, size);
  if (quality !== "hd") return base;
  return decimal(size === "1024x1024" ? "2" : "3");
};

const gptImage = (size: string, quality: string, outputRatio: Decimal): Decimal => {
  const position = GPT_IMAGE_SIZES.indexOf(size);
  const tokens = GPT_IMAGE[quality]?.[position] ?? MAX_GPT_IMAGE_TOKENS;
  return multiply(decimal(String(tokens / 1000)), outputRatio);
};

/**
 * The ratio of an image's size and quality; 1 for unknown models.
 * @param model the name after the channel's mapping.
 * @param outputRatio a picture token's price relative to a prompt token's.
 */
export const imageRatio = (model: string, size: string, quality: string, outputRatio: Decimal): Decimal => {
  if (model.startsWith("dall-e-2")) return findSize(DALL_E_2, size);
  if (model.startsWith("dall-e-3")) return dallE3(size, quality);
  if (model.startsWith("gpt-image") || model.startsWith("chatgpt-image"))
    return gptImage(size, quality, outputRatio);
  const tokens = GEMINI_IMAGE_TOKENS.find(([match]) => match.test(model))?.[1];
  return tokens === undefined ? ONE : multiply(decimal(String(tokens / 1000)), outputRatio);
};
