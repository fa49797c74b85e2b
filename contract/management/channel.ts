import * as z from "zod/mini";
import {
  codecOf,
  decimal,
  flag,
  int,
  maybeDecimal,
  maybeText,
  noText,
  schemasOf,
  text,
  toWireNames,
} from "../resource/fields";
import { type ChannelCalendar, encodeChannelCalendar, parseChannelCalendar } from "./channel-calendar";
import {
  type ChannelLimits,
  channelLimitBody,
  channelLimitFields,
  readChannelLimits,
} from "./channel-limits";
import { idNumber, looseList, maybe, textOrNone } from "./wire";

/** An upstream connection: an endpoint, a credential, and what may be asked of it. */
export interface Channel extends ChannelLimits {
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
  /** JSON of what its upstream asks (buying-price.ts); absent where nothing is known. */
  buyingPrices?: string | undefined;
  /** What channels that are edited together have in common; "" for none. */
  tag: string;
  /** The model that it is tested with; "" for the usual one. */
  testModel: string;
  /** It has no part in tests of all channels, whether by hand or by schedule. */
  skipsTests: boolean;
  /** When it is open, and how much may be used of it in a time. */
  calendar: ChannelCalendar;
  /** Unix seconds until which what a window allows is used up; 0 for none. */
  closedUntil: number;
  /** How many requests it has answered. */
  usedRequests: number;
  /** What of its requests is changed: the JSON text of `ChannelOverrides` without headers' values; absent or "" for nothing. */
  overrides?: string | undefined;
  /** What was typed in as the balance of its account, USD, where no upstream tells it; it is counted down from there. */
  typedBalance?: number | undefined;
  /** What its answers have cost since then, in thousandths of quota. */
  spentSinceTyped: number;
}

/** The Channel object of the contract: what its fields are called inside, and on the wire. */
const channelFields = {
  id: int("id"),
  type: int("type"),
  key: noText("key"),
  status: int("status"),
  name: text("name"),
  weight: int("weight"),
  createdTime: int("created_time"),
  testTime: int("test_time"),
  responseTimeMs: int("response_time"),
  baseUrl: text("base_url"),
  other: text("other"),
  balance: decimal("balance"),
  balanceUpdatedTime: int("balance_updated_time"),
  /** Comma lists, and JSON. */
  models: text("models"),
  groups: text("group"),
  usedQuota: int("used_quota"),
  modelMapping: text("model_mapping"),
  priority: int("priority"),
  // Beyond the contract.
  keyCount: int("key_count"),
  deadKeyCount: int("dead_key_count"),
  proxy: text("proxy"),
  buyingPrices: maybeText("buying_prices"),
  tag: text("tag"),
  testModel: text("test_model"),
  skipsTests: flag("skip_tests"),
  /** JSON (channel-calendar.ts). */
  calendar: text("calendar"),
  closedUntil: int("closed_until"),
  usedRequests: int("used_requests"),
  overrides: maybeText("overrides"),
  ...channelLimitFields,
  typedBalance: maybeDecimal("typed_balance"),
};

const looseCodec = codecOf(channelFields, schemasOf(channelFields, "loose"));

/** The Channel object as it travels. */
export const channelWireSchema = z.object(toWireNames(channelFields, schemasOf(channelFields, "strict")));
export type ChannelWire = z.infer<typeof channelWireSchema>;

const encodeMapping = (mapping: Record<string, string>): string =>
  Object.keys(mapping).length === 0 ? "" : JSON.stringify(mapping, null, 2);

/** Thousandths of quota are what costs are counted in; and of a balance no more is said than people read. */
const SPENT_UNITS = 1000;
const BALANCE_PLACES = 6;

/** What is left of a channel's balance, in the unit of its type, or in USD where it was typed in. */
export const balanceOf = (
  { balance, typedBalance, spentSinceTyped }: Channel,
  quotaPerUnit: number,
): number =>
  typedBalance === undefined
    ? balance
    : Number((typedBalance - spentSinceTyped / SPENT_UNITS / quotaPerUnit).toFixed(BALANCE_PLACES));

