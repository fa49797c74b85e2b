import { MAX_CHANNEL_RANK, MAX_CHANNEL_WORD } from "@tollgate/contract/api/channels";
import { readGroups } from "@tollgate/contract/management/group";
import type { ImportedChannel } from "@tollgate/contract/records/imported-records";
import { isProxyAddress } from "@tollgate/contract/values/proxy-address";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import { readString } from "@tollgate/protocols/shared/json/json-values";
import { isRegion } from "@tollgate/relay/routing/region-address";
import type { Vendor } from "@tollgate/vendors/define-vendor";
import { findVendor } from "@tollgate/vendors/vendors";
import { readAddress } from "./channel-address";
import { readChannelKeys } from "./channel-keys";
import { type ModelSource, readOfferedModels } from "./channel-models";
import { readSourceOverrides, type SourceOverrides } from "./channel-overrides";
import { findSourceType, type KnownType } from "./channel-types";
import type { MappedChannels } from "./mapped";
import type { Origin, Series } from "./origin";
import { isNeutral, readObject } from "./read-json";
import type { Remark, RemarkCode, RemarkEffect } from "./remarks";
import type { ChannelRow } from "./source-rows";

const VERTEX = 42;
const BEDROCK = 33;

const MAX_NAME = 100;
const STATUSES: ReadonlySet<number> = new Set([
  CHANNEL_ENABLED,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_DISABLED_AUTOMATICALLY,
]);

/** new-api adds this to every weight before it draws lots; one-api reads no weight. */
const NEW_API_WEIGHT = 10;

type AddRemark = (
  effect: RemarkEffect,
  code: RemarkCode,
  values?: Readonly<Record<string, string | number>>,
) => void;

const CONTROLS = /\p{Cc}/gu;

/**
 * Names of the fields set in a JSON column, without their values; unknown names could be anything and are not repeated.
 */
const namesIn = (column: string, text: string | undefined, known: readonly string[]): string[] => {
  const fields = readObject(text);
  if (!fields) return [column];
  const set = Object.entries(fields)
    .filter(([name, value]) => !known.includes(name) && !isNeutral(value))
    .map(([name]) =>
      /^[a-z]+(?:_[a-z\d]+)*$/.test(name) && name.length <= 40 ? `${column}.${name}` : column,
    );
  return [...new Set(set)];
};

/** Columns that have no equal here, where they say anything. Their values may be secrets. */
const notTaken = (
  row: ChannelRow,
  series: Series,
  vendor: Vendor,
  { leftOut }: Pick<SourceOverrides, "leftOut">,
): string[] => {
  const plain = (["system_prompt", "openai_organization", "other_info", "remark"] as const).filter(
    (column) => (row[column] ?? "").trim() !== "" && (column !== "system_prompt" || series === "new-api"),
  );
  const hasOther =
    vendor.other === undefined && (row.other ?? "").trim() !== "" && vendor.type !== CLOUDFLARE;
  return [
    ...(hasOther ? ["other"] : []),
    ...plain,
    ...leftOut,
    ...namesIn("setting", row.setting, SETTING_TAKEN),
    ...namesIn("settings", row.settings, ["vertex_key_type", "aws_key_type"]),
    ...namesIn("config", row.config, CONFIG_TAKEN),
  ];
};

/** Fields of new-api's `setting` that are imported, or have their own remark. */
const SETTING_TAKEN = ["proxy", "system_prompt", "system_prompt_override", "pass_through_body_enabled"];

const CLOUDFLARE = 37;
/** Fields of one-api's `config` that are imported where they apply, or are a part of a key. */
const CONFIG_TAKEN = [
  "region",
  "ak",
  "sk",
  "user_id",
  "api_version",
  "library_id",
  "vertex_ai_project_id",
  "vertex_ai_adc",
];

/** Limits a whole number of the source; reports a change. */
const within = (
  addRemark: AddRemark,
  column: keyof ChannelRow,
  value: number | bigint | undefined,
  min: number,
  max: number,
): number => {
  const number = value ?? 0;
  if (number < min || number > max) {
    const bound = number < min ? min : max;
    addRemark("changed", "channel-number", { column, before: String(number), after: bound });
    return bound;
  }
  return Number(number);
};

/** The field `other` as its vendor means it here, from wherever the source keeps it. */
const readOther = (
  vendor: Vendor,
  row: ChannelRow,
  config: Record<string, unknown>,
  addRemark: AddRemark,
): string => {
  const other = (row.other ?? "").trim();
  switch (vendor.other?.meaning) {
    case undefined:
      return "";
    case "api-version":
    case "model-version":
      return readString(config.api_version).trim() || other;
    case "knowledge-base-id":
      return readString(config.library_id).trim() || other;
    case "private-address":
      return other;
    case "region": {
      const own = readString(config.region).trim();
      if (own !== "") return own;
      if (!other.startsWith("{")) return other;
      const regions = readObject(other) ?? {};
      const region = readString(regions.default).trim();
      if (Object.keys(regions).length > 1 || region === "")
        addRemark("changed", "channel-regions", { region });
      return region;
    }
  }
};

