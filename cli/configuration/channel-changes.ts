import {
  changeChannel,
  createChannelBodySchema,
  createChannels,
  deleteChannel,
  updateChannelBodySchema,
} from "@tollgate/contract/api/channels";
import { USE_AS_PROXY, useOfChannelHeader, useOfChannelKey } from "@tollgate/contract/api/configuration";
import { encodeBuyingRules, parseBuyingRules } from "@tollgate/contract/management/buying-price";
import { encodeChannelCalendar } from "@tollgate/contract/management/channel-calendar";
import { CHANNEL_LIMITS } from "@tollgate/contract/management/channel-limits";
import { OverridesInvalid } from "@tollgate/contract/management/channel-override-checks";
import { type ChannelOverrides, encodeOverrides } from "@tollgate/contract/management/channel-overrides";
import { readGroups } from "@tollgate/contract/management/group";
import { requestOf } from "@tollgate/contract/resource/endpoint";
import { limitNames } from "@tollgate/contract/resource/limits";
import { splitList } from "@tollgate/contract/values/split-list";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { readChannelChange, readNewChannels } from "@tollgate/server/management-api/channels/channel-fields";
import { splitDocuments, splitLines } from "@tollgate/server/management-api/channels/split-keys";
import { Failure } from "@tollgate/server/management-api/failure";
import { findVendor } from "@tollgate/vendors/vendors";
import type * as z from "zod/mini";
import type { CurrentChannel, FileChannel } from "./configuration";
import { currentOverrides, formatOverridesFault, overridesChange, readFileOverrides } from "./file-overrides";
import { canonical } from "./option-value";
import {
  CHANGED,
  type ChannelSecrets,
  explain,
  type FieldChange,
  type PlannedChange,
  type Sides,
} from "./planned-change";

/** Fields that are compared as they are. */
const PLAIN_FIELDS = [
  ...(["type", "base_url", "other", "model_mapping", "priority", "weight", "buying_prices"] as const),
  ...(["tag", "test_model", "skip_tests", "calendar"] as const),
  ...limitNames(CHANNEL_LIMITS),
] as const;
const LISTS = ["models", "groups"] as const;

const isEnabled = ({ status }: CurrentChannel): boolean => status !== CHANNEL_DISABLED_BY_HAND;

const sorted = (list: readonly string[]): string => canonical([...new Set(list)].sort());

/** Sorted by date; invalid rules stay as they are, and are refused. */
const normalizedBuying = (written: unknown): unknown => {
  const rules = written === undefined ? { rules: [] } : parseBuyingRules(JSON.stringify(written));
  if ("fault" in rules) return written;
  const text = encodeBuyingRules(rules);
  return text === "" ? undefined : JSON.parse(text);
};

/** A channel in the server's stored form. */
const normalized = (wanted: FileChannel): FileChannel => ({
  ...wanted,
  buying_prices: normalizedBuying(wanted.buying_prices),
  base_url: stripEnd(wanted.base_url.trim(), "/"),
  other: wanted.other.trim(),
  models: splitList(wanted.models.join(",")),
  groups: readGroups(wanted.groups.join(",")),
});

const normalizedKey = (type: number, text: string): string => {
  const split = findVendor(type)?.keyForms?.separator === "service-account" ? splitDocuments : splitLines;
  return [...new Set(split(text).map(({ key }) => key))].join("\n");
};

/** Returns the differing fields of a channel; secrets that the file leaves out are not compared. */
const channelFields = (
  was: CurrentChannel,
  wanted: FileChannel,
  secrets: {
    before: ChannelSecrets;
    key: string | undefined;
    proxy: string | undefined;
    overrides: ChannelOverrides | undefined;
  },
): FieldChange[] => {
  const fields: FieldChange[] = [];
  for (const field of PLAIN_FIELDS) {
    if (canonical(was[field]) !== canonical(wanted[field]))
      fields.push({ field, before: was[field], after: wanted[field] });
  }
  for (const field of LISTS) {
    if (sorted(was[field]) !== sorted(wanted[field]))
      fields.push({ field, before: was[field], after: wanted[field] });
  }
  if (isEnabled(was) !== wanted.enabled)
    fields.push({ field: "enabled", before: isEnabled(was), after: wanted.enabled });
  const { before, key, proxy, overrides } = secrets;
  const override = overridesChange(currentOverrides(was.shownOverrides, before.headers), overrides);
  if (override) fields.push({ field: "overrides", ...override });
  if (proxy !== undefined && proxy.trim() !== before.proxy) fields.push({ field: "proxy", ...CHANGED });
  if (key !== undefined && normalizedKey(wanted.type, key) !== before.key)
    fields.push({ field: "key", ...CHANGED });
  return fields;
};

