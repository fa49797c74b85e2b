import type { Catalogue, MessageKey } from "./catalogue";
import { en } from "./en";
import { fillText } from "./fill-text";
import { zhCN } from "./zh-CN";
import { zhTW } from "./zh-TW";

/** The languages of the server: a further one is a folder and a line. */
export const LANGUAGES = { "zh-CN": zhCN, "zh-TW": zhTW, en } as const satisfies Record<string, Catalogue>;
export type Language = keyof typeof LANGUAGES;

/** The default for people without a preference. */
export const PEOPLES_LANGUAGE: Language = "zh-CN";
export const PROGRAMS_LANGUAGE: Language = "en";

/** Something for each language, so that no request makes its own. @param of also gets the language's tag. */
export const inEachLanguage = <T>(
  of: (catalogue: Catalogue, language: string) => T,
): Readonly<Record<Language, T>> =>
  Object.fromEntries(
    Object.entries(LANGUAGES).map(([language, catalogue]) => [language, of(catalogue, language)]),
  ) as Record<Language, T>;

/** The languages by tag, in small letters, the longest tags first. */
const TAGS = (Object.keys(LANGUAGES) as Language[])
  .flatMap((language) => LANGUAGES[language].tags.map((tag) => ({ tag: tag.toLowerCase(), language })))
  .sort((one, other) => other.tag.length - one.tag.length);

/** @see https://www.rfc-editor.org/rfc/rfc4647#section-3.4 */
const languageOfTag = (tag: string): Language | undefined =>
  TAGS.find((known) => tag === known.tag || tag.startsWith(`${known.tag}-`))?.language;

const of = (acceptLanguage: string | undefined, otherwise: Language): Language => {
  const first =
    acceptLanguage === undefined ? undefined : /^\s*([a-z]+(?:-[a-z0-9]+)*)/i.exec(acceptLanguage)?.[1];
  return (first === undefined ? undefined : languageOfTag(first.toLowerCase())) ?? otherwise;
};

/** The language of a reader of the console and of /api: the first that it asks for, else Chinese. */
export const languageOf = (acceptLanguage: string | undefined): Language =>
  of(acceptLanguage, PEOPLES_LANGUAGE);

/**
 * The language for a program's reader: the first one that it requests, else English. SDKs request none (or "*"), and
 * all their other messages are English.
 */
export const programLanguageOf = (acceptLanguage: string | undefined): Language =>
  of(acceptLanguage, PROGRAMS_LANGUAGE);

/** Whether /api has a sentence with this name. */
export const hasMessage = (key: string): key is MessageKey =>
  Object.hasOwn(LANGUAGES[PEOPLES_LANGUAGE].messages, key);

/** A sentence of /api with its {names} filled in. */
export const formatMessage = (
  language: Language,
  key: MessageKey,
  params: Readonly<Record<string, string | number>> = {},
): string => fillText(LANGUAGES[language].messages[key], params);
