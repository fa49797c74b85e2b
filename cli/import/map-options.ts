import { readGroups } from "@tollgate/contract/management/group";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { entryOf, isOptionKey, OPTIONS, type OptionKey } from "@tollgate/contract/options/options";
import type { ImportedOption } from "@tollgate/contract/records/imported-records";
import { formatDecimal, ONE, roundDown } from "@tollgate/contract/values/decimal";
import { readArray } from "@tollgate/protocols/shared/json/json-values";
import { Failure } from "@tollgate/server/management-api/failure";
import { findListPrice } from "@tollgate/server/state/list-prices";
import { checkOption } from "@tollgate/server/state/options";
import { readOfferedModels } from "./channel-models";
import { ANNOUNCEMENT_OPTIONS, mapAnnouncements } from "./map-announcements";
import { modelSourceOf } from "./map-channels";
import { CHATS, mapChats } from "./map-chats";
import type { MappedOptions, OptionsContext, PriceDecision, Say } from "./mapped";
import type { Origin, Series } from "./origin";
import { PRICE_OPTIONS, type PriceTables, readPriceTables } from "./price-tables";
import { readObject, readTexts } from "./read-json";
import type { Remark } from "./remarks";
import { type SourcePrice, sourcePriceOf } from "./source-price";
import type { OptionRow } from "./source-rows";

/** Maximum length of an option's value (putOptionBodySchema). */
const LONGEST_VALUE = 1_000_000;

/** Names by which the source looks up prices of requests to an upstream here: final name → such names. */
const wantedPrices = (series: Series, channels: OptionsContext["channels"]): Map<string, Set<string>> => {
  const wanted = new Map<string, Set<string>>();
  for (const row of channels) {
    const source = modelSourceOf(series, row);
    if (!source) continue;
    const { models, priced, mapping } = readOfferedModels(series, source);
    for (const name of models) {
      const final = mapping.get(name) ?? name;
      const names = wanted.get(final) ?? new Set();
      wanted.set(final, names.add(priced.get(name) ?? name));
    }
  }
  return wanted;
};

/** Values by which prices are compared: the dearer one costs more for input, and then for output. */
const weightOf = (entry: ModelPriceEntry): [number, number] =>
  "perCall" in entry ? [Number.POSITIVE_INFINITY, entry.perCall] : [entry.input, entry.output ?? entry.input];

const isDearer = (a: ModelPriceEntry, b: ModelPriceEntry): boolean => {
  const [inputA, outputA] = weightOf(a);
  const [inputB, outputB] = weightOf(b);
  return inputA + outputA === inputB + outputB ? inputA > inputB : inputA + outputA > inputB + outputB;
};

const isEntry = (price: SourcePrice): price is ModelPriceEntry => price !== undefined && !("fault" in price);

const isListed = (model: string): boolean => (findListPrice(model)?.entries.length ?? 0) > 0;

const MAX_ALIASES = 10;

/** Every name that has a price, each once. */
const namesOf = ({ modelRatio, callPrice, expressions }: PriceTables): ReadonlySet<string> =>
  new Set([...(modelRatio?.keys() ?? []), ...(callPrice?.keys() ?? []), ...expressions.keys()]);

/** The price of a model that the source knew by several names, at least one. */
const chooseAlias = (
  model: string,
  found: readonly { name: string; price: ModelPriceEntry }[],
  decision: PriceDecision | undefined,
  say: Say,
): ModelPriceEntry => {
  const kinds = new Set(found.map(({ price }) => JSON.stringify(price)));
  if (kinds.size > 1) {
    const aliases = found.map(({ name }) => name).slice(0, MAX_ALIASES);
    say("ModelPrice", "noted", "price-conflict", { name: model, aliases: aliases.join(", ") });
  }
  const isCheapest = decision === "cheapest";
  return found.reduce((a, b) => (isDearer(b.price, a.price) === isCheapest ? a : b)).price;
};

