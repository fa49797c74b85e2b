import { expect, it } from "vitest";
import { languageAsked } from "./languages";

it.each([
  [["zh-TW", "zh", "en"], "zh-TW"],
  [["zh-Hant-HK"], "zh-TW"],
  [["zh-HK", "en"], "zh-TW"],
  [["zh-CN", "zh-TW"], "zh-CN"],
  [["zh"], "zh-CN"],
  [["en-US", "zh-TW"], "zh-CN"],
  [["fr"], "zh-CN"],
  [[], "zh-CN"],
] as const)("a browser that asks for %j begins in %s", (asked, language) => {
  expect(languageAsked(asked)).toBe(language);
});
