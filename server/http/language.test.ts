import { expect, it } from "vitest";
import { languageOf, programLanguageOf } from "./language";

it.each([
  [undefined, "zh", "en"],
  ["*", "zh", "en"],
  ["fr-FR,en;q=0.5", "zh", "en"],
  ["en-US,zh;q=0.9", "en", "en"],
  ["EN", "en", "en"],
  ["zh-CN,zh;q=0.9,en;q=0.8", "zh", "zh"],
  ["ZH", "zh", "zh"],
  ["english", "zh", "en"],
] as const)("of %s is %s for people and %s for programs", (header, people, programs) => {
  expect([languageOf(header), programLanguageOf(header)]).toEqual([people, programs]);
});