/** The option ModelPrice: every price that the source had, under the names by which they are looked up here. */
const mapPrices = (
  series: Series,
  tables: PriceTables,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  decision: PriceDecision | undefined,
  say: Say,
): ImportedOption[] => {
  const prices = new Map<string, ModelPriceEntry>();
  const told = new Set<string>();
  const priceOf = (name: string): SourcePrice => {
    const price = sourcePriceOf(series, tables, name);
    if (price && "fault" in price && !told.has(name)) {
      told.add(name);
      const isExpression = price.fault === "expression";
      const id = isExpression ? "billing_setting.billing_expr" : "ModelPrice";
      say(id, "changed", isExpression ? "price-expression" : "price-too-large", { name });
    }
    return price;
  };
  for (const name of namesOf(tables)) {
    // "gpt-4-gizmo-*" is no name of a model, and "name(17)" one of a channel type.
    if (name.endsWith("*")) continue;
    if (series !== "new-api" && /\(\d+\)$/.test(name)) {
      say("ModelRatio", "changed", "price-per-channel-type", { name });
      continue;
    }
    const price = priceOf(name);
    if (isEntry(price)) prices.set(name, price);
  }
  for (const [final, names] of wanted) {
    const found = [...names].flatMap((name) => {
      const price = priceOf(name);
      return isEntry(price) ? [{ name, price }] : [];
    });
    if (found.length > 0) prices.set(final, chooseAlias(final, found, decision, say));
    else if (!prices.has(final))
      say("ModelRatio", "noted", isListed(final) ? "price-from-catalogue" : "price-missing", { name: final });
  }
  for (const [name, ratio] of tables.imageRatio ?? []) {
    if (formatDecimal(ratio) !== "1" && prices.has(name))
      say("ImageRatio", "noted", "price-image-ratio", { name, ratio: formatDecimal(ratio) });
  }
  if (prices.size === 0) return [];
  return [{ key: "ModelPrice", value: writePrices(prices, wanted, say), isSecret: false }];
};

const writePrices = (
  prices: ReadonlyMap<string, ModelPriceEntry>,
  wanted: ReadonlyMap<string, unknown>,
  say: Say,
): string => {
  const all = JSON.stringify(Object.fromEntries(prices));
  if (all.length <= LONGEST_VALUE) return all;
  const offered = [...prices].filter(([name]) => wanted.has(name));
  say("ModelPrice", "changed", "prices-too-many", { count: prices.size - offered.length });
  let length = 2;
  const kept = offered.filter((entry) => {
    length += JSON.stringify(entry).length;
    return length <= LONGEST_VALUE;
  });
  return JSON.stringify(Object.fromEntries(kept));
};

/** Every group that users or channels have is one that there is: without a ratio it was charged 1, and is. */
const mapGroups = (
  tables: PriceTables,
  { channels, groups }: OptionsContext,
  say: Say,
): { option: ImportedOption; names: string[] } => {
  const ratios = new Map<string, number>();
  const stored = tables.groupRatio ?? new Map(["default", "vip", "svip"].map((name) => [name, ONE] as const));
  for (const [name, ratio] of stored) ratios.set(name, Number(formatDecimal(ratio)));
  const used = new Set([...groups, ...channels.flatMap(({ group }) => readGroups(group))]);
  for (const name of used) {
    if (name === "" || ratios.has(name)) continue;
    ratios.set(name, 1);
    say("GroupRatio", "changed", "group-added", { group: name });
  }
  const value = JSON.stringify(Object.fromEntries(ratios));
  return { option: { key: "GroupRatio", value, isSecret: false }, names: [...ratios.keys()] };
};

/** new-api's options of the groups that keys may choose, and their names here; its newer names have a prefix. */
const GROUP_CHOICE = {
  GroupGroupRatio: ["GroupGroupRatio", "group_ratio_setting.group_group_ratio"],
  UserUsableGroups: ["UserUsableGroups", "group_ratio_setting.user_usable_groups"],
  GroupUsableGroups: ["group_ratio_setting.group_special_usable_group"],
  AutoGroups: ["AutoGroups", "group_ratio_setting.auto_groups"],
} as const satisfies Partial<Record<OptionKey, readonly string[]>>;

/** Options of new-api that are mapped by themselves. */
const NEW_API_MAPPED: ReadonlySet<string> = new Set([
  ...Object.values(GROUP_CHOICE).flat(),
  ...ANNOUNCEMENT_OPTIONS,
  CHATS,
]);

/** Defaults in new-api's code, until a person saves others. */
const NEW_API_GROUPS = { default: "默认分组", vip: "vip分组" };

/** The groups that keys may choose, their ratios for users of others, and the list of "auto". */
const mapGroupChoice = (rows: readonly OptionRow[], say: Say): ImportedOption[] => {
  const options: ImportedOption[] = [];
  for (const [key, names] of Object.entries(GROUP_CHOICE)) {
    const row = rows.find(
      (each) => names.some((name) => name === each.key) && (each.value ?? "").trim() !== "",
    );
    const isList = key === "AutoGroups";
    const written = isList
      ? readTexts(row?.value).join(",")
      : (row?.value ?? (key === "UserUsableGroups" ? JSON.stringify(NEW_API_GROUPS) : ""));
    if (written === "") continue;
    try {
      checkOption(key, written, () => "");
      options.push({ key, value: written, isSecret: false });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      say(row?.key ?? key, "left-out", "option-refused", { reason: error.key });
    }
  }
  return options;
};

