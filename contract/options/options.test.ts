import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { status as siteStatus } from "../api/status";
import { PRICE_OPTIONS } from "../management/price-draft";
import { ROLE_ADMIN, ROLE_ROOT } from "../values/roles";
import { mayChangeOption } from "./option-rights";
import { declares, defaultTextOf, entryOf, isOptionKey, OPTION_KEYS, OPTION_SECTIONS } from "./options";

/** What one-api's options are worth before any person has saved them. */
const DEFAULTS_OF_ONE_API: Readonly<Record<string, string>> = {
  PasswordLoginEnabled: "true",
  PasswordRegisterEnabled: "true",
  RegisterEnabled: "true",
  EmailVerificationEnabled: "false",
  GitHubOAuthEnabled: "false",
  WeChatAuthEnabled: "false",
  TurnstileCheckEnabled: "false",
  EmailDomainRestrictionEnabled: "false",
  EmailDomainWhitelist:
    "gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com",
  AutomaticDisableChannelEnabled: "false",
  AutomaticEnableChannelEnabled: "true",
  ApproximateTokenEnabled: "false",
  LogConsumeEnabled: "true",
  DisplayInCurrencyEnabled: "true",
  DisplayTokenStatEnabled: "true",
  ChannelDisableThreshold: "5",
  SMTPServer: "",
  SMTPFrom: "",
  SMTPAccount: "",
  SMTPToken: "",
  SMTPPort: "587",
  Notice: "",
  About: "",
  HomePageContent: "",
  Footer: "",
  Logo: "",
  ServerAddress: "",
  GitHubClientId: "",
  GitHubClientSecret: "",
  WeChatServerAddress: "",
  WeChatServerToken: "",
  WeChatAccountQRCodeImageURL: "",
  TurnstileSiteKey: "",
  TurnstileSecretKey: "",
  QuotaForNewUser: "0",
  QuotaForInviter: "0",
  QuotaForInvitee: "0",
  QuotaRemindThreshold: "1000",
  PreConsumedQuota: "500",
  TopUpLink: "",
  ChatLink: "",
  QuotaPerUnit: "500000",
  RetryTimes: "0",
  GroupRatio: '{"default":1,"svip":1,"vip":1}',
};

describe("the catalogue of options", () => {
  it("has the defaults of one-api", () => {
    for (const [key, value] of Object.entries(DEFAULTS_OF_ONE_API))
      expect([key, isOptionKey(key) ? defaultTextOf(key) : "unknown"]).toEqual([key, value]);
  });

  it("has defaults that are valid by its own rules", () => {
    for (const key of OPTION_KEYS) {
      const entry = entryOf(key);
      if ("min" in entry) {
        expect([key, entry.default >= entry.min && entry.default <= entry.max]).toEqual([key, true]);
        expect([key, entry.type === "decimal" || Number.isSafeInteger(entry.default)]).toEqual([key, true]);
      }
      if (entry.type === "choice") expect(entry.choices).toContain(entry.default);
      if (entry.type === "switch" && entry.needs) expect([key, entry.default]).toEqual([key, false]);
    }
  });

  it("names options that there are where a switch needs others", () => {
    for (const key of OPTION_KEYS) {
      const entry = entryOf(key);
      if (entry.type === "switch")
        for (const needed of entry.needs ?? []) expect(OPTION_KEYS).toContain(needed);
    }
  });

  it("shows no secret at /api/status, no field twice, and each value in the type of its field", () => {
    const told = OPTION_KEYS.filter((key) => declares(key, "status"));
    const fields = told.map((key) => entryOf(key).status);
    expect(new Set(fields).size).toBe(fields.length);
    for (const key of told) {
      const { status = "version", default: value, type } = entryOf(key);
      expect(type).not.toBe("secret");
      expect([key, siteStatus.schema.shape[status].safeParse(value).success]).toEqual([key, true]);
    }
  });
});

