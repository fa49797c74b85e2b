import { type Decimal, multiply, ONE, parseDecimal } from "@tollgate/contract/values/decimal";

/** Sizes of dall-e and what an image of each costs, beside 1 (contract section 2.9). */
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
/** What the most expensive image takes: for "auto", where it is not known beforehand. */
const GPT_IMAGE_MOST = 6240;
const decimal = (text: string): Decimal => parseDecimal(text) ?? ONE;

/** In a table that lacks the size, the most that the table knows. */
const findSize = (table: Readonly<Record<string, string>>, size: string): Decimal =>
  decimal(table[size] ?? Object.values(table).at(-1) ?? "1");

const dallE3 = (size: string, quality: string): Decimal => {
  const base = findSize(DALL_E_3, size);
  if (quality !== "hd") return base;
  return decimal(size === "1024x1024" ? "2" : "3");
};

const gptImage = (size: string, quality: string, outputRatio: Decimal): Decimal => {
  const position = GPT_IMAGE_SIZES.indexOf(size);
  const tokens = GPT_IMAGE[quality]?.[position] ?? GPT_IMAGE_MOST;
  return multiply(decimal(String(tokens / 1000)), outputRatio);
};

/**
 * How an image's price follows its size and quality; 1 for models of which nothing is known.
 * @param model the name after the channel's mapping.
 * @param outputRatio what a token of a picture costs beside one of the prompt.
 */
export const imageRatio = (model: string, size: string, quality: string, outputRatio: Decimal): Decimal => {
  if (model.startsWith("dall-e-2")) return findSize(DALL_E_2, size);
  if (model.startsWith("dall-e-3")) return dallE3(size, quality);
  if (model.startsWith("gpt-image") || model.startsWith("chatgpt-image"))
    return gptImage(size, quality, outputRatio);
  return ONE;
};