const RATE_LIMIT = "ModelRequestRateLimit";

/**
 * new-api's limit of requests for each user, and for those of single groups `[requests, successful ones]`; 0 is no
 * limit.
 */
const mapLimits = (rows: readonly OptionRow[], groups: readonly string[], say: Say): ImportedOption[] => {
  const saved = (name: string): string | undefined =>
    rows.find(({ key }) => key === RATE_LIMIT + name)?.value?.trim();
  const numberOf = (text: unknown): number => {
    const number = typeof text === "number" || (typeof text === "string" && text !== "") ? Number(text) : 0;
    return Number.isSafeInteger(number) && number > 0 ? number : 0;
  };
  if (saved("Enabled") !== "true") return [];
  const minutes = numberOf(saved("DurationMinutes") ?? "1");
  if (minutes !== 1) {
    say(`${RATE_LIMIT}DurationMinutes`, "left-out", "option-limit-duration", { minutes });
    return [];
  }
  const usual = numberOf(saved("Count")) || numberOf(saved("SuccessCount") ?? "1000");
  const own = readObject(saved("Group")) ?? {};
  const limits: Record<string, { per_user: { rpm: number } }> = {};
  const byRpm = new Map<number, string[]>();
  for (const group of groups) {
    const [count, successful] = Object.hasOwn(own, group) ? readArray(own[group]) : [usual];
    const rpm = numberOf(count) || numberOf(successful);
    if (rpm === 0) continue;
    Object.defineProperty(limits, group, { value: { per_user: { rpm } }, enumerable: true });
    byRpm.set(rpm, [...(byRpm.get(rpm) ?? []), group]);
  }
  for (const [rpm, names] of byRpm)
    say(RATE_LIMIT, "changed", "option-limit-changed", { rpm, groups: names.join(", ") });
  return byRpm.size === 0 ? [] : [{ key: "GroupLimits", value: JSON.stringify(limits), isSecret: false }];
};

/** Options of the source that mean something, and nothing that could be said here; a name that ends in "." stands for all that begin so. */
const NO_EQUAL: readonly string[] = [
  "Theme",
  "MessagePusherAddress",
  "MessagePusherToken",
  "PayAddress",
  "CustomCallbackAddress",
  "EpayId",
  "EpayKey",
  "Stripe",
  "Creem",
  "Waffo",
  "PayMethods",
  "Price",
  "MinTopUp",
  "USDExchangeRate",
  "TopupGroupRatio",
  "DefaultUseAutoGroup",
  "SensitiveWords",
  "CheckSensitive",
  "StopOnSensitive",
  "AutomaticDisableKeywords",
  "AutomaticDisableStatusCodes",
  "AutomaticRetryStatusCodes",
  "ImageCompletionRatio",
  "ExposeRatioEnabled",
  "SelfUseModeEnabled",
  "DemoSiteEnabled",
  "DataExport",
  "DrawingEnabled",
  "TaskEnabled",
  "Mj",
  "DefaultCollapseSidebar",
  "SidebarModulesAdmin",
  "HeaderNavModules",
  "WorkerUrl",
  "WorkerValidKey",
  "WorkerAllowHttpImageRequestEnabled",
  "TelegramBot",
  "TelegramOAuthEnabled",
  "LinuxDO",
  "Lark",
  "OidcEnabled",
  "OidcClientId",
  "OidcClientSecret",
  "OidcWellKnown",
  "OidcAuthorizationEndpoint",
  "OidcTokenEndpoint",
  "OidcUserinfoEndpoint",
  "SMTPSSLEnabled",
  "EmailAliasRestrictionEnabled",
  "StreamCacheQueueLength",
  RATE_LIMIT,
  "billing_setting.",
  "general_setting.",
  "group_ratio_setting.topup_group_ratio",
  "oidc.",
  "discord.",
  "passkey.",
  "claude.",
  "gemini.",
  "grok.",
  "global.",
  "console_setting.",
  "monitor_setting.",
  "performance_setting.",
  "fetch_setting.",
  "quota_setting.",
  "checkin_setting.",
  "attachment_setting.",
  "legal.",
  "tool_price_setting.",
  "model_deployment.",
  "theme.",
];

const hasNoEqual = (key: string): boolean => NO_EQUAL.some((each) => key.startsWith(each));

/** Whether an option has the same meaning here as in the source: one-api's own, by their names. */
const isShared = (key: string): boolean =>
  isOptionKey(key) && !PRICE_OPTIONS.has(key) && entryOf(key)?.isExtra !== true;

