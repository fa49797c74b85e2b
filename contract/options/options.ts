import type { Status } from "../api/status";
import { UNSUPPORTED_FIELDS } from "../management/unsupported-fields";
import { CURRENCY_CODES } from "../payments/currencies";
import { DEFAULT_QUOTA_PER_UNIT } from "../values/quota";
import { PRODUCT_NAME } from "../version";
import type { OptionEntry, OptionTab } from "./option-entry";
import { PAYMENT_OPTIONS, PAYMENT_SECTIONS } from "./payment-options";
import { SIGN_IN_OPTIONS, SIGN_IN_SECTIONS } from "./sign-in-options";

/** The cards of the settings page in their order, and the tab that each stands in. */
export const OPTION_SECTIONS = {
  general: "operation",
  monitoring: "operation",
  quota: "operation",
  ratios: "operation",
  groups: "operation",
  logs: "operation",
  bodies: "operation",
  server: "system",
  login: "system",
  domains: "system",
  smtp: "system",
  ...SIGN_IN_SECTIONS,
  turnstile: "system",
  payments: "system",
  ...PAYMENT_SECTIONS,
  notice: "other",
  site: "other",
} as const satisfies Record<string, OptionTab>;

export type SectionId = keyof typeof OPTION_SECTIONS;

/** An entry that names a card and a field of the status that there are. */
type SiteOption = OptionEntry & { section: SectionId; status?: keyof Status };

const isSectionId = (id: string): id is SectionId => id in OPTION_SECTIONS;

/** The cards of a tab, from top to bottom. */
export const sectionIdsOf = (tab: OptionTab): SectionId[] =>
  Object.keys(OPTION_SECTIONS)
    .filter(isSectionId)
    .filter((id) => OPTION_SECTIONS[id] === tab);

const DEFAULT_DOMAINS =
  "gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com";

const MAX_QUOTA = Number.MAX_SAFE_INTEGER;

/**
 * Every option of the site under its name on the wire, where all values are strings. Server, console, tests and
 * docs/reference/options.md read this catalogue; docs/guides/add-an-option.md describes how to add one.
 *
 * `changedBy` is "admin" only for options that neither open accounts nor move money. Mail, sign-in and the site's own
 * address let their editor become root. An option that moves a quote, a price, a charge or a grant lets its editor fill
 * accounts. The chat link receives every user's key, and root answers for stored prompts.
 */
