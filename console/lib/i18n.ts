import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type account from "../locales/zh-CN/account.json";
import type announcements from "../locales/zh-CN/announcements.json";
import type audit from "../locales/zh-CN/audit.json";
import type base from "../locales/zh-CN/base.json";
import type batch from "../locales/zh-CN/batch.json";
import type buying from "../locales/zh-CN/buying.json";
import type channelForm from "../locales/zh-CN/channel-form.json";
import type channels from "../locales/zh-CN/channels.json";
import type cockpit from "../locales/zh-CN/cockpit.json";
import type commands from "../locales/zh-CN/commands.json";
import type comparison from "../locales/zh-CN/comparison.json";
import type dashboard from "../locales/zh-CN/dashboard.json";
import type detail from "../locales/zh-CN/detail.json";
import type errorRules from "../locales/zh-CN/error-rules.json";
import type groups from "../locales/zh-CN/groups.json";
import type home from "../locales/zh-CN/home.json";
import type invitations from "../locales/zh-CN/invitations.json";
import type invoices from "../locales/zh-CN/invoices.json";
import type jsonTable from "../locales/zh-CN/json-table.json";
import type keyPage from "../locales/zh-CN/key-page.json";
import type ledger from "../locales/zh-CN/ledger.json";
import type limits from "../locales/zh-CN/limits.json";
import type logs from "../locales/zh-CN/logs.json";
import type modelStatus from "../locales/zh-CN/model-status.json";
import type nodes from "../locales/zh-CN/nodes.json";
import type notices from "../locales/zh-CN/notices.json";
import type orders from "../locales/zh-CN/orders.json";
import type permissions from "../locales/zh-CN/permissions.json";
import type plans from "../locales/zh-CN/plans.json";
import type playground from "../locales/zh-CN/playground.json";
import type prices from "../locales/zh-CN/prices.json";
import type pricing from "../locales/zh-CN/pricing.json";
import type profit from "../locales/zh-CN/profit.json";
import type promotions from "../locales/zh-CN/promotions.json";
import type quickStart from "../locales/zh-CN/quick-start.json";
import type receipts from "../locales/zh-CN/receipts.json";
import type reconciliation from "../locales/zh-CN/reconciliation.json";
import type redemptions from "../locales/zh-CN/redemptions.json";
import type rehearsal from "../locales/zh-CN/rehearsal.json";
import type settings from "../locales/zh-CN/settings.json";
import type signInProviders from "../locales/zh-CN/sign-in-providers.json";
import type statements from "../locales/zh-CN/statements.json";
import type terms from "../locales/zh-CN/terms.json";
import type tickets from "../locales/zh-CN/tickets.json";
import type tokens from "../locales/zh-CN/tokens.json";
import type usage from "../locales/zh-CN/usage.json";
import type users from "../locales/zh-CN/users.json";
import type views from "../locales/zh-CN/views.json";
import { FIRST_LANGUAGE, isLanguage, type Language, languageAsked } from "./languages";
import { readStored, writeStored } from "./local-store";

/** Texts by product area; every page may need "base". */
interface Texts {
  base: typeof base;
  account: typeof account;
  announcements: typeof announcements;
  audit: typeof audit;
  batch: typeof batch;
  buying: typeof buying;
  "channel-form": typeof channelForm;
  channels: typeof channels;
  commands: typeof commands;
  comparison: typeof comparison;
  cockpit: typeof cockpit;
  dashboard: typeof dashboard;
  detail: typeof detail;
  "error-rules": typeof errorRules;
  groups: typeof groups;
  home: typeof home;
  invitations: typeof invitations;
  invoices: typeof invoices;
  "json-table": typeof jsonTable;
  "key-page": typeof keyPage;
  ledger: typeof ledger;
  limits: typeof limits;
  logs: typeof logs;
  "model-status": typeof modelStatus;
  nodes: typeof nodes;
  permissions: typeof permissions;
  plans: typeof plans;
  playground: typeof playground;
  prices: typeof prices;
  pricing: typeof pricing;
  notices: typeof notices;
  profit: typeof profit;
  promotions: typeof promotions;
  receipts: typeof receipts;
  reconciliation: typeof reconciliation;
  redemptions: typeof redemptions;
  rehearsal: typeof rehearsal;
  settings: typeof settings;
  "quick-start": typeof quickStart;
  "sign-in-providers": typeof signInProviders;
  statements: typeof statements;
  terms: typeof terms;
  tickets: typeof tickets;
  tokens: typeof tokens;
  orders: typeof orders;
  usage: typeof usage;
  users: typeof users;
  views: typeof views;
}
export type TextArea = keyof Texts;

