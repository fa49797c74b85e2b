import * as z from "zod/mini";
import {
  type ChannelCalendar,
  encodeChannelCalendar,
  parseChannelCalendar,
} from "../management/channel-calendar";
import { CHANNEL_LIMITS, channelLimitBody, readChannelLimits } from "../management/channel-limits";
import { encodeMapping, type ModelMapping, parseModelMapping } from "../management/model-mapping";
import { idNumber, maybe, textOrNone } from "../management/wire";
import {
  endpoint,
  FOUND_PAGE_PARAMETER,
  LIMIT_PARAMETER,
  PAGE_PARAMETER,
  SORT_PARAMETER,
} from "../resource/endpoint";
import {
  codecOf,
  decimal,
  type FieldValues,
  flag,
  int,
  maybeDecimal,
  maybeText,
  noText,
  text,
  toWireNames,
} from "../resource/fields";
import { CLOCK_PARAMETERS, FOUND_PARAMETER } from "../resource/file-parameters";
import type { ListFilter } from "../resource/list-filter";
import { count, listOf, mapped, optional, resource, type WireOf } from "../resource/resource";
import { splitList } from "../values/split-list";

/** The Channel object of the contract: inner names of its fields, and their names on the wire. */
export const CHANNEL_FIELDS = {
  id: int("id"),
  type: int("type"),
  key: noText("key"),
  status: int("status"),
  name: text("name"),
  /** Share among the channels of the same priority; 0 counts as 1. */
  weight: int("weight"),
  createdTime: int("created_time"),
  /** Unix seconds of the last test; 0 means never. */
  testTime: int("test_time"),
  /** Milliseconds that the last test took; 0 means untested. */
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
  /** Higher is tried first. */
  priority: int("priority"),
  // Beyond the contract.
  /** How many keys the channel has, and how many of them its upstream has called dead. */
  keyCount: int("key_count"),
  deadKeyCount: int("dead_key_count"),
  /** Address of a proxy, without its password; "" for a direct connection. */
  proxy: text("proxy"),
  /** JSON of the upstream's prices (buying-price.ts); absent when unknown. */
  buyingPrices: maybeText("buying_prices"),
  /** Groups channels that are edited together; "" for none. */
  tag: text("tag"),
  /** The model that it is tested with; "" for the usual one. */
  testModel: text("test_model"),
  /** It has no part in tests of all channels, whether by hand or by schedule. */
  skipsTests: flag("skip_tests"),
  /** JSON (channel-calendar.ts). */
  calendar: text("calendar"),
  /** Unix seconds until which a window's allowance is used up; 0 for none. */
  closedUntil: int("closed_until"),
  /** How many requests it has answered. */
  usedRequests: int("used_requests"),
  /** Changes made to its requests: the JSON text of `ChannelOverrides` without headers' values; absent or "" for none. */
  overrides: maybeText("overrides"),
  ...CHANNEL_LIMITS,
  /** Account balance typed in, in USD, where no upstream reports it; it is counted down from there. */
  typedBalance: maybeDecimal("typed_balance"),
};

/** An upstream connection: an endpoint, a credential, and limits of its use. */
export interface Channel
  extends Omit<
    FieldValues<typeof CHANNEL_FIELDS>,
    "key" | "models" | "groups" | "modelMapping" | "calendar"
  > {
  models: string[];
  groups: string[];
  /** Requested model name → the upstream's name, or several. */
  modelMapping: ModelMapping;
  /** When it is open, and how much may be used of it in a time. */
  calendar: ChannelCalendar;
  /** Cost of its answers since a balance was typed in, in thousandths of quota. */
  spentSinceTyped: number;
}

/** Costs are counted in thousandths of quota; a balance is rounded to the places that people read. */
export const SPENT_UNITS = 1000;
const BALANCE_PLACES = 6;

/** Returns the rest of a channel's balance, in the unit of its type, or in USD where it was typed in. */
export const balanceOf = (
  { balance, typedBalance, spentSinceTyped }: Channel,
  quotaPerUnit: number,
): number =>
  typedBalance === undefined
    ? balance
    : Number((typedBalance - spentSinceTyped / SPENT_UNITS / quotaPerUnit).toFixed(BALANCE_PLACES));

/** A channel, as answers have it: without its keys. */
export const channel = mapped(resource(CHANNEL_FIELDS), {
  encode: (value: Channel) => ({
    ...value,
    key: "" as const,
    models: value.models.join(","),
    groups: value.groups.join(","),
    modelMapping: encodeMapping(value.modelMapping),
    calendar: encodeChannelCalendar(value.calendar),
  }),
  read({ key, ...value }): Channel {
    return {
      ...value,
      models: splitList(value.models),
      groups: splitList(value.groups),
      modelMapping: parseModelMapping(value.modelMapping) ?? {},
      buyingPrices: value.buyingPrices || undefined,
      calendar: parseChannelCalendar(value.calendar) ?? {},
      ...readChannelLimits(value),
      spentSinceTyped: 0,
      keyCount: Math.max(1, value.keyCount),
    };
  },
});

/** The Channel object as it travels. */
export type ChannelWire = WireOf<typeof channel>;

/** Largest weight of a channel, and largest priority on either side of 0. */
export const MAX_CHANNEL_RANK = 1_000_000;

export const weightNumber = z.int().check(z.nonnegative(), z.lte(MAX_CHANNEL_RANK));
export const priorityNumber = z.int().check(z.gte(-MAX_CHANNEL_RANK), z.lte(MAX_CHANNEL_RANK));

/** Fields of a channel in requests: those of the object, and one that only requests have. */
export const channelBodyFields = { ...CHANNEL_FIELDS, isMultiKey: flag("multi_key") };

