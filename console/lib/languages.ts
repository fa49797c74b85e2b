/** What the console says of a language. */
interface LanguageEntry {
  /** Its own name of itself. */
  name: string;
  /** Which of a vendor's names its readers know, where its texts have none of their own (`vendorName`). */
  vendorNames: "zh" | "en";
  /** The languages of browsers that a first visit begins in it with. */
  asked?: RegExp;
}

/** The languages of the console, in the order of the switch. Their texts are the folders of locales/. */
const ENTRIES = {
  "zh-CN": { name: "简体中文", vendorNames: "zh" },
  "zh-TW": { name: "繁體中文", vendorNames: "zh", asked: /^zh-(tw|hant|hk|mo)/i },
  en: { name: "English", vendorNames: "en" },
} satisfies Record<string, LanguageEntry>;
export type Language = keyof typeof ENTRIES;
export const LANGUAGES: Readonly<Record<Language, LanguageEntry>> = ENTRIES;

export const LANGUAGE_KEYS = Object.keys(ENTRIES) as Language[];

export const isLanguage = (value: string | undefined): value is Language =>
  value !== undefined && value in ENTRIES;

/** What everybody gets who asks for nothing else (the specification's). */
export const FIRST_LANGUAGE: Language = "zh-CN";

/**
 * The language that a first visit begins in: Chinese whatever the browser asks for, but in the script that it asks for.
 * @param asked the browser's languages, the most wanted first.
 */
export const languageAsked = (asked: readonly string[]): Language =>
  LANGUAGE_KEYS.find((language) => LANGUAGES[language].asked?.test(asked[0] ?? "")) ?? FIRST_LANGUAGE;
