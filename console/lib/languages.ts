/** Properties of a language in the console. */
interface LanguageEntry {
  /** The language's own name. */
  name: string;
  /** Browser languages that select it on a first visit. */
  asked?: RegExp;
}

/** The console's languages, in the order of the switch. Their texts are the folders of locales/. */
const ENTRIES = {
  "zh-CN": { name: "简体中文" },
  "zh-TW": { name: "繁體中文", asked: /^zh-(tw|hant|hk|mo)/i },
  en: { name: "English" },
} satisfies Record<string, LanguageEntry>;
export type Language = keyof typeof ENTRIES;
export const LANGUAGES: Readonly<Record<Language, LanguageEntry>> = ENTRIES;

export const LANGUAGE_KEYS = Object.keys(ENTRIES) as Language[];

export const isLanguage = (value: string | undefined): value is Language =>
  value !== undefined && value in ENTRIES;

/** The default language (the specification's). */
export const FIRST_LANGUAGE: Language = "zh-CN";

/** Patterns of the browser languages that select a language on a first visit, for public/first-paint.js. */
export const askedPatterns = (): Record<string, string> =>
  Object.fromEntries(
    LANGUAGE_KEYS.flatMap((key) => {
      const { asked } = LANGUAGES[key];
      return asked ? [[key, asked.source]] : [];
    }),
  );

/**
 * The language of a first visit: Chinese for every browser, in the script that the browser prefers.
 * @param asked the browser's languages, in order of preference.
 */
export const languageAsked = (asked: readonly string[]): Language =>
  LANGUAGE_KEYS.find((language) => LANGUAGES[language].asked?.test(asked[0] ?? "")) ?? FIRST_LANGUAGE;