const readName = (row: ChannelRow, addRemark: AddRemark): string => {
  const written = (row.name ?? "").replaceAll(CONTROLS, "").trim();
  const name = [...written].slice(0, MAX_NAME).join("") || `channel ${row.id}`;
  if (name !== (row.name ?? "").trim()) addRemark("changed", "channel-name");
  return name;
};

/** Reads a tag or the name of a model: removes invalid characters, and cuts it to its maximum length. */
const readWord = (text: string | null | undefined): string =>
  (text ?? "")
    .replaceAll(/\p{Cc}/gu, "")
    .trim()
    .slice(0, MAX_CHANNEL_WORD);

/** A proxy that this gateway can use; undefined for one of another kind. */
const readProxy = (row: ChannelRow): string | undefined => {
  const proxy = readString(readObject(row.setting)?.proxy).trim();
  if (proxy === "") return "";
  return URL.canParse(proxy) && isProxyAddress(new URL(proxy)) ? proxy : undefined;
};

/** Returns the fields of a channel that decide about its models: the same for `mapOptions` and for the proof. */
export const modelSourceOf = (series: Series, row: ChannelRow): ModelSource | undefined => {
  const found = findSourceType(series, Number(row.type ?? 0));
  if (found?.type === undefined) return undefined;
  const config = series === "new-api" ? {} : (readObject(row.config) ?? {});
  const firstKey = (row.key ?? "").split("\n", 1)[0] ?? "";
  const region =
    readString(config.region).trim() || (found.type === BEDROCK ? (firstKey.split("|")[2] ?? "") : "");
  return { type: found.type, models: row.models, model_mapping: row.model_mapping, region };
};

/** A channel of the source on its way here. */
interface ReadChannel {
  row: ChannelRow;
  series: Series;
  typeName: string;
  vendor: Vendor;
  addRemark: AddRemark;
  /** Says why the channel cannot be used as it is, and keeps it from being used. */
  switchOff(code: RemarkCode, values?: Readonly<Record<string, string | number>>): void;
}

const readStatus = (row: ChannelRow, addRemark: AddRemark): number => {
  const status = Number(row.status ?? CHANNEL_ENABLED);
  if (STATUSES.has(status)) return status;
  addRemark("changed", "channel-status", { status });
  return CHANNEL_DISABLED_BY_HAND;
};

/** The type and the address of a channel; undefined where its key could go to another company. */
const readTypeAndAddress = (
  row: ChannelRow,
  known: KnownType,
  accountId: string,
  addRemark: AddRemark,
): { vendor: Vendor; baseUrl: string } | undefined => {
  const address = readAddress(known, row.base_url ?? "", accountId);
  const { name: typeName } = known;
  if ("fault" in address) {
    addRemark("left-out", `channel-address-${address.fault}`, { typeName });
    return undefined;
  }
  const { type, baseUrl } = address;
  const vendor = findVendor(type);
  if (!vendor) return undefined;
  if (address.isChanged || type !== Number(row.type))
    addRemark("changed", "channel-address-changed", { typeName, type, address: baseUrl || vendor.baseUrl });
  return { vendor, baseUrl };
};

const readKeys = ({ row, series, typeName, vendor, addRemark, switchOff }: ReadChannel) => {
  const keys = readChannelKeys(series, typeName, vendor, row);
  if (keys.leftOut > 0) addRemark("changed", "channel-keys-left-out", { count: keys.leftOut });
  if (keys.deadKeys.length > 0) addRemark("noted", "channel-keys-dead", { count: keys.deadKeys.length });
  if (keys.key === "") switchOff("channel-key-missing");
  if (keys.malformed > 0) {
    const forms = (vendor.keyForms?.forms ?? []).map(({ text }) => text).join(" / ");
    switchOff("channel-key-malformed", { typeName, count: keys.malformed, forms });
  }
  return keys;
};

const readModels = ({ row, series, typeName, vendor, addRemark, switchOff }: ReadChannel) => {
  const offered = readOfferedModels(series, {
    type: vendor.type,
    models: row.models,
    model_mapping: row.model_mapping,
    region: modelSourceOf(series, row)?.region ?? "",
  });
  if (offered.models.length === 0) switchOff("channel-models-missing");
  if (offered.isMappingUnreadable) {
    // one-api 0.6 goes on without it, the others answer with an error.
    if (series === "one-api-0.6") addRemark("changed", "channel-mapping-ignored");
    else switchOff("channel-mapping-invalid");
  }
  if (offered.hasChain) addRemark("changed", "channel-mapping-chain");
  if (offered.renamed.length > 0) {
    const models = offered.renamed.slice(0, 10).join(", ");
    addRemark("changed", "channel-names-mapped", { typeName, count: offered.renamed.length, models });
  }
  return offered;
};

