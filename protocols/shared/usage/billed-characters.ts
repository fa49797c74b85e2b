import type { AnswerReading } from "@tollgate/contract/relay/operation";
import { NO_USAGE } from "@tollgate/contract/relay/usage";

/*
 * Characters of a text as Chinese vendors of speech bill them: a Chinese character counts as two, anything else as one
 * (https://help.aliyun.com/zh/model-studio/qwen-tts, https://platform.minimaxi.com/docs/guides/pricing-paygo).
 */

const HAN = /\p{Script=Han}/u;

const sum = (text: string, countOf: (character: string) => number): number => {
  let total = 0;
  for (const character of text) total += countOf(character);
  return total;
};

/** The count where the vendor reports none. */
export const billedCharacters = (text: string): number =>
  sum(text, (character) => (HAN.test(character) ? 2 : 1));

/** The largest count that is believed: vendors may count letters of other scripts twice as well. */
export const maxBilledCharacters = (text: string): number =>
  sum(text, (character) => (character.charCodeAt(0) < 0x80 ? 1 : 2));

/** The charge by the vendor's own count, if it is one. @param text the text that was read aloud. */
export const readBilledCharacters = (told: unknown, text: string): AnswerReading => {
  const isTold = typeof told === "number" && Number.isInteger(told) && told > 0;
  const count = isTold ? Math.min(told, maxBilledCharacters(text)) : billedCharacters(text);
  return { usage: NO_USAGE, text: "", units: { kind: "characters", count } };
};
