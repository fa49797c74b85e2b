import { isRecord } from "../json/json-values";

/** Longer names are cut: no model has one. */
const MAX_LENGTH = 100;

/** Control and format characters, line separators and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Reads the model's name in an answer: untrusted text, for people. @returns undefined without one. */
export const readServedModel = (value: unknown): string | undefined => {
  if (typeof value !== "string") return undefined;
  // Cut before anything reads it, and again after: a cut may halve a character.
  const name = value
    .slice(0, 4 * MAX_LENGTH)
    .replaceAll(UNPRINTABLE, "")
    .trim();
  return (
    name
      .slice(0, MAX_LENGTH)
      .replace(/[\ud800-\udbff]$/, "")
      .trim() || undefined
  );
};

/** Reads the model that a whole answer names, in any protocol: `modelVersion` is Gemini's. */
export const servedModelOf = (body: unknown): string | undefined =>
  isRecord(body) ? readServedModel(body.model ?? body.modelVersion) : undefined;
