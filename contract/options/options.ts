import type { Status } from "../api/status";
import { UNSUPPORTED_FIELDS } from "../management/unsupported-fields";
import { CURRENCY_CODES } from "../payments/currency-codes";
import { DEFAULT_QUOTA_PER_UNIT } from "../values/quota";
import { PRODUCT_NAME } from "../version";
import type { OptionEntry, OptionTab } from "./option-entry";
import {
  address,
  area,
  choice,
  decimal,
  domains,
  json,
  quota,
  ratios,
  secret,
  text,
  toggle,
  whole,
} from "./option-kinds";
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
  tickets: "operation",
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

type WithoutSection<Option> = Option extends SiteOption ? Omit<Option, "section"> : never;
type Entry = WithoutSection<SiteOption>;

/** The properties that an entry of this type may have. */
type PropertyOf<Type, Option = Entry> = Option extends { type: infer Types }
  ? Type extends Types
    ? keyof Option
    : never
  : never;

/** The entries of one card. A property that the entry's type does not know does not compile. */
const inSection = /* @__NO_SIDE_EFFECTS__ */ <
  const Id extends SectionId,
  const Entries extends Readonly<Record<string, Entry>>,
>(
  section: Id,
  entries: Entries & {
    [Key in keyof Entries]: Readonly<
      Record<Exclude<keyof Entries[Key], PropertyOf<Entries[Key]["type"]>>, never>
    >;
  },
) =>
  // TypeScript does not follow names through pairs.
  Object.fromEntries(
    Object.entries<Entry>(entries).map(([key, entry]) => [key, { section, ...entry }]),
  ) as unknown as { [Key in keyof Entries]: Entries[Key] & { section: Id } };

/**
 * Every option of the site under its name on the wire, where all values are strings. Server, console, tests and
 * docs/reference/options.md read this catalogue; docs/guides/add-an-option.md describes how to add one.
 *
 * `changedBy` is "admin" only for options that neither open accounts nor move money. Mail, sign-in and the site's own
 * address let their editor become root. An option that moves a quote, a price, a charge or a grant lets its editor fill
 * accounts. The chat link receives every user's key, and root answers for stored prompts.
 */
