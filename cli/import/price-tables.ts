import { type Decimal, isZero, ONE, parseDecimal } from "@tollgate/contract/values/decimal";
import { DEFAULT_QUOTA_PER_UNIT } from "@tollgate/contract/values/quota";
import { isRecord, readArray, readRecord, readString } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import type { Series } from "./origin";
import type { Remark } from "./remarks";
import type { OptionRow } from "./source-rows";

type Table = ReadonlyMap<string, Decimal>;

/** Everything that the source's prices follow from; undefined for a table that is not stored, where its code's defaults held. */
export interface PriceTables {
  quotaPerUnit: Decimal;
  modelRatio: Table | undefined;
  completionRatio: Table | undefined;
  /** Those ratios are charged by the running source, so that none in its code overrides them. */
  isCompletionCharged: boolean;
  cacheRatio: Table | undefined;
  createCacheRatio: Table | undefined;
  audioRatio: Table | undefined;
  audioCompletionRatio: Table | undefined;
  imageRatio: Table | undefined;
  /** new-api: USD for a call. */
  callPrice: Table | undefined;
  /** new-api: the model's name → its billing expression, where that decides. */
  expressions: ReadonlyMap<string, string>;
  groupRatio: Table | undefined;
}

/** The tables as options name them. */
const TABLES = {
  ModelRatio: "modelRatio",
  CompletionRatio: "completionRatio",
  CacheRatio: "cacheRatio",
  CreateCacheRatio: "createCacheRatio",
  AudioRatio: "audioRatio",
  AudioCompletionRatio: "audioCompletionRatio",
  ImageRatio: "imageRatio",
  ModelPrice: "callPrice",
  GroupRatio: "groupRatio",
} as const satisfies Readonly<Record<string, keyof PriceTables>>;

type TableOption = keyof typeof TABLES;

const BILLING_MODE = "billing_setting.billing_mode";
const BILLING_EXPRESSION = "billing_setting.billing_expr";

/** The options that prices are read from. */
export const PRICE_OPTIONS: ReadonlySet<string> = new Set([
  ...Object.keys(TABLES),
  "QuotaPerUnit",
  BILLING_MODE,
  BILLING_EXPRESSION,
]);

/** Options that only new-api has under these names: one-api ignores them. */
const OF_NEW_API: ReadonlySet<string> = new Set([
  "CacheRatio",
  "CreateCacheRatio",
  "AudioRatio",
  "AudioCompletionRatio",
  "ImageRatio",
  "ModelPrice",
  BILLING_MODE,
  BILLING_EXPRESSION,
]);

const isTableOption = (key: string): key is TableOption => Object.hasOwn(TABLES, key);

const MAX_NAMES = 5;

const remark = (
  effect: Remark["effect"],
  code: Remark["code"],
  id: string,
  values: Remark["values"] = {},
): Remark => ({ table: "options", effect, code, id, values });

const readTable = (key: string, value: unknown, remarks: Remark[]): Table | undefined => {
  if (!isRecord(value)) {
    remarks.push(remark("left-out", "option-unreadable", key));
    return undefined;
  }
  const table = new Map<string, Decimal>();
  const bad: string[] = [];
  for (const [name, each] of Object.entries(value)) {
    const ratio = typeof each === "number" ? parseDecimal(each) : undefined;
    if (ratio === undefined || name.trim() === "") bad.push(name);
    else table.set(name.trim(), ratio);
  }
  if (bad.length > 0) {
    const names = bad.slice(0, MAX_NAMES).join(", ");
    remarks.push(remark("changed", "option-number-unusable", key, { count: bad.length, names }));
  }
  return table;
};

const readTexts = (value: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(readRecord(value)).flatMap(([name, text]) =>
      typeof text === "string" ? [[name, text] as const] : [],
    ),
  );

const EMPTY: PriceTables = {
  quotaPerUnit: parseDecimal(DEFAULT_QUOTA_PER_UNIT) ?? ONE,
  modelRatio: undefined,
  completionRatio: undefined,
  isCompletionCharged: false,
  cacheRatio: undefined,
  createCacheRatio: undefined,
  audioRatio: undefined,
  audioCompletionRatio: undefined,
  imageRatio: undefined,
  callPrice: undefined,
  expressions: new Map(),
  groupRatio: undefined,
};

/** Takes options over into tables. Values are JSON texts. */
const readOptions = (
  series: Series,
  options: readonly OptionRow[],
  remarks: Remark[],
  before: PriceTables,
): PriceTables => {
  const tables = { ...before };
  let modes: ReadonlyMap<string, string> = new Map();
  let expressions: ReadonlyMap<string, string> = new Map();
  for (const { key, value = "" } of options) {
    if (series !== "new-api" && OF_NEW_API.has(key)) continue;
    if (isTableOption(key)) {
      if (value.trim() !== "")
        tables[TABLES[key]] = readTable(key, parseJson(value), remarks) ?? tables[TABLES[key]];
    } else if (key === "QuotaPerUnit") {
      const perUnit = parseDecimal(value);
      if (perUnit && !isZero(perUnit)) tables.quotaPerUnit = perUnit;
    } else if (key === BILLING_MODE) modes = readTexts(parseJson(value));
    else if (key === BILLING_EXPRESSION) expressions = readTexts(parseJson(value));
  }
  const decisive = [...expressions].filter(([name]) => modes.get(name) === "tiered_expr");
  return decisive.length === 0 ? tables : { ...tables, expressions: new Map(decisive) };
};