/** The fields of a channel as they are sent; a blank stands for "empty this", which "" does not say (updateChannelBodySchema). */
const sentFields = ({ models, groups, calendar, buying_prices, enabled, ...wanted }: FileChannel) => ({
  ...Object.fromEntries(limitNames(CHANNEL_LIMITS).map((name) => [name, wanted[name]])),
  type: wanted.type,
  base_url: wanted.base_url,
  other: wanted.other || " ",
  // A blank for an empty list: "" would leave the stored one, and the next run would plan the same change.
  models: models.join(",") || " ",
  groups: groups.join(","),
  model_mapping: JSON.stringify(wanted.model_mapping),
  priority: wanted.priority,
  weight: wanted.weight,
  buying_prices: buying_prices === undefined ? "" : JSON.stringify(buying_prices),
  tag: wanted.tag,
  test_model: wanted.test_model,
  skip_tests: wanted.skip_tests,
  calendar: encodeChannelCalendar(calendar),
  enabled: enabled ? CHANNEL_ENABLED : CHANNEL_DISABLED_BY_HAND,
});

/** The names of fields on the wire, where a file has other ones. */
const WIRE_NAMES: Readonly<Record<string, string>> = { groups: "group", enabled: "status" };

/** A channel's wire body with some of its fields. */
const bodyOf = (wanted: FileChannel, fields: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(sentFields(wanted))
      // The address goes with the type, which tells the default one.
      .filter(([field]) => fields.has(field) || (field === "base_url" && fields.has("type")))
      .map(([field, value]) => [WIRE_NAMES[field] ?? field, value]),
  );

/** Addresses that a key may be sent to (channel-fields.ts): who changes one sends the key along. */
const MOVING = ["type", "base_url", "other", "proxy"];

/** Groups indexes of channels by the channels' names. */
const indexesByName = (channels: readonly { name: string }[]): ReadonlyMap<string, number[]> => {
  const indexes = new Map<string, number[]>();
  for (const [index, { name }] of channels.entries())
    indexes.set(name, [...(indexes.get(name) ?? []), index]);
  return indexes;
};

/** Pairs channels of the same name in their order. */
const pairChannels = (
  { file, current: { channels } }: Sides,
  wanted: readonly FileChannel[],
): { pairs: Map<number, CurrentChannel>; rest: CurrentChannel[] } => {
  const known = indexesByName(channels);
  const named = indexesByName(wanted);
  const pairs = new Map<number, CurrentChannel>();
  for (const [name, indexes] of named) {
    const found = known.get(name) ?? [];
    const isClear = found.length === 0 || found.length === indexes.length;
    if (!isClear)
      file.refuse(
        ["channels", indexes.at(-1) ?? 0, "name"],
        `${indexes.length} channels are called ${JSON.stringify(name)} here and ${found.length} in the gateway, so that it cannot be told which is which: name them apart`,
      );
    for (const [place, index] of indexes.entries()) {
      const channel = channels[found[place] ?? -1];
      if (channel) pairs.set(index, channel);
    }
  }
  return { pairs, rest: channels.filter(({ name }) => !named.has(name)) };
};

const NO_SECRETS: ChannelSecrets = { key: "", proxy: "", headers: {} };

/** A channel of a file, in clear. */
interface Wanted {
  channel: FileChannel;
  key: string | undefined;
  proxy: string | undefined;
  overrides: ChannelOverrides | undefined;
}

/** @throws FileFault */
const revealed = (sides: Sides, channel: FileChannel, path: readonly (string | number)[]): Wanted => {
  const { reveal } = sides;
  const use = useOfChannelKey({ ...channel, baseUrl: channel.base_url });
  return {
    channel,
    key: channel.key === undefined ? undefined : reveal(channel.key, [...path, "key"], use),
    proxy: channel.proxy === undefined ? undefined : reveal(channel.proxy, [...path, "proxy"], USE_AS_PROXY),
    overrides: overridesOf(sides, channel, path),
  };
};

/** @throws Failure for a channel that the server would refuse. */
const createChange = ({ channel, key = "", proxy, overrides }: Wanted): PlannedChange => {
  const { name } = channel;
  const body = {
    name,
    key,
    multi_key: true,
    ...bodyOf(channel, new Set([...PLAIN_FIELDS, ...LISTS, "enabled"])),
    ...(proxy === undefined ? {} : { proxy }),
    ...(overrides ? { overrides: encodeOverrides(overrides) } : {}),
  } as z.input<typeof createChannelBodySchema>;
  readNewChannels(createChannelBodySchema.parse(body), 0);
  const fields = [...PLAIN_FIELDS, ...LISTS].map((field) => ({ field, after: channel[field] }));
  return { sign: "+", what: "channel", name, fields, call: requestOf(createChannels, { body }) };
};

