import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type zhCN from "../locales/zh-CN.json";
import { readStored, writeStored } from "./local-store";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof zhCN };
    returnNull: false;
  }
}

/** The languages of the console; each says its own name. */
export const LANGUAGES = { "zh-CN": "中文", en: "English" } as const;
export type Language = keyof typeof LANGUAGES;

const isLanguage = (value: string | undefined): value is Language =>
  value !== undefined && value in LANGUAGES;

const load = async (language: Language): Promise<void> => {
  if (i18next.hasResourceBundle(language, "translation")) return;
  const texts =
    language === "en" ? await import("../locales/en.json") : await import("../locales/zh-CN.json");
  i18next.addResourceBundle(language, "translation", texts.default);
};

/** Loads the stored language (Chinese unless chosen otherwise). Must come before the first render. */
export const startLanguage = async (): Promise<void> => {
  const stored = readStored("language");
  const language = isLanguage(stored) ? stored : "zh-CN";
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: {},
    fallbackLng: false,
    returnNull: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await chooseLanguage(language);
};

/** Switches the language without a reload and remembers it. */
export const chooseLanguage = async (language: Language): Promise<void> => {
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  writeStored("language", language === "zh-CN" ? undefined : language);
};

export const currentLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : "zh-CN");