export const OPTIONS = {
  TopUpLink: {
    section: "general",
    type: "url",
    default: "",
    changedBy: "admin",
    status: "top_up_link",
    hasPlaceholder: true,
  },
  ChatLink: {
    section: "general",
    type: "url",
    default: "",
    changedBy: "root",
    status: "chat_link",
    hasHint: true,
    hasPlaceholder: true,
  },
  /** Root's own templates of programs, beside the built-in ones (contract/management/connect-templates.ts). */
  ConnectTemplates: {
    section: "general",
    type: "json",
    default: "{}",
    format: "connect-templates",
    changedBy: "root",
    isExtra: true,
    hasHint: true,
    hasPlaceholder: true,
  },
  QuotaPerUnit: {
    section: "general",
    type: "decimal",
    default: DEFAULT_QUOTA_PER_UNIT,
    min: 1,
    max: 1e12,
    changedBy: "root",
    isPrice: true,
    status: "quota_per_unit",
    hasHint: true,
  },
  RetryTimes: {
    section: "general",
    type: "whole",
    default: 0,
    min: 0,
    max: 10,
    changedBy: "admin",
    hasHint: true,
  },
  /** Models that answer in place of ones that cannot (docs/guides/fallback-models.md). */
  ModelFallbacks: {
    section: "general",
    type: "json",
    default: "{}",
    format: "model-fallbacks",
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** Decision about fields that an upstream's protocol has no place for (docs/reference/clients.md). */
  UnsupportedFields: {
    section: "general",
    type: "choice",
    default: "ignore",
    choices: UNSUPPORTED_FIELDS,
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  UpstreamQueueLength: {
    section: "general",
    type: "whole",
    default: 200,
    min: 0,
    max: 10_000,
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  UpstreamQueueSeconds: {
    section: "general",
    type: "whole",
    default: 5,
    min: 0,
    max: 120,
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  DisplayInCurrencyEnabled: {
    section: "general",
    type: "switch",
    default: true,
    changedBy: "admin",
    status: "display_in_currency",
  },
  DisplayTokenStatEnabled: { section: "general", type: "switch", default: true, changedBy: "admin" },
  ApproximateTokenEnabled: { section: "general", type: "switch", default: false, changedBy: "root" },

  ChannelDisableThreshold: {
    section: "monitoring",
    type: "decimal",
    default: 5,
    min: 0,
    max: 86_400,
    changedBy: "admin",
    hasHint: true,
  },
  QuotaRemindThreshold: {
    section: "monitoring",
    type: "quota",
    default: 1000,
    min: 0,
    max: MAX_QUOTA,
    changedBy: "admin",
    hasHint: true,
  },
  /** Below which balance at its upstream, in the upstream's unit, a channel is told of; 0 tells of none. */
  UpstreamBalanceThreshold: {
    section: "monitoring",
    type: "decimal",
    default: 0,
    min: 0,
    max: 1e9,
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  AutomaticDisableChannelEnabled: {
    section: "monitoring",
    type: "switch",
    default: false,
    changedBy: "admin",
  },
  AutomaticEnableChannelEnabled: { section: "monitoring", type: "switch", default: true, changedBy: "admin" },

  /** Who may see how models were served, and GET /api/model-status (docs/guides/model-status.md). */
  ModelStatusPage: {
    section: "monitoring",
    type: "choice",
    default: "signed-in",
    choices: ["off", "signed-in", "public"],
    changedBy: "admin",
    status: "model_status",
    isExtra: true,
    hasHint: true,
  },
  /** How often all channels are tested that do not keep out of it; 0 for never (docs/guides/channels.md). */
  ChannelTestMinutes: {
    section: "monitoring",
    type: "whole",
    default: 0,
    min: 0,
    max: 10_080,
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  /** How often the upstreams of channels are asked for their models; 0 for never (docs/guides/prices-and-models.md). */
  ModelWatchHours: {
    section: "monitoring",
    type: "whole",
    default: 0,
    min: 0,
    max: 720,
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  /** An upstream's models that are never called new: names, in which * stands for any characters. */
  IgnoredModels: {
    section: "monitoring",
    type: "area",
    default: "",
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },

  /** Whether users see plans and can buy them (docs/guides/plans.md). */
  PlansEnabled: {
    section: "quota",
    type: "switch",
    default: false,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** How many days before a plan ends its user is told so; 0 for never. */
  PlanNoticeDays: {
    section: "quota",
    type: "whole",
    default: 3,
    min: 0,
    max: 60,
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  QuotaForNewUser: {
    section: "quota",
    type: "quota",
    default: 0,
    min: 0,
    max: MAX_QUOTA,
    changedBy: "root",
  },
  PreConsumedQuota: {
    section: "quota",
    type: "quota",
    default: 500,
    min: 0,
    max: MAX_QUOTA,
    changedBy: "root",
    hasHint: true,
  },
  QuotaForInviter: {
    section: "quota",
    type: "quota",
    default: 0,
    min: 0,
    max: MAX_QUOTA,
    changedBy: "root",
  },
  QuotaForInvitee: {
    section: "quota",
    type: "quota",
    default: 0,
    min: 0,
    max: MAX_QUOTA,
    changedBy: "root",
  },
  CommissionPercent: {
    section: "quota",
    type: "decimal",
    default: 0,
    min: 0,
    max: 100,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  CommissionOfEachPayment: {
    section: "quota",
    type: "switch",
    default: false,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  CommissionMinimum: {
    section: "quota",
    type: "quota",
    default: 0,
    min: 0,
    max: MAX_QUOTA,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** Charge of a client that leaves in the middle of a stream (docs/reference/interruptions.md). */
  InterruptionPolicy: {
    section: "quota",
    type: "choice",
    default: "received",
    choices: ["received", "drain"],
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** How long such a stream is read on under the policy "drain". */
  InterruptionDrainSeconds: {
    section: "quota",
    type: "whole",
    default: 30,
    min: 1,
    max: 600,
    changedBy: "root",
    isExtra: true,
  },

  ModelRatio: {
    section: "ratios",
    type: "ratios",
    names: "model",
    default: "from-vendors",
    changedBy: "root",
    isPrice: true,
    hasHint: true,
  },
  /** Price of a completion token in prompt tokens, where it is not the catalogue's or one-api's ratio. */
  CompletionRatio: {
    section: "ratios",
    type: "ratios",
    names: "model",
    default: {},
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },
  /** Its names are the groups that there are. */
  GroupRatio: {
    section: "groups",
    type: "ratios",
    names: "group",
    default: { default: 1, svip: 1, vip: 1 },
    changedBy: "root",
    isPrice: true,
    hasHint: true,
  },
  /** Ratio of a group for users of another: their group, then the group of the request (docs/reference/groups.md). */
  GroupGroupRatio: {
    section: "groups",
    type: "json",
    default: "{}",
    format: "group-group-ratios",
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },
  /** The groups that every user's keys may choose, with descriptions. */
  UserUsableGroups: {
    section: "groups",
    type: "json",
    default: "{}",
    format: "usable-groups",
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** Groups that users of one group may choose in addition, or may not choose. */
  GroupUsableGroups: {
    section: "groups",
    type: "json",
    default: "{}",
    format: "group-usable-groups",
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** The groups that a key of the group "auto" tries, in order, where it has no list of its own. */
  AutoGroups: {
    section: "groups",
    type: "text",
    default: "",
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** The ratio of a model that ModelRatio does not name; "" refuses such models. */
  FallbackModelRatio: {
    section: "ratios",
    type: "text",
    default: "",
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },
  /** Prices in money, by date, in tiers or per call; they go before ModelRatio (docs/reference/prices.md). */
  ModelPrice: {
    section: "ratios",
    type: "json",
    default: "{}",
    format: "model-prices",
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },
  /** The models whose prices no list changes (docs/guides/prices-and-models.md): one on each line, or with commas between. */
  LockedPrices: {
    section: "ratios",
    type: "area",
    default: "",
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** With which list prices are compared by themselves (docs/guides/prices-and-models.md#by-itself). */
  PriceSyncSource: {
    section: "ratios",
    type: "choice",
    default: "off",
    choices: ["off", "models.dev", "litellm"],
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  PriceSyncHours: {
    section: "ratios",
    type: "whole",
    default: 24,
    min: 1,
    max: 720,
    changedBy: "root",
    isExtra: true,
  },
  /** Percent: a price that changes by less in every part is accepted without any person looking; 0 accepts none. */
  PriceSyncAcceptBelow: {
    section: "ratios",
    type: "decimal",
    default: 0,
    min: 0,
    max: 100,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** Cached tokens as factors of the input price, where they differ from the vendors' own. */
  CacheRatio: {
    section: "ratios",
    type: "json",
    default: "{}",
    format: "cache-ratios",
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },
  /** How many times the price a tier of service costs; those that are not named do not reach an upstream. */
  ServiceTierRatio: {
    section: "ratios",
    type: "ratios",
    names: "tier",
    default: {},
    isPositive: true,
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },
  /** USD for a thousand calls of tools that vendors run; those that are not named are not offered. */
  ToolPrice: {
    section: "ratios",
    type: "ratios",
    names: "tool",
    default: "from-vendors",
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },
  /** Prices of single customers, groups and models (docs/reference/prices.md#price-rules). */
  PriceRules: {
    section: "ratios",
    type: "json",
    default: "{}",
    format: "price-rules",
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },
  /** Who may see the page of prices and GET /api/pricing. */
  PricePage: {
    section: "ratios",
    type: "choice",
    default: "signed-in",
    choices: ["off", "signed-in", "public"],
    changedBy: "admin",
    status: "price_page",
    isExtra: true,
    hasHint: true,
  },
  /** Limits per group, and for each user of one (docs/reference/limits.md). */
  GroupLimits: {
    section: "groups",
    type: "json",
    default: "{}",
    format: "group-limits",
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  /** Strategies by which groups choose among channels (docs/reference/limits.md#which-channel). */
  GroupRouting: {
    section: "groups",
    type: "json",
    default: "{}",
    format: "group-routing",
    changedBy: "admin",
    isExtra: true,
    hasHint: true,
  },
  /** Off: cached tokens cost the same as other input, as with one-api. */
  CacheBillingEnabled: {
    section: "ratios",
    type: "switch",
    default: true,
    changedBy: "root",
    isExtra: true,
    isPrice: true,
    hasHint: true,
  },

  LogConsumeEnabled: { section: "logs", type: "switch", default: true, changedBy: "admin" },
  /** How many days log lines and receipts are kept; 0 keeps them for ever. */
  LogRetentionDays: {
    section: "logs",
    type: "whole",
    default: 0,
    min: 0,
    max: 36_500,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** How many days failed requests are kept; 0 keeps them for as long as the log. */
  FailureRetentionDays: {
    section: "logs",
    type: "whole",
    default: 30,
    min: 0,
    max: 36_500,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** Refused requests per minute, key and address, after which all are refused unread; 0 for no limit. */
  RefusalsPerMinute: {
    section: "logs",
    type: "whole",
    default: 120,
    min: 0,
    max: 1_000_000,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },

  /** Whether texts of requests and answers are kept (docs/reference/bodies.md). */
  BodyLogEnabled: {
    section: "bodies",
    type: "switch",
    default: false,
    asksBefore: "on",
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** How many days; never for ever. */
  BodyRetentionDays: {
    section: "bodies",
    type: "whole",
    default: 7,
    min: 1,
    max: 3650,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** How much of one request and of one answer is kept. */
  BodyMaxKilobytes: {
    section: "bodies",
    type: "whole",
    default: 256,
    min: 1,
    max: 10_240,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** How much is kept altogether, before the oldest go. */
  BodyStoreMegabytes: {
    section: "bodies",
    type: "whole",
    default: 1024,
    min: 1,
    max: 1_000_000,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },

  ServerAddress: {
    section: "server",
    type: "url",
    default: "",
    changedBy: "root-session",
    status: "server_address",
    hasPlaceholder: true,
  },

  PasswordLoginEnabled: {
    section: "login",
    type: "switch",
    default: true,
    asksBefore: "off",
    changedBy: "root",
  },
  PasswordRegisterEnabled: { section: "login", type: "switch", default: true, changedBy: "root" },
  EmailVerificationEnabled: {
    section: "login",
    type: "switch",
    default: false,
    changedBy: "root",
    status: "email_verification",
    hasHint: true,
  },
  // Here, because their switches stand before the next on the card of signing in.
  ...SIGN_IN_OPTIONS,
  RegisterEnabled: { section: "login", type: "switch", default: true, changedBy: "root", hasHint: true },
  TurnstileCheckEnabled: {
    section: "login",
    type: "switch",
    default: false,
    needs: ["TurnstileSiteKey", "TurnstileSecretKey"],
    changedBy: "root",
    status: "turnstile_check",
  },

  EmailDomainRestrictionEnabled: {
    section: "domains",
    type: "switch",
    default: false,
    needs: ["EmailDomainWhitelist"],
    changedBy: "root",
  },
  EmailDomainWhitelist: {
    section: "domains",
    type: "domains",
    default: DEFAULT_DOMAINS,
    changedBy: "root",
  },

  SMTPServer: {
    section: "smtp",
    type: "text",
    default: "",
    changedBy: "root-session",
    hasPlaceholder: true,
  },
  SMTPPort: {
    section: "smtp",
    type: "whole",
    default: 587,
    min: 1,
    max: 65_535,
    changedBy: "root-session",
    hasPlaceholder: true,
  },
  SMTPAccount: {
    section: "smtp",
    type: "text",
    default: "",
    changedBy: "root-session",
    hasPlaceholder: true,
  },
  SMTPFrom: {
    section: "smtp",
    type: "text",
    default: "",
    changedBy: "root-session",
    hasHint: true,
    hasPlaceholder: true,
  },
  SMTPToken: { section: "smtp", type: "secret", default: "", changedBy: "root-session" },

  TurnstileSiteKey: {
    section: "turnstile",
    type: "text",
    default: "",
    changedBy: "root",
    status: "turnstile_site_key",
  },
  TurnstileSecretKey: { section: "turnstile", type: "secret", default: "", changedBy: "root" },

  /** Whether quota can be bought (docs/guides/payments.md). */
  PaymentEnabled: {
    section: "payments",
    type: "switch",
    default: false,
    changedBy: "root",
    isExtra: true,
    status: "payments",
    hasHint: true,
  },
  PaymentCurrency: {
    section: "payments",
    type: "choice",
    default: "CNY",
    choices: CURRENCY_CODES,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** Price of one US dollar of quota, in that currency. */
  PaymentUnitPrice: {
    section: "payments",
    type: "decimal",
    default: 7.3,
    min: 0.000001,
    max: 1e6,
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  /** US dollars of quota. */
  PaymentMinimum: {
    section: "payments",
    type: "decimal",
    default: 1,
    min: 0,
    max: 1e6,
    changedBy: "root",
    isExtra: true,
  },
  /** Amounts that are offered, and discounts by amount and by group. */
  PaymentOffers: {
    section: "payments",
    type: "json",
    default: "{}",
    format: "payment-offers",
    changedBy: "root",
    isExtra: true,
    hasHint: true,
  },
  ...PAYMENT_OPTIONS,

  Notice: {
    section: "notice",
    type: "area",
    default: "",
    changedBy: "admin",
    hasHint: true,
    hasPlaceholder: true,
  },

  SystemName: {
    section: "site",
    type: "text",
    default: PRODUCT_NAME,
    changedBy: "admin",
    status: "system_name",
  },
  SystemSlogan: {
    section: "site",
    type: "text",
    default: "",
    changedBy: "admin",
    isExtra: true,
    status: "system_slogan",
    hasHint: true,
  },
  Logo: {
    section: "site",
    type: "url",
    default: "",
    isPicture: true,
    changedBy: "admin",
    status: "logo",
    hasPlaceholder: true,
  },
  HomePageContent: {
    section: "site",
    type: "area",
    default: "",
    changedBy: "admin",
    hasHint: true,
    hasPlaceholder: true,
  },
  About: {
    section: "site",
    type: "area",
    default: "",
    changedBy: "admin",
    hasHint: true,
    hasPlaceholder: true,
  },
  Footer: {
    section: "site",
    type: "area",
    default: "",
    changedBy: "admin",
    status: "footer_html",
    hasHint: true,
    hasPlaceholder: true,
  },
} as const satisfies Record<string, SiteOption>;

export type OptionKey = keyof typeof OPTIONS;

/** The options whose entry has this shape, such as `{ type: "switch" }`. */
export type OptionKeyOf<Shape> = {
  [Key in OptionKey]: (typeof OPTIONS)[Key] extends Shape ? Key : never;
}[OptionKey];

const ENTRIES: Readonly<Record<OptionKey, SiteOption>> = OPTIONS;

/** Whether this version knows the option. */
export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(OPTIONS, key);

/** All options, in the order of the settings page. */
export const OPTION_KEYS: readonly OptionKey[] = Object.keys(OPTIONS).filter(isOptionKey);

/** Returns the entry of an option; undefined for one that other versions may know. */
export function entryOf(key: OptionKey): SiteOption;
export function entryOf(key: string): SiteOption | undefined;
export function entryOf(key: string): SiteOption | undefined {
  return isOptionKey(key) ? ENTRIES[key] : undefined;
}

/** Whether an option's entry has a property, such as `hasHint`. */
export const declares = <Property extends string>(
  key: OptionKey,
  property: Property,
): key is OptionKeyOf<Record<Property, unknown>> => property in OPTIONS[key];

/** Whether an option is of a type. */
export const isOfType = <Type extends OptionEntry["type"]>(
  key: OptionKey,
  type: Type,
): key is OptionKeyOf<{ type: Type }> => OPTIONS[key].type === type;

/** An option's value until a person saves another; undefined where it comes from the vendors' files. */
export const defaultTextOf = (key: OptionKey): string | undefined => {
  const { default: value } = ENTRIES[key];
  if (value === "from-vendors") return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