/** Options that are taken over as they are, each checked as if a person had typed it; switches last, because some need others. */
const mapShared = (rows: readonly OptionRow[], mapped: ReadonlySet<string>, say: Say): ImportedOption[] => {
  const taken = new Map<string, ImportedOption>();
  const isSwitch = ({ key }: OptionRow): boolean => entryOf(key)?.type === "switch";
  for (const { key, value = "" } of [...rows].sort((a, b) => Number(isSwitch(a)) - Number(isSwitch(b)))) {
    if (!isShared(key)) {
      if (PRICE_OPTIONS.has(key) || mapped.has(key)) continue;
      if (value.trim() === "" || value === "false" || value === "{}" || value === "[]") continue;
      say(key, "left-out", hasNoEqual(key) ? "option-no-equal" : "option-unknown");
      continue;
    }
    if (value === "") continue;
    try {
      if (value.length > LONGEST_VALUE) throw new Failure("option-text-invalid", { key });
      checkOption(key, value, (other) => taken.get(other)?.value ?? "");
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      say(key, "left-out", "option-refused", { reason: error.key });
      continue;
    }
    const isSecret = isSecretOption(key);
    if (isSecret) say(key, "noted", "option-secret");
    taken.set(key, { key, value, isSecret });
  }
  return [...taken.values()];
};

/** QuotaPerUnit as it is written, where it is another than the usual one and can be used. */
const mapQuotaPerUnit = (rows: readonly OptionRow[], tables: PriceTables, say: Say): ImportedOption[] => {
  const key = "QuotaPerUnit";
  const written = rows.find((row) => row.key === key)?.value;
  const value = formatDecimal(tables.quotaPerUnit);
  const { min, max } = OPTIONS[key];
  const whole = roundDown(tables.quotaPerUnit);
  if (written !== undefined && (Number(written) !== Number(value) || whole < min || whole > max)) {
    say(key, "left-out", "option-refused", { reason: "option-number-invalid" });
    return [];
  }
  return written === undefined ? [] : [{ key, value, isSecret: false }];
};

/** Ratios that the sources' code charges for models without a price; new-api does so in self-use mode only. */
const FALLBACK_RATIOS = { "one-api": "30", "new-api": "37.5" } as const;

/** @returns the ratio for models without a price, where the operator asked for it or the source itself had switched it on. */
const mapFallback = (
  series: Series,
  rows: readonly OptionRow[],
  remarks: readonly Remark[],
  decision: OptionsContext["missingPrices"],
): string | undefined => {
  if (!remarks.some(({ code }) => code === "price-missing")) return undefined;
  const isSelfUse = rows.some(({ key, value }) => key === "SelfUseModeEnabled" && value === "true");
  if (decision !== "fallback" && (decision === "refuse" || !isSelfUse)) return undefined;
  return FALLBACK_RATIOS[series === "new-api" ? "new-api" : "one-api"];
};

/**
 * Maps options of the source: its prices as the option ModelPrice, groups, limits, and the options that both have.
 * Prices are written in money, which can express all of them; a model that the database does not price has the
 * catalogue's price, because the price in the source's code is not in its database (`pricing` has it).
 */
export const mapOptions = (
  rows: readonly OptionRow[],
  { series }: Origin,
  context: OptionsContext,
): MappedOptions => {
  const { tables, remarks: read } = readPriceTables(series, rows, context.pricing);
  const remarks: Remark[] = [...read];
  const say: Say = (id, effect, code, values = {}) => {
    remarks.push({ table: "options", effect, code, id, values });
  };
  const isNewApi = series === "new-api";
  const groups = mapGroups(tables, context, say);
  const options = [
    ...mapQuotaPerUnit(rows, tables, say),
    groups.option,
    ...mapPrices(series, tables, wantedPrices(series, context.channels), context.priceDecision, say),
    ...(isNewApi
      ? [...mapLimits(rows, groups.names, say), ...mapGroupChoice(rows, say), ...mapChats(rows, say)]
      : []),
    ...mapShared(rows, isNewApi ? NEW_API_MAPPED : new Set(), say),
  ];
  const announcements = isNewApi ? mapAnnouncements(rows, say) : [];
  if (!isNewApi) {
    // Neither version of it knows a price of cached tokens.
    options.push({ key: "CacheBillingEnabled", value: "false", isSecret: false });
    say("CacheBillingEnabled", "noted", "cache-billing-off");
  }
  const fallback = mapFallback(series, rows, remarks, context.missingPrices);
  if (fallback) {
    options.push({ key: "FallbackModelRatio", value: fallback, isSecret: false });
    say("FallbackModelRatio", "noted", "price-fallback", { ratio: fallback });
  }
  return { options, announcements, remarks, quotaPerUnit: Number(formatDecimal(tables.quotaPerUnit)) };
};