describe("who may change an option", () => {
  it("is never an administrator for secrets and the system tab", () => {
    for (const key of OPTION_KEYS) {
      const { type, section } = entryOf(key);
      if (type === "secret" || OPTION_SECTIONS[section] === "system")
        expect([key, mayChangeOption(ROLE_ADMIN, key)]).toEqual([key, false]);
    }
  });

  it("is root alone for every option that prices follow from", () => {
    for (const key of PRICE_OPTIONS) expect([key, mayChangeOption(ROLE_ADMIN, key)]).toEqual([key, false]);
  });

  it.each([
    "ChatLink",
    "ConnectTemplates",
    "QuotaForNewUser",
    "QuotaForInviter",
    "QuotaForInvitee",
    "BodyLogEnabled",
    // Those that move a quote, a price, a charge or a grant without being a price themselves (M14).
    "ModelFallbacks",
    "ApproximateTokenEnabled",
    "PreConsumedQuota",
    "InterruptionPolicy",
    "InterruptionDrainSeconds",
    "PlansEnabled",
    "UserUsableGroups",
    "GroupUsableGroups",
    "AutoGroups",
    "LockedPrices",
    "PriceSyncSource",
    "PriceSyncHours",
    "PriceSyncAcceptBelow",
  ])("is root alone for %s", (key) => {
    expect(mayChangeOption(ROLE_ADMIN, key)).toBe(false);
    expect(mayChangeOption(ROLE_ROOT, key)).toBe(true);
  });

  it.each([
    "SMTPServer",
    "SMTPPort",
    "SMTPAccount",
    "SMTPFrom",
    "SMTPToken",
    "ServerAddress",
    "WeChatServerAddress",
    "WeChatServerToken",
  ])("is root with a sign-in for %s: control over it allows a sign-in as any user", (key) => {
    expect(entryOf(key)?.changedBy).toBe("root-session");
  });

  it.each(["Theme", "constructor"])("is root alone for %s, which this version does not know", (key) => {
    expect([mayChangeOption(ROLE_ADMIN, key), mayChangeOption(ROLE_ROOT, key)]).toEqual([false, true]);
  });
});

interface OptionTexts {
  option: Record<string, string>;
  optionHint: Record<string, string>;
  optionInvalid: Record<string, string>;
  optionPlaceholder: Record<string, string>;
  optionQuestion: Record<string, unknown>;
  setting: { section: Record<string, string> };
}

const textsOf = (language: string): OptionTexts =>
  JSON.parse(
    readFileSync(new URL(`../../console/locales/${language}/settings.json`, import.meta.url), "utf8"),
  ) as OptionTexts;

/** Texts of fields of any option. */
const SHARED_PLACEHOLDERS = ["secret", "secretLocked", "unset"];

describe.each(["zh-CN", "en"])("the console's texts in %s", (language) => {
  const texts = textsOf(language);
  const having = (property: string): string[] =>
    OPTION_KEYS.filter((key) => declares(key, property)).toSorted();

  it("are those that the catalogue says there are, and no others", () => {
    expect(Object.keys(texts.option).toSorted()).toEqual([...OPTION_KEYS].toSorted());
    expect(Object.keys(texts.optionHint).toSorted()).toEqual(having("hasHint"));
    expect(Object.keys(texts.optionPlaceholder).toSorted()).toEqual(
      [...having("hasPlaceholder"), ...SHARED_PLACEHOLDERS].toSorted(),
    );
    expect(Object.keys(texts.optionQuestion).toSorted()).toEqual(having("asksBefore"));
    expect(Object.keys(texts.optionInvalid).toSorted()).toEqual(
      OPTION_KEYS.filter((key) => entryOf(key).type === "ratios").toSorted(),
    );
    expect(Object.keys(texts.setting.section).toSorted()).toEqual(Object.keys(OPTION_SECTIONS).toSorted());
  });
});