/** @returns undefined for no difference. @throws Failure for a channel that the server would refuse. */
const editChange = (
  { channel, key, proxy, overrides }: Wanted,
  was: CurrentChannel,
  before: ChannelSecrets,
): PlannedChange | undefined => {
  const fields = channelFields(was, channel, { before, key, proxy, overrides });
  if (fields.length === 0) return undefined;
  const changed = new Set(fields.map(({ field }) => field));
  const sendsKey = changed.has("key") || MOVING.some((field) => changed.has(field));
  // Where a header is sent to is part of it, as for a key.
  const sendsOverrides = changed.has("overrides") || (sendsKey && overrides !== undefined);
  const body = {
    id: was.id,
    ...bodyOf(channel, changed),
    ...(sendsKey && key !== undefined ? { key } : {}),
    ...(changed.has("proxy") ? { proxy } : {}),
    ...(sendsOverrides ? { overrides: encodeOverrides(overrides) } : {}),
  };
  const stored = currentOverrides(was.shownOverrides, before.headers);
  readChannelChange(updateChannelBodySchema.parse(body), knownOf(was), stored);
  return {
    sign: "~",
    what: "channel",
    name: channel.name,
    fields,
    call: requestOf(changeChannel, { body }),
  };
};

const findChannelChange = (
  sides: Sides,
  written: FileChannel,
  index: number,
  was: CurrentChannel | undefined,
): PlannedChange | undefined => {
  const { file, channelSecrets } = sides;
  const path = ["channels", index];
  const wanted = revealed(sides, normalized(written), path);
  const { channel, key } = wanted;
  // On the wire an empty list leaves the models as they are: only a channel that has none may stay without.
  if (channel.models.length === 0 && was?.models.length !== 0)
    return file.refuse(
      [...path, "models"],
      explain(new Failure("channel-models-missing")).replace(/\.$/, ""),
    );
  if (!was && (key ?? "") === "")
    return file.refuse(path, `the channel ${JSON.stringify(channel.name)} is new and needs a key`);
  try {
    return was ? editChange(wanted, was, channelSecrets.get(was.id) ?? NO_SECRETS) : createChange(wanted);
  } catch (error) {
    return file.refuse(path, explain(error));
  }
};

/** A channel's overrides as a file says them. @throws FileFault */
const overridesOf = (
  { file, reveal }: Sides,
  wanted: FileChannel,
  path: readonly (string | number)[],
): ChannelOverrides | undefined => {
  const place = [...path, "overrides"];
  const address = { ...wanted, baseUrl: wanted.base_url };
  try {
    return readFileOverrides(wanted.overrides, (source, header) =>
      reveal(source, [...place, "headers", header], useOfChannelHeader(address, header)),
    );
  } catch (error) {
    if (error instanceof OverridesInvalid) return file.refuse(place, formatOverridesFault(error));
    throw error;
  }
};

/** Input of the server's own check of a channel. */
const knownOf = (was: CurrentChannel) => ({
  ...was,
  createdTime: 0,
  testTime: 0,
  responseTimeMs: 0,
  baseUrl: was.base_url,
  balance: 0,
  balanceUpdatedTime: 0,
  usedQuota: 0,
  modelMapping: was.model_mapping,
  buyingPrices: undefined,
  keyCount: 1,
  deadKeyCount: 0,
  proxy: was.shownProxy,
  testModel: was.test_model,
  skipsTests: was.skip_tests,
  closedUntil: 0,
  usedRequests: 0,
  spentSinceTyped: 0,
});

/** Returns the changes that make the channels equal to a file. @throws FileFault */
export const findChannelChanges = (sides: Sides): PlannedChange[] => {
  const wanted = sides.file.configuration.channels;
  if (!wanted) return [];
  const { pairs, rest } = pairChannels(sides, wanted);
  const changes = wanted.flatMap(
    (channel, index) => findChannelChange(sides, channel, index, pairs.get(index)) ?? [],
  );
  if (!sides.prune) return changes;
  return [
    ...changes,
    ...rest.map(
      ({ id, name }): PlannedChange => ({
        sign: "-",
        what: "channel",
        name,
        fields: [],
        call: requestOf(deleteChannel, { params: { id } }),
      }),
    ),
  ];
};
