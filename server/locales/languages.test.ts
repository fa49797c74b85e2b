import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { MAIL_KEYS } from "./catalogue";
import { LANGUAGES, type Language, languageOf, programLanguageOf } from "./languages";
import { mailTemplate } from "./mail-templates";

const mailFiles = (language: Language): string[] =>
  readdirSync(fileURLToPath(new URL(`./${language}/mails`, import.meta.url)))
    .map((file) => file.replace(/\.html$/, ""))
    .sort();

it.each([
  [undefined, "zh-CN", "en"],
  ["*", "zh-CN", "en"],
  ["fr-FR,en;q=0.5", "zh-CN", "en"],
  ["en-US,zh;q=0.9", "en", "en"],
  ["EN", "en", "en"],
  ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN", "zh-CN"],
  ["ZH", "zh-CN", "zh-CN"],
  ["zh-Hans-TW", "zh-CN", "zh-CN"],
  ["zh-TW,zh;q=0.9,en;q=0.8", "zh-TW", "zh-TW"],
  ["zh-Hant", "zh-TW", "zh-TW"],
  ["zh-Hant-HK", "zh-TW", "zh-TW"],
  ["zh-HK,en;q=0.5", "zh-TW", "zh-TW"],
  ["zh-mo", "zh-TW", "zh-TW"],
  ["english", "zh-CN", "en"],
] as const)("of %s is %s for people and %s for programs", (header, people, programs) => {
  expect([languageOf(header), programLanguageOf(header)]).toEqual([people, programs]);
});

/** Every text of a language, by its place. */
const textsOf = (value: unknown, place: string): [place: string, text: string][] => {
  if (typeof value === "string") return [[place, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, `${place}/${name}`));
};

const languages = Object.keys(LANGUAGES) as Language[];

/** All that a language says: its catalogue, and its mails by the names that Chinese has. */
const textsIn = (language: Language): Map<string, string> => {
  const { tags: _, ...texts } = LANGUAGES[language];
  const mails = MAIL_KEYS.map((key) => [key, mailTemplate(language, key)] as const);
  return new Map([...textsOf(texts, ""), ...textsOf(Object.fromEntries(mails), "/mails")]);
};

const fieldsOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))].sort();

const chinese = textsIn("zh-CN");

describe.each(languages)("%s", (language) => {
  const texts = textsIn(language);

  it("says each text and no other", () => {
    expect([...texts.keys()].sort()).toEqual([...chinese.keys()].sort());
    for (const [place, text] of texts) expect([place, text.trim()]).not.toEqual([place, ""]);
  });

  it("fills in the same parameters as the other languages", () => {
    for (const [place, text] of texts) {
      const fields = fieldsOf(chinese.get(place) ?? "");
      // A subject may omit parts of the mail that are too long in another language.
      if (place.endsWith("/subject"))
        expect([place, fields]).toEqual([place, expect.arrayContaining(fieldsOf(text))]);
      else expect([place, fieldsOf(text)]).toEqual([place, fields]);
    }
  });

  it("is asked for by a tag", () => {
    for (const tag of LANGUAGES[language].tags) expect([tag, languageOf(tag)]).toEqual([tag, language]);
    expect(LANGUAGES[language].tags).not.toEqual([]);
  });

  it("has no mail that is never sent", () => {
    expect(mailFiles(language)).toEqual([...MAIL_KEYS].sort());
  });
});