export const OPTIONS = {
  ...inSection("general", {
    TopUpLink: { ...address(), changedBy: "admin", status: "top_up_link", hasPlaceholder: true },
    ChatLink: { ...address(), changedBy: "root", status: "chat_link", hasHint: true, hasPlaceholder: true },
    /** Root's own templates of programs, beside the built-in ones (contract/management/connect-templates.ts). */
    ConnectTemplates: {
      ...json("connect-templates"),
      changedBy: "root",
      isExtra: true,
      hasHint: true,
      hasPlaceholder: true,
    },
    QuotaPerUnit: {
      ...decimal(DEFAULT_QUOTA_PER_UNIT, 1, 1e12),
      changedBy: "root",
      isPrice: true,
      status: "quota_per_unit",
      hasHint: true,
    },
    RetryTimes: { ...whole(0, 0, 10), changedBy: "admin", hasHint: true },
    /** Models that answer in place of ones that cannot (docs/guides/fallback-models.md). */
    ModelFallbacks: { ...json("model-fallbacks"), changedBy: "root", isExtra: true, hasHint: true },
    /** What clients read of upstreams' errors (docs/guides/error-rules.md). */
    ErrorRules: { ...json("error-rules", "[]"), changedBy: "admin", isExtra: true, hasHint: true },
    /** Decision about fields that an upstream's protocol has no place for (docs/reference/clients.md). */
    EffortNames: { ...toggle(true), changedBy: "root", isExtra: true, hasHint: true },
    UnsupportedFields: {
      ...choice("ignore", UNSUPPORTED_FIELDS),
      changedBy: "admin",
      isExtra: true,
      hasHint: true,
    },
    UpstreamQueueLength: { ...whole(200, 0, 10_000), changedBy: "admin", isExtra: true, hasHint: true },
    UpstreamQueueSeconds: { ...whole(5, 0, 120), changedBy: "admin", isExtra: true, hasHint: true },
    DisplayInCurrencyEnabled: { ...toggle(true), changedBy: "admin", status: "display_in_currency" },
    /** The currency in which people see quota, and its dated rates (docs/guides/display-currency.md). */
    DisplayCurrency: { ...json("display-rates", "[]"), changedBy: "root", isExtra: true, hasHint: true },
    DisplayTokenStatEnabled: { ...toggle(true), changedBy: "admin" },
    /** Whether the console has a page that shows a presented key its own figures, without an account. */
    KeyPageEnabled: {
      ...toggle(false),
      changedBy: "admin",
      status: "key_page",
      isExtra: true,
      hasHint: true,
    },
    /** Whether users can try models on a page of the console (docs/guides/playground.md). */
    PlaygroundEnabled: {
      ...toggle(true),
      changedBy: "admin",
      status: "playground",
      isExtra: true,
      hasHint: true,
    },
    ApproximateTokenEnabled: { ...toggle(false), changedBy: "root" },
  }),
  ...inSection("monitoring", {
    ChannelDisableThreshold: { ...decimal(5, 0, 86_400), changedBy: "admin", hasHint: true },
    QuotaRemindThreshold: { ...quota(1000), changedBy: "admin", hasHint: true },
    /** Below which balance at its upstream, in the upstream's unit, a channel is told of; 0 tells of none. */
    UpstreamBalanceThreshold: { ...decimal(0, 0, 1e9), changedBy: "admin", isExtra: true, hasHint: true },
    /** How many times its highest hour a key spends when it counts as unusual; 0 watches none (docs/guides/notices.md). */
    UnusualSpendingFactor: { ...decimal(0, 0, 1000), changedBy: "admin", isExtra: true, hasHint: true },
    UnusualSpendingQuota: { ...quota(1_000_000), changedBy: "admin", isExtra: true, hasHint: true },
    /** Whether spending on models that are new to a key counts as unusual. */
    UnusualModels: { ...toggle(false), changedBy: "admin", isExtra: true, hasHint: true },
    /** How many requests of an hour from networks that are new to a key count as unusual; 0 watches no networks and keeps none. */
    UnusualNetworkRequests: { ...whole(0, 0, 1_000_000), changedBy: "admin", isExtra: true, hasHint: true },
    FreezeUnusualKeys: { ...toggle(false), changedBy: "admin", isExtra: true, hasHint: true },
    AutomaticDisableChannelEnabled: { ...toggle(false), changedBy: "admin" },
    AutomaticEnableChannelEnabled: { ...toggle(true), changedBy: "admin" },

    /** Who may see how models were served, and GET /api/model-status (docs/guides/model-status.md). */
    ModelStatusPage: {
      ...choice("signed-in", ["off", "signed-in", "public"]),
      changedBy: "admin",
      status: "model_status",
      isExtra: true,
      hasHint: true,
    },
    /** How often all channels are tested that do not keep out of it; 0 for never (docs/guides/channels.md). */
    ChannelTestMinutes: { ...whole(0, 0, 10_080), changedBy: "admin", isExtra: true, hasHint: true },
    /** How often the upstreams of channels are asked for their models; 0 for never (docs/guides/prices-and-models.md). */
    ModelWatchHours: { ...whole(0, 0, 720), changedBy: "admin", isExtra: true, hasHint: true },
    /** An upstream's models that are never called new: names, in which * stands for any characters. */
    IgnoredModels: { ...area(), changedBy: "admin", isExtra: true, hasHint: true },
  }),
  ...inSection("quota", {
    /** Whether users see plans and can buy them (docs/guides/plans.md). */
    PlansEnabled: { ...toggle(false), changedBy: "root", isExtra: true, hasHint: true },
    /** How many days before a plan ends its user is told so; 0 for never. */
    PlanNoticeDays: { ...whole(3, 0, 60), changedBy: "admin", isExtra: true, hasHint: true },
    /** Whether the registration page takes a promotion code (docs/guides/promotions.md). */
    RegistrationCodesEnabled: { ...toggle(false), changedBy: "root", isExtra: true, hasHint: true },
    QuotaForNewUser: { ...quota(0), changedBy: "root" },
    PreConsumedQuota: { ...quota(500), changedBy: "root", hasHint: true },
    QuotaForInviter: { ...quota(0), changedBy: "root" },
    QuotaForInvitee: { ...quota(0), changedBy: "root" },
    CommissionPercent: { ...decimal(0, 0, 100), changedBy: "root", isExtra: true, hasHint: true },
    CommissionOfEachPayment: { ...toggle(false), changedBy: "root", isExtra: true, hasHint: true },
    /** Payments that earn a commission. */
    CommissionOfTopUps: { ...toggle(true), changedBy: "root", isExtra: true },
    CommissionOfPlans: { ...toggle(true), changedBy: "root", isExtra: true },
    CommissionOfCodes: { ...toggle(false), changedBy: "root", isExtra: true, hasHint: true },
    /** Whether the bonus of an order earns a commission too (docs/guides/promotions.md). */
    CommissionOfBonuses: { ...toggle(false), changedBy: "root", isExtra: true, hasHint: true },
    CommissionMinimum: { ...quota(0), changedBy: "root", isExtra: true, hasHint: true },
    /** Charge of a client that leaves in the middle of a stream (docs/reference/interruptions.md). */
    InterruptionPolicy: {
      ...choice("received", ["received", "drain"]),
      changedBy: "root",
      isExtra: true,
      hasHint: true,
    },
    /** How long such a stream is read on under the policy "drain". */
    InterruptionDrainSeconds: { ...whole(30, 1, 600), changedBy: "root", isExtra: true },
  }),
  ...inSection("ratios", {
    ModelRatio: { ...ratios("model", "from-vendors"), changedBy: "root", isPrice: true, hasHint: true },
    /** Price of a completion token in prompt tokens, where it is not the catalogue's or one-api's ratio. */
    CompletionRatio: {
      ...ratios("model", {}),
      changedBy: "root",
      isExtra: true,
      isPrice: true,
      hasHint: true,
    },
  }),
  ...inSection("groups", {
    /** Its names are the groups that there are. */
    GroupRatio: {
      ...ratios("group", { default: 1, svip: 1, vip: 1 }),
      changedBy: "root",
      isPrice: true,
      hasHint: true,
    },
    /** Ratio of a group for users of another: their group, then the group of the request (docs/reference/groups.md). */
    GroupGroupRatio: {
      ...json("group-group-ratios"),
      changedBy: "root",
      isExtra: true,
      isPrice: true,
      hasHint: true,
    },
    /** The groups that every user's keys may choose, with descriptions. */
    UserUsableGroups: { ...json("usable-groups"), changedBy: "root", isExtra: true, hasHint: true },
    /** Groups that users of one group may choose in addition, or may not choose. */
    GroupUsableGroups: { ...json("group-usable-groups"), changedBy: "root", isExtra: true, hasHint: true },
    /** The groups that a key of the group "auto" tries, in order, unless the key has its own list. */
    AutoGroups: { ...text(), changedBy: "root", isExtra: true, hasHint: true },
  }),
  ...inSection("ratios", {
    /** The ratio of a model that ModelRatio does not name; "" refuses such models. */
    FallbackModelRatio: { ...text(), changedBy: "root", isExtra: true, isPrice: true, hasHint: true },
    /** Prices in money, by date, in tiers or per call; they go before ModelRatio (docs/reference/prices.md). */
    ModelPrice: { ...json("model-prices"), changedBy: "root", isExtra: true, isPrice: true, hasHint: true },
    /** The models whose prices no list changes (docs/guides/prices-and-models.md): one on each line, or with commas between. */
    LockedPrices: { ...area(), changedBy: "root", isExtra: true, hasHint: true },
    /** With which list prices are compared by themselves (docs/guides/prices-and-models.md#automatic-comparison). */
    PriceSyncSource: {
      ...choice("off", ["off", "models.dev", "litellm"]),
      changedBy: "root",
      isExtra: true,
      hasHint: true,
    },
    PriceSyncHours: { ...whole(24, 1, 720), changedBy: "root", isExtra: true },
    /** Percent: a price that changes by less in every part is accepted without any person looking; 0 accepts none. */
    PriceSyncAcceptBelow: { ...decimal(0, 0, 100), changedBy: "root", isExtra: true, hasHint: true },
    /** Cached tokens as factors of the input price, where they differ from the vendors' own. */
    CacheRatio: { ...json("cache-ratios"), changedBy: "root", isExtra: true, isPrice: true, hasHint: true },
    /** How many times the price a tier of service costs; those that are not named do not reach an upstream. */
    ServiceTierRatio: {
      ...ratios("tier", {}),
      isPositive: true,
      changedBy: "root",
      isExtra: true,
      isPrice: true,
      hasHint: true,
    },
    /** USD for a thousand calls of tools that vendors run; those that are not named are not offered. */
    ToolPrice: {
      ...ratios("tool", "from-vendors"),
      changedBy: "root",
      isExtra: true,
      isPrice: true,
      hasHint: true,
    },
    /** Prices of single customers, groups and models (docs/reference/prices.md#price-rules). */
    PriceRules: { ...json("price-rules"), changedBy: "root", isExtra: true, isPrice: true, hasHint: true },
    /** Who may see the page of prices and GET /api/pricing. */
    PricePage: {
      ...choice("signed-in", ["off", "signed-in", "public"]),
      changedBy: "admin",
      status: "price_page",
      isExtra: true,
      hasHint: true,
    },
  }),
  ...inSection("groups", {
    /** Limits per group, and for each user of one (docs/reference/limits.md). */
    GroupLimits: { ...json("group-limits"), changedBy: "admin", isExtra: true, hasHint: true },
    /** Strategies by which groups choose among channels (docs/reference/limits.md#choice-of-the-channel). */
    GroupRouting: { ...json("group-routing"), changedBy: "admin", isExtra: true, hasHint: true },
    /** Time limits of groups' requests at channels without their own (docs/guides/channels.md#time-limits). */
    GroupTimeLimits: { ...json("group-time-limits"), changedBy: "admin", isExtra: true, hasHint: true },
  }),
  ...inSection("ratios", {
    /** Off: cached tokens cost the same as other input, as with one-api. */
    CacheBillingEnabled: { ...toggle(true), changedBy: "root", isExtra: true, isPrice: true, hasHint: true },
  }),
  ...inSection("logs", {
    LogConsumeEnabled: { ...toggle(true), changedBy: "admin" },
    /** How many days log lines and receipts are kept; 0 keeps them for ever. */
    LogRetentionDays: { ...whole(0, 0, 36_500), changedBy: "root", isExtra: true, hasHint: true },
    /** How many days failed requests are kept; 0 keeps them for as long as the log. */
    FailureRetentionDays: { ...whole(30, 0, 36_500), changedBy: "root", isExtra: true, hasHint: true },
    /** How many days lines of the audit are kept; 0 keeps them for ever. */
    AuditRetentionDays: { ...whole(0, 0, 36_500), changedBy: "root-session", isExtra: true, hasHint: true },
    /** Refused requests per minute, key and address, after which all are refused unread; 0 for no limit. */
    RefusalsPerMinute: { ...whole(120, 0, 1_000_000), changedBy: "root", isExtra: true, hasHint: true },
  }),
  ...inSection("bodies", {
    /** Whether texts of requests and answers are kept (docs/reference/bodies.md). */
    BodyLogEnabled: { ...toggle(false), asksBefore: "on", changedBy: "root", isExtra: true, hasHint: true },
    /** How many days; never for ever. */
    BodyRetentionDays: { ...whole(7, 1, 3650), changedBy: "root", isExtra: true, hasHint: true },
    /** How much of one request and of one answer is kept. */
    BodyMaxKilobytes: { ...whole(256, 1, 10_240), changedBy: "root", isExtra: true, hasHint: true },
    /** How much is kept altogether, before the oldest go. */
    BodyStoreMegabytes: { ...whole(1024, 1, 1_000_000), changedBy: "root", isExtra: true, hasHint: true },
  }),
  ...inSection("tickets", {
    /** Whether users can open tickets (docs/guides/tickets.md). */
    TicketsEnabled: {
      ...toggle(false),
      changedBy: "admin",
      isExtra: true,
      status: "tickets",
      hasHint: true,
    },
    /** Days without a reply of the user, after which an answered ticket is closed; 0 for never. */
    TicketSilenceDays: { ...whole(7, 0, 365), changedBy: "admin", isExtra: true, hasHint: true },
    /** How many days closed tickets are kept; 0 keeps them for ever. */
    TicketRetentionDays: { ...whole(365, 0, 36_500), changedBy: "root", isExtra: true, hasHint: true },
  }),
  ...inSection("server", {
    ServerAddress: {
      ...address(),
      changedBy: "root-session",
      status: "server_address",
      hasPlaceholder: true,
    },
  }),
  ...inSection("login", {
    PasswordLoginEnabled: { ...toggle(true), asksBefore: "off", changedBy: "root" },
    PasswordRegisterEnabled: { ...toggle(true), changedBy: "root" },
    EmailVerificationEnabled: {
      ...toggle(false),
      changedBy: "root",
      status: "email_verification",
      hasHint: true,
    },
  }),
  // Here, because their switches stand before the next on the card of signing in.
  ...SIGN_IN_OPTIONS,
  ...inSection("login", {
    /** Whether a passkey alone signs in (docs/guides/passkeys.md). */
    PasskeyLoginEnabled: {
      ...toggle(false),
      needs: ["ServerAddress"],
      changedBy: "root-session",
      isExtra: true,
      hasHint: true,
    },
    /** Which users need a second factor (docs/guides/second-factor.md). */
    SecondFactorRequired: {
      ...choice("off", ["off", "admins", "everyone"]),
      changedBy: "root-session",
      isExtra: true,
      hasHint: true,
    },
    RegisterEnabled: { ...toggle(true), changedBy: "root", hasHint: true },
    TurnstileCheckEnabled: {
      ...toggle(false),
      needs: ["TurnstileSiteKey", "TurnstileSecretKey"],
      changedBy: "root",
      status: "turnstile_check",
    },
  }),
  ...inSection("domains", {
    EmailDomainRestrictionEnabled: { ...toggle(false), needs: ["EmailDomainWhitelist"], changedBy: "root" },
    EmailDomainWhitelist: { ...domains(DEFAULT_DOMAINS), changedBy: "root" },
  }),
  ...inSection("smtp", {
    SMTPServer: { ...text(), changedBy: "root-session", hasPlaceholder: true },
    SMTPPort: { ...whole(587, 1, 65_535), changedBy: "root-session", hasPlaceholder: true },
    SMTPAccount: { ...text(), changedBy: "root-session", hasPlaceholder: true },
    SMTPFrom: { ...text(), changedBy: "root-session", hasHint: true, hasPlaceholder: true },
    SMTPToken: { ...secret(), changedBy: "root-session" },
  }),
  ...inSection("turnstile", {
    TurnstileSiteKey: { ...text(), changedBy: "root", status: "turnstile_site_key" },
    TurnstileSecretKey: { ...secret(), changedBy: "root" },
  }),
  ...inSection("payments", {
    /** Whether quota can be bought (docs/guides/payments.md). */
    PaymentEnabled: { ...toggle(false), changedBy: "root", isExtra: true, status: "payments", hasHint: true },
    PaymentCurrency: { ...choice("CNY", CURRENCY_CODES), changedBy: "root", isExtra: true, hasHint: true },
    /** Price of one US dollar of quota, in that currency. */
    PaymentUnitPrice: { ...decimal(7.3, 0.000001, 1e6), changedBy: "root", isExtra: true, hasHint: true },
    /** US dollars of quota. */
    PaymentMinimum: { ...decimal(1, 0, 1e6), changedBy: "root", isExtra: true },
    /** Amounts that are offered, and discounts by amount and by group. */
    PaymentOffers: { ...json("payment-offers"), changedBy: "root", isExtra: true, hasHint: true },
    /** Whether users can apply for invoices over paid orders (docs/guides/invoices.md). */
    InvoicesEnabled: {
      ...toggle(false),
      changedBy: "root",
      isExtra: true,
      status: "invoices",
      hasHint: true,
    },
    /** In the orders' currency. */
    InvoiceMinimum: { ...decimal(0, 0, 1e6), changedBy: "root", isExtra: true, hasHint: true },
    InvoiceTitles: {
      ...choice("all", ["all", "companies"]),
      changedBy: "root",
      isExtra: true,
      hasHint: true,
    },
  }),
  ...PAYMENT_OPTIONS,
  ...inSection("notice", {
    Notice: { ...area(), changedBy: "admin", hasHint: true, hasPlaceholder: true },
  }),
  ...inSection("site", {
    SystemName: { ...text(PRODUCT_NAME), changedBy: "admin", status: "system_name" },
    SystemSlogan: { ...text(), changedBy: "admin", isExtra: true, status: "system_slogan", hasHint: true },
    Logo: { ...address(), isPicture: true, changedBy: "admin", status: "logo", hasPlaceholder: true },
    HomePageContent: { ...area(), changedBy: "admin", hasHint: true, hasPlaceholder: true },
    About: { ...area(), changedBy: "admin", hasHint: true, hasPlaceholder: true },
    Footer: { ...area(), changedBy: "admin", status: "footer_html", hasHint: true, hasPlaceholder: true },
  }),
};

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