declare module "i18next" {
  interface CustomTypeOptions {
    resources: {
      translation: Texts["base"] &
        Texts["account"] &
        Texts["announcements"] &
        Texts["audit"] &
        Texts["batch"] &
        Texts["buying"] &
        Texts["channel-form"] &
        Texts["channels"] &
        Texts["commands"] &
        Texts["comparison"] &
        Texts["cockpit"] &
        Texts["dashboard"] &
        Texts["detail"] &
        Texts["error-rules"] &
        Texts["groups"] &
        Texts["home"] &
        Texts["invitations"] &
        Texts["invoices"] &
        Texts["json-table"] &
        Texts["key-page"] &
        Texts["ledger"] &
        Texts["limits"] &
        Texts["logs"] &
        Texts["model-status"] &
        Texts["nodes"] &
        Texts["permissions"] &
        Texts["plans"] &
        Texts["playground"] &
        Texts["prices"] &
        Texts["pricing"] &
        Texts["notices"] &
        Texts["profit"] &
        Texts["promotions"] &
        Texts["receipts"] &
        Texts["reconciliation"] &
        Texts["redemptions"] &
        Texts["rehearsal"] &
        Texts["settings"] &
        Texts["quick-start"] &
        Texts["sign-in-providers"] &
        Texts["statements"] &
        Texts["terms"] &
        Texts["tickets"] &
        Texts["tokens"] &
        Texts["orders"] &
        Texts["usage"] &
        Texts["users"] &
        Texts["views"];
    };
    returnNull: false;
  }
}

/** The texts of a language: a folder of locales/. */
interface LanguageTexts {
  base: object;
  areas: Readonly<Record<string, () => Promise<object>>>;
}

/** A page loads the files of one language. Each further language adds one line here, not one per file. */
const FILES = import.meta.glob<LanguageTexts>("../locales/*/index.ts");

/** Areas requested by pages so far: another language needs them as well. */
const wanted = new Set<TextArea>(["base"]);
const loaded = new Set<string>();

const load = async (language: Language): Promise<void> => {
  const texts = await FILES[`../locales/${language}/index.ts`]?.();
  if (!texts) return;
  await Promise.all(
    [...wanted].map(async (area) => {
      const place = `${language}/${area}`;
      if (loaded.has(place)) return;
      const found = area === "base" ? texts.base : await texts.areas[`./${area}.json`]?.();
      if (!found) return;
      i18next.addResourceBundle(language, "translation", found, true, true);
      loaded.add(place);
    }),
  );
};

/** Loads the texts of these areas in the page's language. Must run before they are shown. */
export const loadTexts = (areas: readonly TextArea[]): Promise<void> => {
  for (const area of areas) wanted.add(area);
  return load(currentLanguage());
};

/** Loads the stored language, or the default for a first visit. Must run before the first render. */
export const startLanguage = async (): Promise<void> => {
  const stored = readStored("language");
  const language = isLanguage(stored) ? stored : languageAsked(navigator.languages);
  // A language that starts has no texts yet.
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
  writeStored("language", language === languageAsked(navigator.languages) ? undefined : language);
};

export const currentLanguage = (): Language =>
  isLanguage(i18next.language) ? i18next.language : FIRST_LANGUAGE;
