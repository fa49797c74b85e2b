import type settings from "../../locales/zh-CN/settings.json";

type SectionId = keyof typeof settings.setting.section;

/** Every site setting that has a field or a switch; the locale files name them. */
export type OptionKey = keyof typeof settings.option;

/** How a setting is typed. A quota is a whole number that says what it is worth. A secret is never shown and only sent when something was typed. */
export type OptionKind =
  | "text"
  | "url"
  | "number"
  | "whole"
  | "quota"
  | "secret"
  | "area"
  | "ratios"
  | "json"
  | "domains";

export interface OptionField {
  key: OptionKey;
  kind: OptionKind;
  /** The smallest number that is allowed. */
  min?: number;
  hint?: keyof typeof settings.optionHint;
  placeholder?: Exclude<keyof typeof settings.optionPlaceholder, "secret" | "secretLocked" | "unset">;
  /** The address of a picture that the console draws. */
  isPicture?: boolean;
  /** Only shown where the server knows it. */
  isExtra?: boolean;
}

export interface OptionSwitch {
  key: OptionKey;
  hint?: keyof typeof settings.optionHint;
  /** Only shown where the server knows it. */
  isExtra?: boolean;
  /** Asks before it is turned off, as it may lock people out, or on, as it is about everybody's words. */
  asksBefore?: "off" | "on";
}

interface SectionBase {
  text?: keyof typeof settings.setting.sectionText;
  switches?: OptionSwitch[];
}

/** Settings that belong together. Fields are saved by a button, which the section's locale entry names. */
export type OptionSection = SectionBase &
  (
    | { id: keyof typeof settings.setting.save; fields: OptionField[] }
    | { id: Exclude<SectionId, keyof typeof settings.setting.save>; fields?: undefined }
  );

export const OPERATION_SECTIONS: OptionSection[] = [
  {
    id: "general",
    text: "general",
    fields: [
      { key: "TopUpLink", kind: "url", placeholder: "TopUpLink" },
      { key: "ChatLink", kind: "url", hint: "ChatLink", placeholder: "ChatLink" },
      { key: "QuotaPerUnit", kind: "number", min: 1, hint: "QuotaPerUnit" },
      { key: "RetryTimes", kind: "whole", min: 0, hint: "RetryTimes" },
    ],
    switches: [
      { key: "DisplayInCurrencyEnabled" },
      { key: "DisplayTokenStatEnabled" },
      { key: "ApproximateTokenEnabled" },
    ],
  },
  {
    id: "monitoring",
    text: "monitoring",
    fields: [
      { key: "ChannelDisableThreshold", kind: "number", min: 0, hint: "ChannelDisableThreshold" },
      { key: "QuotaRemindThreshold", kind: "quota", min: 0, hint: "QuotaRemindThreshold" },
    ],
    switches: [{ key: "AutomaticDisableChannelEnabled" }, { key: "AutomaticEnableChannelEnabled" }],
  },
  {
    id: "quota",
    text: "quota",
    fields: [
      { key: "QuotaForNewUser", kind: "quota", min: 0 },
      { key: "PreConsumedQuota", kind: "whole", min: 0, hint: "PreConsumedQuota" },
      { key: "QuotaForInviter", kind: "quota", min: 0 },
      { key: "QuotaForInvitee", kind: "quota", min: 0 },
      { key: "InterruptionPolicy", kind: "text", hint: "InterruptionPolicy", isExtra: true },
      { key: "InterruptionDrainSeconds", kind: "whole", min: 1, isExtra: true },
    ],
  },
  {
    id: "ratios",
    text: "ratios",
    fields: [
      { key: "ModelRatio", kind: "ratios", hint: "ModelRatio" },
      { key: "CompletionRatio", kind: "ratios", hint: "CompletionRatio", isExtra: true },
      { key: "GroupRatio", kind: "ratios", hint: "GroupRatio" },
      { key: "FallbackModelRatio", kind: "text", hint: "FallbackModelRatio", isExtra: true },
      { key: "ModelPrice", kind: "json", hint: "ModelPrice", isExtra: true },
      { key: "CacheRatio", kind: "json", hint: "CacheRatio", isExtra: true },
      { key: "ServiceTierRatio", kind: "ratios", hint: "ServiceTierRatio", isExtra: true },
      { key: "ToolPrice", kind: "ratios", hint: "ToolPrice", isExtra: true },
      { key: "GroupLimits", kind: "json", hint: "GroupLimits", isExtra: true },
    ],
    switches: [{ key: "CacheBillingEnabled", hint: "CacheBillingEnabled", isExtra: true }],
  },
];

