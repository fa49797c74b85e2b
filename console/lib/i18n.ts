import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type account from "../locales/zh-CN/account.json";
import type base from "../locales/zh-CN/base.json";
import type channelForm from "../locales/zh-CN/channel-form.json";
import type channels from "../locales/zh-CN/channels.json";
import type dashboard from "../locales/zh-CN/dashboard.json";
import type home from "../locales/zh-CN/home.json";
import type limits from "../locales/zh-CN/limits.json";
import type logs from "../locales/zh-CN/logs.json";
import type receipts from "../locales/zh-CN/receipts.json";
import type redemptions from "../locales/zh-CN/redemptions.json";
import type settings from "../locales/zh-CN/settings.json";
import type tokens from "../locales/zh-CN/tokens.json";
import type topup from "../locales/zh-CN/topup.json";
import type usage from "../locales/zh-CN/usage.json";
import type users from "../locales/zh-CN/users.json";
import { readStored, writeStored } from "./local-store";

/** The texts by the area of the product that they belong to; "base" is what every page may need. */
interface Texts {
  base: typeof base;
  account: typeof account;
  "channel-form": typeof channelForm;
  channels: typeof channels;
  dashboard: typeof dashboard;
  home: typeof home;
  limits: typeof limits;
  logs: typeof logs;
  receipts: typeof receipts;
  redemptions: typeof redemptions;
  settings: typeof settings;
  tokens: typeof tokens;
  topup: typeof topup;
  usage: typeof usage;
  users: typeof users;
}
export type TextArea = keyof Texts;

declare module "i18next" {
  interface CustomTypeOptions {
    resources: {
      translation: Texts["base"] &
        Texts["account"] &
        Texts["channel-form"] &
        Texts["channels"] &
        Texts["dashboard"] &
        Texts["home"] &
        Texts["limits"] &
        Texts["logs"] &
        Texts["receipts"] &
        Texts["redemptions"] &
        Texts["settings"] &
        Texts["tokens"] &
        Texts["topup"] &
        Texts["usage"] &
        Texts["users"];
    };
    returnNull: false;
  }
}

/** The languages of the console; each says its own name. */
export const LANGUAGES = { "zh-CN": "中文", en: "English" } as const;
export type Language = keyof typeof LANGUAGES;

const isLanguage = (value: string | undefined): value is Language =>
  value !== undefined && value in LANGUAGES;

/** One file per language and area, fetched when a page of the area is first visited. */
const FILES = import.meta.glob<object>("../locales/*/*.json", { import: "default" });

/** The areas that pages have asked for so far: another language needs them as well. */
const wanted = new Set<TextArea>(["base"]);
const loaded = new Set<string>();

const load = async (language: Language): Promise<void> => {
  await Promise.all(
    [...wanted].map(async (area) => {
      const path = `../locales/${language}/${area}.json`;
      const fetchTexts = FILES[path];
      if (!fetchTexts || loaded.has(path)) return;
      i18next.addResourceBundle(language, "translation", await fetchTexts(), true, true);
      loaded.add(path);
    }),
  );
};

/** Fetches the texts of these areas in the page's language. Must come before anything that shows them. */
export const loadTexts = (areas: readonly TextArea[]): Promise<void> => {
  for (const area of areas) wanted.add(area);
  return load(currentLanguage());
};

/** Loads the stored language (Chinese unless chosen otherwise). Must come before the first render. */
export const startLanguage = async (): Promise<void> => {
  const stored = readStored("language");
  const language = isLanguage(stored) ? stored : "zh-CN";
  // What is started has no texts yet.
  loaded.clear();
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