/** Renames a client's fields of a channel to those of the wire. */
export const encodeChannelBody = <const Body extends object>(body: Body) =>
  toWireNames(channelBodyFields, body);

/** Fields written when a channel is created or changed; `models` and `groups` are comma lists. */
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
 * `key` may hold several keys, one per line: one channel is made of each, or, with `multi_key`, one
 * channel of all.
 */
export const createChannelBodySchema = codecOf(channelBodyFields, {
  type: z.int(),
  name: textOrNone,
  key: z.string(),
  models: textOrNone,
  isMultiKey: maybe(z.boolean()),
  ...writtenBody,
});
export type CreateChannelBody = z.output<typeof createChannelBodySchema>;

/**
 * Any subset. `key` may hold several keys, one per line, and takes the place of all before.
 * `proxy` as it was answered (without its password) changes nothing; "" takes it away. `overrides` are written as sent; a
 * header's value that is not shown (HIDDEN_VALUE) stays as it is stored. "" leaves key, name, other, models
 * and group unchanged; base_url and model_mapping are written as sent, "" included. Counters, balance and times in the
 * body are ignored.
 */
export const updateChannelBodySchema = codecOf(channelBodyFields, {
  id: idNumber,
  type: maybe(z.int()),
  name: maybe(z.string()),
  key: maybe(z.string()),
  models: maybe(z.string()),
  ...writtenBody,
});
export type UpdateChannelBody = z.output<typeof updateChannelBodySchema>;

/** How long the tag of a channel, or the model that it is tested with, may be. */
export const MAX_CHANNEL_WORD = 100;

/** The copy has the key; its counters begin at 0. */
export const copyChannelBodySchema = z.object({
  /** Name; by default the other's name with a suffix. */
  name: textOrNone,
});

export const CHANNEL_SORTS = [
  "id",
  "name",
  "group",
  "type",
  "status",
  "response_time",
  "balance",
  "priority",
  "weight",
  "used_quota",
] as const;
export type ChannelSort = (typeof CHANNEL_SORTS)[number];

export const CHANNEL_FILTERS = {
  status: "number",
  type: "number",
  group: "entry",
  models: "entry",
  tag: "text",
  ids: "ids",
} as const;
export type ChannelFilter = ListFilter<keyof typeof CHANNEL_FILTERS>;

const CHANNEL_FILTER_PARAMETERS: Readonly<Record<keyof typeof CHANNEL_FILTERS, string>> = {
  status: "Only channels in this status: 1 enabled, 2 disabled by hand, 3 disabled by the gateway.",
  type: "Only channels of this type.",
  group: "Only channels that serve this group.",
  models: "Only channels that offer this model.",
  tag: "Only channels with this tag.",
  ids: "Only channels with these ids, separated by commas.",
};

export const listChannels = endpoint({
  method: "GET",
  path: "/api/channel/",
  guard: "admin",
  area: "channels",
  summary: "A page of the channels",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...CHANNEL_FILTER_PARAMETERS },
  sorts: CHANNEL_SORTS,
  filters: CHANNEL_FILTERS,
  data: listOf(channel),
  reads: "channels",
});

export const searchChannels = endpoint({
  method: "GET",
  path: "/api/channel/search",
  guard: "admin",
  area: "channels",
  summary: "Channels by id, by the beginning of the name, by tag, or by one whole key",
  query: {
    keyword: "An id, the beginning of a name, a tag, or a whole key.",
    ...LIMIT_PARAMETER,
    ...FOUND_PAGE_PARAMETER,
    ...SORT_PARAMETER,
    ...CHANNEL_FILTER_PARAMETERS,
  },
  sorts: CHANNEL_SORTS,
  filters: CHANNEL_FILTERS,
  data: listOf(channel),
  reads: "channels",
});

export const getChannel = endpoint({
  method: "GET",
  path: "/api/channel/:id",
  guard: "admin",
  area: "channels",
  summary: "One channel",
  data: channel,
  reads: "channels",
});

export const createChannels = endpoint({
  method: "POST",
  path: "/api/channel/",
  guard: "admin",
  area: "channels",
  summary: "Adds a channel for every line of the key, or one with all of them",
  body: createChannelBodySchema,
  changes: ["channels"],
});

export const copyChannel = endpoint({
  method: "POST",
  path: "/api/channel/copy/:id",
  guard: "admin",
  area: "channels",
  summary: "Adds a disabled copy of this channel, its keys included, and returns it",
  body: copyChannelBodySchema,
  data: optional(channel),
  changes: ["channels"],
});

export const changeChannel = endpoint({
  method: "PUT",
  path: "/api/channel/",
  guard: "admin",
  area: "channels",
  summary: "Changes a channel",
  body: updateChannelBodySchema,
  data: optional(channel),
  changes: ["channels"],
});

export const deleteDisabledChannels = endpoint({
  method: "DELETE",
  path: "/api/channel/disabled",
  guard: "admin",
  area: "channels",
  summary: "Deletes the disabled channels; returns their number",
  data: optional(count),
  changes: ["channels"],
});

export const deleteChannel = endpoint({
  method: "DELETE",
  path: "/api/channel/:id/",
  guard: "admin",
  area: "channels",
  summary: "Deletes a channel",
  changes: ["channels"],
});

export const exportChannels = endpoint({
  method: "GET",
  path: "/api/channel/export",
  guard: "admin",
  area: "channels",
  summary: "The channels, as a file without their keys",
  query: { ...CLOCK_PARAMETERS, ...FOUND_PARAMETER, ...CHANNEL_FILTER_PARAMETERS },
  isFile: true,
});