export const LOG_SECTION: OptionSection = {
  id: "logs",
  text: "logs",
  switches: [{ key: "LogConsumeEnabled" }],
  fields: [{ key: "LogRetentionDays", kind: "whole", min: 0, hint: "LogRetentionDays", isExtra: true }],
};

/** Whether and how long bodies are kept, for servers that can. */
export const BODY_SECTION: OptionSection = {
  id: "bodies",
  text: "bodies",
  switches: [{ key: "BodyLogEnabled", hint: "BodyLogEnabled", isExtra: true, asksBefore: "on" }],
  fields: [
    { key: "BodyRetentionDays", kind: "whole", min: 1, hint: "BodyRetentionDays", isExtra: true },
    { key: "BodyMaxKilobytes", kind: "whole", min: 1, hint: "BodyMaxKilobytes", isExtra: true },
    { key: "BodyStoreMegabytes", kind: "whole", min: 1, hint: "BodyStoreMegabytes", isExtra: true },
  ],
};

export const SYSTEM_SECTIONS: OptionSection[] = [
  {
    id: "server",
    text: "server",
    fields: [{ key: "ServerAddress", kind: "url", placeholder: "ServerAddress" }],
  },
  {
    id: "login",
    text: "login",
    switches: [
      { key: "PasswordLoginEnabled", asksBefore: "off" },
      { key: "PasswordRegisterEnabled" },
      { key: "EmailVerificationEnabled", hint: "EmailVerificationEnabled" },
      { key: "GitHubOAuthEnabled" },
      { key: "WeChatAuthEnabled" },
      { key: "RegisterEnabled", hint: "RegisterEnabled" },
      { key: "TurnstileCheckEnabled" },
    ],
  },
  {
    id: "domains",
    text: "domains",
    switches: [{ key: "EmailDomainRestrictionEnabled" }],
    fields: [{ key: "EmailDomainWhitelist", kind: "domains" }],
  },
  {
    id: "smtp",
    text: "smtp",
    fields: [
      { key: "SMTPServer", kind: "text", placeholder: "SMTPServer" },
      { key: "SMTPPort", kind: "whole", min: 1, placeholder: "SMTPPort" },
      { key: "SMTPAccount", kind: "text", placeholder: "SMTPAccount" },
      { key: "SMTPFrom", kind: "text", hint: "SMTPFrom", placeholder: "SMTPFrom" },
      { key: "SMTPToken", kind: "secret" },
    ],
  },
  {
    id: "github",
    text: "github",
    fields: [
      { key: "GitHubClientId", kind: "text" },
      { key: "GitHubClientSecret", kind: "secret" },
    ],
  },
  {
    id: "wechat",
    text: "wechat",
    fields: [
      { key: "WeChatServerAddress", kind: "url", placeholder: "WeChatServerAddress" },
      { key: "WeChatServerToken", kind: "secret" },
      {
        key: "WeChatAccountQRCodeImageURL",
        kind: "url",
        isPicture: true,
        placeholder: "WeChatAccountQRCodeImageURL",
      },
    ],
  },
  {
    id: "turnstile",
    text: "turnstile",
    fields: [
      { key: "TurnstileSiteKey", kind: "text" },
      { key: "TurnstileSecretKey", kind: "secret" },
    ],
  },
];

export const OTHER_SECTIONS: OptionSection[] = [
  {
    id: "notice",
    text: "notice",
    fields: [{ key: "Notice", kind: "area", hint: "Notice", placeholder: "Notice" }],
  },
  {
    id: "site",
    text: "site",
    fields: [
      { key: "SystemName", kind: "text" },
      { key: "Logo", kind: "url", isPicture: true, placeholder: "Logo" },
      { key: "HomePageContent", kind: "area", hint: "HomePageContent", placeholder: "HomePageContent" },
      { key: "About", kind: "area", hint: "About", placeholder: "About" },
      { key: "Footer", kind: "area", hint: "Footer", placeholder: "Footer" },
    ],
  },
];