const readWeight = ({ row, series, addRemark }: ReadChannel): number => {
  const written = within(addRemark, "weight", row.weight, 0, MAX_CHANNEL_RANK - NEW_API_WEIGHT);
  const weight = series === "new-api" ? written + NEW_API_WEIGHT : 0;
  if (series !== "new-api" && written !== 0)
    addRemark("changed", "channel-weight", { before: written, after: weight });
  return weight;
};

/** Changes to requests; names the columns that have no equal here. */
const readRequestChanges = ({ row, series, vendor, addRemark }: ReadChannel, isMapped: boolean) => {
  if (row.auto_ban !== undefined && Number(row.auto_ban) === 0) addRemark("noted", "channel-auto-ban");
  const overrides = readSourceOverrides(series, row, isMapped);
  if (overrides.isPromptForced) addRemark("changed", "channel-system-prompt");
  const columns = notTaken(row, series, vendor, overrides);
  if (columns.length > 0) addRemark("noted", "channel-not-taken", { columns: columns.join(", ") });
  return overrides.requestChanges;
};

const mapChannel = (
  row: ChannelRow,
  series: Series,
  known: KnownType,
  name: string,
  addRemark: AddRemark,
): ImportedChannel | undefined => {
  const config = series === "new-api" ? {} : (readObject(row.config) ?? {});
  const accountId = series === "new-api" ? (row.other ?? "").trim() : readString(config.user_id).trim();
  const target = readTypeAndAddress(row, known, accountId, addRemark);
  if (!target) return undefined;
  const { vendor, baseUrl } = target;

  let status = readStatus(row, addRemark);
  const switchOff: ReadChannel["switchOff"] = (code, values) => {
    addRemark("changed", code, values);
    status = CHANNEL_DISABLED_BY_HAND;
  };
  const source = { row, series, typeName: known.name, vendor, addRemark, switchOff };

  const { key, deadKeys } = readKeys(source);
  const other = readOther(vendor, row, config, addRemark);
  if (vendor.type === VERTEX && other !== "" && !isRegion(other)) switchOff("channel-region-invalid");
  const { models, mapping } = readModels(source);
  const proxy = readProxy(row);
  if (proxy === undefined) switchOff("channel-proxy-unsupported");
  const weight = readWeight(source);
  const requestChanges = readRequestChanges(
    source,
    [...mapping].some(([asked, sent]) => asked !== sent),
  );
  const balance = row.balance ?? 0;
  return {
    id: row.id,
    type: vendor.type,
    key,
    deadKeys,
    status,
    name,
    weight,
    priority: within(addRemark, "priority", row.priority, -MAX_CHANNEL_RANK, MAX_CHANNEL_RANK),
    createdTime: within(addRemark, "created_time", row.created_time, 0, MAX_QUOTA),
    baseUrl,
    other,
    models,
    groups: readGroups(row.group?.replaceAll(/[^\P{Cc}\n]/gu, "")),
    modelMapping: Object.fromEntries(mapping),
    proxy: proxy ?? "",
    tag: readWord(row.tag),
    testModel: readWord(row.test_model),
    skipsTests: false,
    calendar: {},
    ...(requestChanges ? { requestChanges } : {}),
    testTime: within(addRemark, "test_time", row.test_time, 0, MAX_QUOTA),
    responseTimeMs: within(addRemark, "response_time", row.response_time, 0, MAX_QUOTA),
    balance: Number.isFinite(balance) ? balance : 0,
    balanceUpdatedTime: within(addRemark, "balance_updated_time", row.balance_updated_time, 0, MAX_QUOTA),
    usedQuota: within(addRemark, "used_quota", row.used_quota, 0, MAX_QUOTA),
  };
};

/**
 * Maps channels of the source. A type without an equal, or an address that cannot be expressed, leaves the channel out:
 * a wrong reading would send its key to another company. Any other obstacle switches the channel off.
 */
export const mapChannels = (rows: readonly ChannelRow[], { series }: Origin): MappedChannels => {
  const records: ImportedChannel[] = [];
  const remarks: Remark[] = [];
  for (const row of rows) {
    let name = row.name ?? "";
    const addRemark: AddRemark = (effect, code, values = {}) => {
      remarks.push({ table: "channels", effect, code, id: row.id, values: { name, ...values } });
    };
    name = readName(row, addRemark);
    const type = Number(row.type ?? 0);
    const known = findSourceType(series, type);
    if (known?.type === undefined) {
      if (known) addRemark("left-out", "channel-type-none", { type, typeName: known.name });
      else addRemark("left-out", "channel-type-unknown", { type });
      continue;
    }
    const record = mapChannel(row, series, known, name, addRemark);
    if (record) records.push(record);
  }
  return { records, remarks };
};