const tableOf = (entries: readonly (readonly [string, Decimal | undefined])[]): Table =>
  new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));

const numberOf = (value: unknown): Decimal | undefined =>
  typeof value === "number" ? parseDecimal(value) : undefined;

/** A row of new-api's `/api/pricing`: `quota_type` 1 is a price for a call. */
const readPricingRows = (rows: readonly unknown[], groups: unknown, before: PriceTables): PriceTables => {
  const named = rows.flatMap((row) => {
    const record = readRecord(row);
    const name = readString(record.model_name).trim();
    return name === "" ? [] : [{ name, record }];
  });
  const column = (field: string, isPerCall: boolean): Table =>
    tableOf(
      named
        .filter(({ record }) => (record.quota_type === 1) === isPerCall)
        .map(({ name, record }) => [name, numberOf(record[field])] as const),
    );
  const has = (field: string): boolean => named.some(({ record }) => record[field] !== undefined);
  const optional = (field: string): Table | undefined => (has(field) ? column(field, false) : undefined);
  const expressions = named.flatMap(({ name, record }) =>
    record.billing_mode === "tiered_expr" ? [[name, readString(record.billing_expr)] as const] : [],
  );
  return {
    ...before,
    modelRatio: column("model_ratio", false),
    completionRatio: column("completion_ratio", false),
    isCompletionCharged: true,
    cacheRatio: optional("cache_ratio") ?? before.cacheRatio,
    createCacheRatio: optional("create_cache_ratio") ?? before.createCacheRatio,
    audioRatio: optional("audio_ratio") ?? before.audioRatio,
    audioCompletionRatio: optional("audio_completion_ratio") ?? before.audioCompletionRatio,
    imageRatio: optional("image_ratio") ?? before.imageRatio,
    callPrice: column("model_price", true),
    expressions: expressions.length > 0 ? new Map(expressions) : before.expressions,
    groupRatio: before.groupRatio ?? (isRecord(groups) ? readTable("group_ratio", groups, []) : undefined),
  };
};

const CONFIG_FIELDS = {
  model_ratio: "ModelRatio",
  completion_ratio: "CompletionRatio",
  cache_ratio: "CacheRatio",
  create_cache_ratio: "CreateCacheRatio",
  audio_ratio: "AudioRatio",
  audio_completion_ratio: "AudioCompletionRatio",
  image_ratio: "ImageRatio",
  model_price: "ModelPrice",
} as const satisfies Readonly<Record<string, TableOption>>;

/** new-api's `/api/ratio_config`: the tables themselves. */
const readRatioConfig = (
  data: Record<string, unknown>,
  remarks: Remark[],
  before: PriceTables,
): PriceTables => {
  const tables = { ...before };
  for (const [field, key] of Object.entries(CONFIG_FIELDS)) {
    if (data[field] !== undefined)
      tables[TABLES[key]] = readTable(key, data[field], remarks) ?? tables[TABLES[key]];
  }
  return tables;
};

/** Reads an answer of the running source; "unreadable" for any other document. */
const readPricing = (
  series: Series,
  document: string,
  remarks: Remark[],
  before: PriceTables,
): PriceTables | "unreadable" => {
  const parsed = readRecord(parseJson(document));
  const { data } = parsed;
  if (isRecord(data))
    return Object.keys(CONFIG_FIELDS).some((field) => isRecord(data[field]))
      ? readRatioConfig(data, remarks, before)
      : "unreadable";
  const rows = readArray(data);
  if (rows.some((row) => readString(readRecord(row).model_name) !== ""))
    return readPricingRows(rows, parsed.group_ratio, before);
  const options = rows.flatMap((row) => {
    const { key, value } = readRecord(row);
    return typeof key === "string" && typeof value === "string" ? [{ key, value }] : [];
  });
  return options.some(({ key }) => PRICE_OPTIONS.has(key))
    ? readOptions(series, options, remarks, before)
    : "unreadable";
};

/** @returns whether a text is an answer of `/api/pricing`, `/api/ratio_config` or `/api/option/`. */
export const isPricingDocument = (series: Series, document: string): boolean =>
  readPricing(series, document, [], EMPTY) !== "unreadable";

/**
 * Reads the source's prices from its stored options and, if given, from its running server's answer, which also has
 * unsaved defaults. Never throws.
 * @param pricing the answer of `/api/pricing`, `/api/ratio_config` or `/api/option/`; other documents are ignored.
 */
export const readPriceTables = (
  series: Series,
  options: readonly OptionRow[],
  pricing: string | undefined,
): { tables: PriceTables; remarks: Remark[] } => {
  const remarks: Remark[] = [];
  const stored = readOptions(series, options, remarks, EMPTY);
  const told = pricing === undefined ? "unreadable" : readPricing(series, pricing, remarks, stored);
  return { tables: told === "unreadable" ? stored : told, remarks };
};
