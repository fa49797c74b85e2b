import * as z from "zod/mini";
import { idNumber, looseList, looseNumber, looseString, maybe, textOrNone } from "./wire";

/** An upstream connection: an endpoint, a credential, and what may be asked of it. */
export interface Channel {
  id: number;
  type: number;
  name: string;
  status: number;
  /** Share among the channels of the same priority; 0 counts as 1. */
  weight: number;
  /** Higher is tried first. */
  priority: number;
  createdTime: number;
  /** Unix seconds of the last test; 0 means never. */
  testTime: number;
  /** Milliseconds that the last test took; 0 means untested. */
  responseTimeMs: number;
  baseUrl: string;
  other: string;
  balance: number;
  balanceUpdatedTime: number;
  models: string[];
  groups: string[];
  usedQuota: number;
  /** Requested model name → the name that the upstream is asked for. */
  modelMapping: Record<string, string>;
  /** How many keys the channel has, and how many of them its upstream has called dead. */
  keyCount: number;
  deadKeyCount: number;
  /** Address of a proxy, without its password; "" for a direct connection. */
  proxy: string;
}

/** The Channel object of contract section 1.0. `key` is always "" in answers. */
export const channelWireSchema = z.object({
  id: z.int(),
  type: z.int(),
  key: z.literal(""),
  status: z.int(),
  name: z.string(),
  weight: z.int(),
  created_time: z.int(),
  test_time: z.int(),
  response_time: z.int(),
  base_url: z.string(),
  other: z.string(),
  balance: z.number(),
  balance_updated_time: z.int(),
  models: z.string(),
  group: z.string(),
  used_quota: z.int(),
  model_mapping: z.string(),
  priority: z.int(),
  // Beyond the contract.
  key_count: z.int(),
  dead_key_count: z.int(),
  proxy: z.string(),
});
export type ChannelWire = z.infer<typeof channelWireSchema>;

const encodeMapping = (mapping: Record<string, string>): string =>
  Object.keys(mapping).length === 0 ? "" : JSON.stringify(mapping, null, 2);

export const encodeChannel = (channel: Channel): ChannelWire => ({
  id: channel.id,
  type: channel.type,
  key: "",
  status: channel.status,
  name: channel.name,
  weight: channel.weight,
  created_time: channel.createdTime,
  test_time: channel.testTime,
  response_time: channel.responseTimeMs,
  base_url: channel.baseUrl,
  other: channel.other,
  balance: channel.balance,
  balance_updated_time: channel.balanceUpdatedTime,
  models: channel.models.join(","),
  group: channel.groups.join(","),
  used_quota: channel.usedQuota,
  model_mapping: encodeMapping(channel.modelMapping),
  priority: channel.priority,
  key_count: channel.keyCount,
  dead_key_count: channel.deadKeyCount,
  proxy: channel.proxy,
});

/** "a, b,,a" → ["a", "b"]: the comma lists of the wire, trimmed, without blanks and repeats. */
export const splitList = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  ),
];

const mappingSchema = z.record(z.string(), z.string());

/**
 * Reads the JSON text of a model mapping.
 * @returns {} for blank text; undefined when it is no JSON object of strings.
 */
export const parseModelMapping = (text: string): Record<string, string> | undefined => {
  if (text.trim() === "") return {};
  try {
    const parsed = mappingSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};

const channelReader = z.object({
  id: looseNumber,
  type: looseNumber,
  status: looseNumber,
  name: looseString,
  weight: looseNumber,
  created_time: looseNumber,
  test_time: looseNumber,
  response_time: looseNumber,
  base_url: looseString,
  other: looseString,
  balance: looseNumber,
  balance_updated_time: looseNumber,
  models: looseString,
  group: looseString,
  used_quota: looseNumber,
  model_mapping: looseString,
  priority: looseNumber,
  key_count: looseNumber,
  dead_key_count: looseNumber,
  proxy: looseString,
});

/** Reads a channel from any server's answer; undefined when it is not an object at all. */
export const readChannel = (value: unknown): Channel | undefined => {
  const parsed = channelReader.safeParse(value);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  return {
    id: wire.id,
    type: wire.type,
    name: wire.name,
    status: wire.status,
    weight: wire.weight,
    priority: wire.priority,
    createdTime: wire.created_time,
    testTime: wire.test_time,
    responseTimeMs: wire.response_time,
    baseUrl: wire.base_url,
    other: wire.other,
    balance: wire.balance,
    balanceUpdatedTime: wire.balance_updated_time,
    models: splitList(wire.models),
    groups: splitList(wire.group),
    usedQuota: wire.used_quota,
    modelMapping: parseModelMapping(wire.model_mapping) ?? {},
    keyCount: Math.max(1, wire.key_count),
    deadKeyCount: wire.dead_key_count,
    proxy: wire.proxy,
  };
};

export const readChannels = looseList(readChannel);

const weightNumber = z.int().check(z.nonnegative(), z.lte(1_000_000));
const priorityNumber = z.int().check(z.gte(-1_000_000), z.lte(1_000_000));

/**
 * POST /api/channel/. `key` may hold several keys, one per line: one channel is made of each, or, with `multi_key`, one
 * channel of all.
 */
export const createChannelBodySchema = z.object({
  type: z.int(),
  name: textOrNone,
  key: z.string(),
  base_url: maybe(z.string()),
  other: maybe(z.string()),
  models: textOrNone,
  group: maybe(z.string()),
  model_mapping: maybe(z.string()),
  priority: maybe(priorityNumber),
  weight: maybe(weightNumber),
  status: maybe(z.int()),
  multi_key: maybe(z.boolean()),
  proxy: maybe(z.string()),
});
export type CreateChannelBody = z.infer<typeof createChannelBodySchema>;

/**
 * PUT /api/channel/: any subset. `key` may hold several keys, one per line, and takes the place of all before.
 * `proxy` as it was answered (without its password) changes nothing; "" takes it away. "" leaves key, name, other, models and group unchanged; base_url and model_mapping
 * are written as sent, "" included. Counters, balance and times in the body are ignored.
 */
export const updateChannelBodySchema = z.object({
  id: idNumber,
  type: maybe(z.int()),
  name: maybe(z.string()),
  key: maybe(z.string()),
  base_url: maybe(z.string()),
  other: maybe(z.string()),
  models: maybe(z.string()),
  group: maybe(z.string()),
  model_mapping: maybe(z.string()),
  priority: maybe(priorityNumber),
  weight: maybe(weightNumber),
  status: maybe(z.int()),
  proxy: maybe(z.string()),
});
export type UpdateChannelBody = z.infer<typeof updateChannelBodySchema>;
