import { readArray, readRecord, readString } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import { readKeyParts } from "@tollgate/relay/routing/key-parts";
import { nameKey } from "@tollgate/relay/routing/upstream-target";
import type { Vendor } from "@tollgate/vendors/define-vendor";
import type { Series } from "./origin";
import { readObject } from "./read-json";
import type { ChannelRow } from "./source-rows";

/** The keys of a channel in the form of this gateway. */
export interface ChannelKeys {
  /** One key on each line. */
  key: string;
  /** Names of those that the source had taken out of use by itself. */
  deadKeys: string[];
  /** How many were switched off by hand: they are not taken over. */
  leftOut: number;
  /** How many do not have the form that this vendor's keys have here. */
  malformed: number;
}

const VERTEX = 42;
const BEDROCK = 33;
const BAIDU = 15;

const SWITCHED_OFF = 2;
const DEAD = 3;

/** Keys travel in a header: printable ASCII without blanks. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** A JSON document on one line; another text as it is. */
const onOneLine = (text: string): string => {
  if (!text.startsWith("{")) return text;
  const parsed = parseJson(text);
  return parsed === undefined ? text : JSON.stringify(parsed);
};

interface SourceKey {
  key: string;
  status: number;
}

/** The keys of a channel with many (`channel_info`), each with its status; an index without one is on. */
const readMany = (text: string, info: Record<string, unknown>): SourceKey[] => {
  const statuses = readRecord(info.multi_key_status_list);
  const elements = text.trim().startsWith("[") ? parseJson(text) : undefined;
  const keys = Array.isArray(elements)
    ? readArray(elements).map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
    : text.trim().split("\n");
  return keys.map((key, index) => ({ key, status: Number(statuses[String(index)] ?? 1) }));
};

/** one-api 0.6 keeps the parts of some keys in `config`, and in the key no more than a name for them. */
const fromConfig = (vendor: Vendor, config: Record<string, unknown>): string | undefined => {
  const { ak, sk, region } = config;
  const adc = readString(config.vertex_ai_adc).trim();
  if (vendor.type === VERTEX && adc !== "") return adc;
  const parts = [ak, sk, region].map((part) => readString(part).trim());
  return vendor.type === BEDROCK && parts.every((part) => part !== "") ? parts.join("|") : undefined;
};

/** Of new-api's Baidu v2 a key may have an application's id behind it, for which there is no place here. */
const cutAppId = (type: string, vendor: Vendor, key: string): string =>
  vendor.type === BAIDU && type === "Baidu v2" ? (key.split("|")[0] ?? key) : key;

/** Whether a key can be used here: a sendable one of a form that its vendor's keys have. */
const isUsable = (vendor: Vendor, key: string): boolean => {
  const isDocument = vendor.keyForms?.separator === "service-account" && key.startsWith("{");
  return (isDocument || SENDABLE.test(key)) && readKeyParts(vendor, key) !== undefined;
};

/**
 * Reads the keys of a channel of the source. Keys switched off by hand are left out, keys that the source found dead
 * stay dead, and keys of another form are only counted. Never throws.
 * @param typeName the source's name of the channel's type.
 */
export const readChannelKeys = (
  series: Series,
  typeName: string,
  vendor: Vendor,
  row: Pick<ChannelRow, "key" | "config" | "channel_info">,
): ChannelKeys => {
  const text = row.key ?? "";
  const info = series === "new-api" ? (readObject(row.channel_info) ?? {}) : {};
  const config = series === "new-api" ? {} : (readObject(row.config) ?? {});
  const found =
    info.is_multi_key === true
      ? readMany(text, info)
      : [{ key: fromConfig(vendor, config) ?? text, status: 1 }];
  const statuses = new Map<string, number>();
  for (const { key: written, status } of found) {
    const key = cutAppId(typeName, vendor, onOneLine(written.trim()));
    // A key that stands there twice is on where one of them is.
    const known = statuses.get(key);
    if (key !== "") statuses.set(key, known === 1 || status === 1 ? 1 : status);
  }
  const kept = [...statuses].filter(([, status]) => status !== SWITCHED_OFF);
  return {
    key: kept.map(([key]) => key.replaceAll(/[\r\n]+/g, " ")).join("\n"),
    deadKeys: kept.filter(([, status]) => status === DEAD).map(([key]) => nameKey(key)),
    leftOut: statuses.size - kept.length,
    malformed: kept.filter(([key]) => !isUsable(vendor, key)).length,
  };
};