/** @param quotaPerUnit quota per USD. */
export const encodeChannel = (channel: Channel, quotaPerUnit: number): ChannelWire =>
  toWireNames(channelFields, {
    ...channel,
    key: "",
    models: channel.models.join(","),
    groups: channel.groups.join(","),
    modelMapping: encodeMapping(channel.modelMapping),
    calendar: encodeChannelCalendar(channel.calendar),
    balance: balanceOf(channel, quotaPerUnit),
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

/** Reads a channel from any server's answer; undefined when it is not an object at all. */
export const readChannel = (value: unknown): Channel | undefined => {
  const parsed = looseCodec.safeParse(value);
  if (!parsed.success) return undefined;
  const { key, ...channel } = parsed.data;
  return {
    ...channel,
    models: splitList(channel.models),
    groups: splitList(channel.groups),
    modelMapping: parseModelMapping(channel.modelMapping) ?? {},
    buyingPrices: channel.buyingPrices || undefined,
    calendar: parseChannelCalendar(channel.calendar) ?? {},
    ...readChannelLimits(channel),
    spentSinceTyped: 0,
    keyCount: Math.max(1, channel.keyCount),
  };
};

export const readChannels = looseList(readChannel);

const weightNumber = z.int().check(z.nonnegative(), z.lte(1_000_000));
const priorityNumber = z.int().check(z.gte(-1_000_000), z.lte(1_000_000));

/** What requests say of a channel: the fields of the object, and one that only requests have. */
const bodyFields = { ...channelFields, isMultiKey: flag("multi_key") };

/** What a client sends of a channel, under the names of the wire. */
export const encodeChannelBody = <const Body extends object>(body: Body) => toWireNames(bodyFields, body);

/** What is written of a channel when it is made, and when it is changed; `models` and `groups` are comma lists. */
const writtenBody = {
  baseUrl: maybe(z.string()),
  other: maybe(z.string()),
  groups: maybe(z.string()),
  modelMapping: maybe(z.string()),
  priority: maybe(priorityNumber),
  weight: maybe(weightNumber),
  status: maybe(z.int()),
  proxy: maybe(z.string()),
  buyingPrices: maybe(z.string()),
  tag: maybe(z.string()),
  testModel: maybe(z.string()),
  skipsTests: maybe(z.boolean()),
  calendar: maybe(z.string()),
  overrides: maybe(z.string()),
  ...channelLimitBody,
};

/**
 * POST /api/channel/. `key` may hold several keys, one per line: one channel is made of each, or, with `multi_key`, one
 * channel of all.
 */
export const createChannelBodySchema = codecOf(bodyFields, {
  type: z.int(),
  name: textOrNone,
  key: z.string(),
  models: textOrNone,
  isMultiKey: maybe(z.boolean()),
  ...writtenBody,
});
export type CreateChannelBody = z.output<typeof createChannelBodySchema>;

/**
 * POST /api/channel/fetch_models: the channel as it stands in a form, saved or not. With an id, what is left out is as it is
 * stored, the key, too.
 */
export const fetchModelsBodySchema = codecOf(bodyFields, {
  id: maybe(idNumber),
  type: maybe(z.int()),
  key: maybe(z.string()),
  baseUrl: maybe(z.string()),
  other: maybe(z.string()),
  proxy: maybe(z.string()),
  overrides: maybe(z.string()),
});
export type FetchModelsBody = z.output<typeof fetchModelsBodySchema>;

/** What it answers: the upstream's models, by name, and those of them that the site ignores (option IgnoredModels). */
export const fetchedModelsSchema = z.object({
  models: z.array(z.string()),
  ignored: z._default(z.array(z.string()), []),
});
export type FetchedModels = z.output<typeof fetchedModelsSchema>;

/**
 * PUT /api/channel/: any subset. `key` may hold several keys, one per line, and takes the place of all before.
 * `proxy` as it was answered (without its password) changes nothing; "" takes it away. `overrides` are written as sent; a
 * header's value that is not shown (HIDDEN_VALUE) stays as it is stored. "" leaves key, name, other, models
 * and group unchanged; base_url and model_mapping are written as sent, "" included. Counters, balance and times in the
 * body are ignored.
 */
export const updateChannelBodySchema = codecOf(bodyFields, {
  id: idNumber,
  type: maybe(z.int()),
  name: maybe(z.string()),
  key: maybe(z.string()),
  models: maybe(z.string()),
  ...writtenBody,
});
export type UpdateChannelBody = z.output<typeof updateChannelBodySchema>;

/** How long the tag of a channel, or the model that it is tested with, may be. */
export const CHANNEL_WORD_MAX = 100;

/** How many channels one request may change. */
const MAX_CHANNELS_AT_ONCE = 1000;

export const CHANNELS_ACTIONS = ["edit", "enable", "disable", "delete"] as const;
export type ChannelsAction = (typeof CHANNELS_ACTIONS)[number];

/**
 * POST /api/channel/batch: one action for many channels, those of `ids` or those of `tag`. `edit` writes what is given, as
 * PUT /api/channel/ does; `add_models` and `remove_models` are comma lists that leave a channel's other models.
 */
export const channelsBodySchema = z.object({
  ids: maybe(z.array(idNumber).check(z.maxLength(MAX_CHANNELS_AT_ONCE))),
  tag: maybe(z.string()),
  action: z.enum(CHANNELS_ACTIONS),
  change: maybe(
    z.object({
      group: maybe(z.string()),
      models: maybe(z.string()),
      add_models: maybe(z.string()),
      remove_models: maybe(z.string()),
      model_mapping: maybe(z.string()),
      priority: maybe(priorityNumber),
      weight: maybe(weightNumber),
      tag: maybe(z.string()),
      test_model: maybe(z.string()),
      skip_tests: maybe(z.boolean()),
    }),
  ),
});
export type ChannelsBody = z.output<typeof channelsBodySchema>;

/** What it answers: how many were changed, and which could not be, with the reason. */
export const channelsDoneSchema = z.object({
  done: z.int(),
  failed: z.array(z.object({ id: z.int(), name: z.string(), reason: z.string() })),
});
export type ChannelsDone = z.output<typeof channelsDoneSchema>;

const MAX_BALANCE = 1_000_000_000;

/** PUT /api/channel/balance: the balance of an upstream that tells none, USD; null leaves it to the upstream again. */
export const typedBalanceBodySchema = z.object({
  id: idNumber,
  balance: z.nullable(z.number().check(z.gte(-MAX_BALANCE), z.lte(MAX_BALANCE))),
});

/** POST /api/channel/copy/:id. The copy has the key, and what was counted of the first begins anew. */
export const copyChannelBodySchema = z.object({
  /** What it is called; the other's name with a word behind it where nothing is said. */
  name: textOrNone,
});

/** GET /api/channel/tags: the tags that channels have, with how many of them. */
export const channelTagSchema = z.object({ tag: z.string(), count: z.int(), enabled: z.int() });
export type ChannelTag = z.output<typeof channelTagSchema>;
