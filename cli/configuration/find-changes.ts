import {
  changeChannel,
  createChannelBodySchema,
  createChannels,
  deleteChannel,
  encodeChannelBody,
  updateChannelBodySchema,
} from "@tollgate/contract/api/channels";
import {
  USE_AS_PROXY,
  useOfChannelHeader,
  useOfChannelKey,
  useOfOption,
} from "@tollgate/contract/api/configuration";
import { changeOption } from "@tollgate/contract/api/options";
import { encodeBuyingRules, parseBuyingRules } from "@tollgate/contract/management/buying-price";
import { encodeChannelCalendar } from "@tollgate/contract/management/channel-calendar";
import {
  type ChannelOverrides,
  encodeOverrides,
  OverridesInvalid,
} from "@tollgate/contract/management/channel-overrides";
import { readGroups } from "@tollgate/contract/management/group";
import { isSecretOption } from "@tollgate/contract/options/option-rights";
import { entryOf, OPTION_KEYS, type OptionKey } from "@tollgate/contract/options/options";
import { requestOf } from "@tollgate/contract/resource/endpoint";
import { splitList } from "@tollgate/contract/values/split-list";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import { say } from "@tollgate/server/locales/languages";
import { readChannelChange, readNewChannels } from "@tollgate/server/management-api/channels/channel-fields";
import { splitDocuments, splitLines } from "@tollgate/server/management-api/channels/split-keys";
import { Failure } from "@tollgate/server/management-api/failure";
import { checkOption, defaultOf } from "@tollgate/server/state/options";
import { findVendor } from "@tollgate/vendors/vendors";
import type * as z from "zod/mini";
import type { OperatorApi, OperatorCall } from "../operator/operator-api";
import type { CurrentChannel, FileChannel, SecretSource } from "./configuration";
import { currentOverrides, formatOverridesFault, overridesChange, readFileOverrides } from "./file-overrides";
import { canonical, meansSame, readOptionText, writeOptionText } from "./option-value";
import type { ConfigurationFile } from "./read-file";
import type { CurrentState } from "./read-gateway";

/** What becomes of one field; a secret's values are not in it. */
export interface FieldChange {
  field: string;
  before?: unknown;
  after?: unknown;
}

/** What would be done to one option or channel. */
export interface PlannedChange {
  sign: "+" | "~" | "-";
  what: "option" | "channel" | "user" | "plan";
  name: string;
  fields: FieldChange[];
  call?: OperatorCall;
  /** What is to be done after it, where that depends on what it has made. */
  after?(api: OperatorApi): Promise<void>;
}

/** What of a channel is not shown, in clear. */
export interface ChannelSecrets {
  key: string;
  proxy: string;
  /** Values of its overrides' headers, by their names. */
  headers: Readonly<Record<string, string>>;
}

/** Both sides with their secrets in clear. */
export interface Sides {
  file: ConfigurationFile;
  current: CurrentState;
  /** Of each channel now, by its id. */
  channelSecrets: ReadonlyMap<number, ChannelSecrets>;
  optionSecrets: ReadonlyMap<string, string>;
  /** What a secret of the file is. @param use that the file makes of it. @throws FileFault */
  reveal(source: SecretSource, path: readonly (string | number)[], use: string): string;
  /** Also takes away what the file does not name. */
  prune: boolean;
}

/** What stands for a secret in what is shown. */
const CHANGED = { before: "(secret)", after: "(changed)" };

/** A refusal of the server's own checks as a sentence. @throws what is none. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Failure)) throw error;
  return say("en", error.key, error.params);
};

/** One field of an object of an option for each name that differs. */
const fieldsOf = (before: unknown, after: unknown): FieldChange[] => {
  if (!isRecord(before) || !isRecord(after)) return [{ field: "", before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => canonical(before[name]) !== canonical(after[name]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
};

const putOption = (key: OptionKey, value: string): OperatorCall =>
  requestOf(changeOption, { body: { key, value } });

const findOptionChanges = ({ file, current, optionSecrets, reveal, prune }: Sides): PlannedChange[] => {
  const wanted = new Map<OptionKey, string>();
  for (const [key, value] of file.configuration.options) {
    const path = ["options", key];
    const text = isSecretOption(key)
      ? reveal(value as SecretSource, path, useOfOption(key))
      : writeOptionText(key, value);
    if (text !== undefined) wanted.set(key, text);
  }
  const textNow = (key: OptionKey): string =>
    (isSecretOption(key) ? optionSecrets.get(key) : current.options.get(key)) ?? "";
  const textOf = (key: OptionKey): string => wanted.get(key) ?? textNow(key);
  const changes: PlannedChange[] = [];
  const isSwitch = (key: OptionKey): boolean => entryOf(key).type === "switch";
  // Switches last: what they need is there then.
  for (const [key, value] of [...wanted].sort(([a], [b]) => Number(isSwitch(a)) - Number(isSwitch(b)))) {
    try {
      checkOption(key, value, textOf);
    } catch (error) {
      file.refuse(["options", key], explain(error));
    }
    const before = textNow(key);
    const isSecret = isSecretOption(key);
    if (isSecret ? before === value : meansSame(key, before, value)) continue;
    const isNew = isSecret ? before === "" : meansSame(key, before, defaultOf(key));
    const fields = isSecret
      ? [{ field: "", ...CHANGED }]
      : fieldsOf(readOptionText(key, before), readOptionText(key, value));
    changes.push({ sign: isNew ? "+" : "~", what: "option", name: key, fields, call: putOption(key, value) });
  }
  if (!prune) return changes;
  for (const key of OPTION_KEYS) {
    // Nobody can have meant a secret by not writing it down.
    if (wanted.has(key) || isSecretOption(key) || meansSame(key, textNow(key), defaultOf(key))) continue;
    const fields = fieldsOf(readOptionText(key, textNow(key)), readOptionText(key, defaultOf(key)));
    changes.push({ sign: "-", what: "option", name: key, fields, call: putOption(key, defaultOf(key)) });
  }
  return changes;
};

const PLAIN_FIELDS = [
  "type",
  "base_url",
  "other",
  "model_mapping",
  "priority",
  "weight",
  "buying_prices",
  "tag",
  "test_model",
  "skip_tests",
  "calendar",
  "rpm",
  "tpm",
  "concurrency",
  "key_rpm",
  "key_tpm",
  "key_concurrency",
] as const;
const LISTS = ["models", "groups"] as const;

const isEnabled = ({ status }: CurrentChannel): boolean => status !== CHANNEL_DISABLED_BY_HAND;

const sorted = (list: readonly string[]): string => canonical([...new Set(list)].sort());

/** In the order of the dates; what is wrong stays as it is, and is refused. */
const normalizedBuying = (written: unknown): unknown => {
  const rules = written === undefined ? { rules: [] } : parseBuyingRules(JSON.stringify(written));
  if ("fault" in rules) return written;
  const text = encodeBuyingRules(rules);
  return text === "" ? undefined : JSON.parse(text);
};

/** As the server keeps what is written down. */
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

/** What of a channel differs; secrets that the file leaves out are not looked at. */
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

/** A channel's wire body; a blank stands for "empty this", which "" does not say (updateChannelBodySchema). */
const bodyOf = (wanted: FileChannel, changed: ReadonlySet<string>, key?: string, proxy?: string) => {
  const has = <T>(field: string, value: T): T | undefined => (changed.has(field) ? value : undefined);
  return {
    type: has("type", wanted.type),
    baseUrl: has("base_url", wanted.base_url) ?? has("type", wanted.base_url),
    other: has("other", wanted.other || " "),
    // A blank for an empty list: "" would leave the stored one, and the next run would plan the same change.
    models: has("models", wanted.models.join(",") || " "),
    groups: has("groups", wanted.groups.join(",")),
    modelMapping: has("model_mapping", JSON.stringify(wanted.model_mapping)),
    priority: has("priority", wanted.priority),
    weight: has("weight", wanted.weight),
    buyingPrices: has(
      "buying_prices",
      wanted.buying_prices === undefined ? "" : JSON.stringify(wanted.buying_prices),
    ),
    tag: has("tag", wanted.tag),
    testModel: has("test_model", wanted.test_model),
    skipsTests: has("skip_tests", wanted.skip_tests),
    calendar: has("calendar", encodeChannelCalendar(wanted.calendar)),
    rpm: has("rpm", wanted.rpm),
    tpm: has("tpm", wanted.tpm),
    concurrency: has("concurrency", wanted.concurrency),
    keyRpm: has("key_rpm", wanted.key_rpm),
    keyTpm: has("key_tpm", wanted.key_tpm),
    keyConcurrency: has("key_concurrency", wanted.key_concurrency),
    status: has("enabled", wanted.enabled ? CHANNEL_ENABLED : CHANNEL_DISABLED_BY_HAND),
    key,
    proxy,
  };
};

/** Addresses that a key may be sent to (channel-fields.ts): who changes one sends the key along. */
const MOVING = ["type", "base_url", "other", "proxy"];

const withoutUndefined = <T extends object>(body: T): T =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T;

/** Pairs channels of the same name in their order. */
const pairChannels = (
  { file, current }: Sides,
  wanted: readonly FileChannel[],
): { pairs: Map<number, CurrentChannel>; rest: CurrentChannel[] } => {
  const byName = new Map<string, CurrentChannel[]>();
  for (const channel of current.channels)
    byName.set(channel.name, [...(byName.get(channel.name) ?? []), channel]);
  const counts = new Map<string, number[]>();
  for (const [index, { name }] of wanted.entries()) counts.set(name, [...(counts.get(name) ?? []), index]);
  const pairs = new Map<number, CurrentChannel>();
  const rest: CurrentChannel[] = [];
  for (const [name, indexes] of counts) {
    const known = byName.get(name) ?? [];
    const isClear =
      known.length === 0 || known.length === indexes.length || (known.length <= 1 && indexes.length <= 1);
    if (!isClear)
      file.refuse(
        ["channels", indexes.at(-1) ?? 0, "name"],
        `${indexes.length} channels are called ${JSON.stringify(name)} here and ${known.length} in the gateway, so that nobody can tell which is which: name them apart`,
      );
    for (const [place, index] of indexes.entries()) {
      const channel = known[place];
      if (channel) pairs.set(index, channel);
    }
  }
  for (const channel of current.channels) if (!counts.has(channel.name)) rest.push(channel);
  return { pairs, rest };
};

const NO_SECRETS: ChannelSecrets = { key: "", proxy: "", headers: {} };

const findChannelChange = (
  sides: Sides,
  written: FileChannel,
  index: number,
  was: CurrentChannel | undefined,
): PlannedChange | undefined => {
  const wanted = normalized(written);
  const { file, channelSecrets, reveal } = sides;
  const path = ["channels", index];
  const use = useOfChannelKey({ ...wanted, baseUrl: wanted.base_url });
  const key = wanted.key === undefined ? undefined : reveal(wanted.key, [...path, "key"], use);
  const proxy =
    wanted.proxy === undefined ? undefined : reveal(wanted.proxy, [...path, "proxy"], USE_AS_PROXY);
  const { name } = wanted;
  // On the wire an empty list leaves the models as they are: only a channel that has none may stay without.
  if (wanted.models.length === 0 && was?.models.length !== 0)
    return file.refuse(
      [...path, "models"],
      explain(new Failure("channel-models-missing")).replace(/\.$/, ""),
    );
  const overrides = overridesOf(sides, wanted, path);
  try {
    if (!was) {
      if (key === undefined || key === "")
        return file.refuse(path, `the channel ${JSON.stringify(name)} is new and needs a key`);
      const all = new Set([...PLAIN_FIELDS, ...LISTS, "enabled"]);
      const body = encodeChannelBody({
        ...bodyOf(wanted, all, key, proxy),
        ...(overrides ? { overrides: encodeOverrides(overrides) } : {}),
        name,
        isMultiKey: true,
      });
      readNewChannels(createChannelBodySchema.parse(body), 0);
      const fields = [...PLAIN_FIELDS, ...LISTS].map((field) => ({ field, after: wanted[field] }));
      return {
        sign: "+",
        what: "channel",
        name,
        fields,
        // The schema above has checked it.
        call: requestOf(createChannels, { body: body as z.input<typeof createChannelBodySchema> }),
      };
    }
    const before = channelSecrets.get(was.id) ?? NO_SECRETS;
    const fields = channelFields(was, wanted, { before, key, proxy, overrides });
    if (fields.length === 0) return undefined;
    const changed = new Set(fields.map(({ field }) => field));
    const sendsKey = changed.has("key") || MOVING.some((field) => changed.has(field));
    const body = withoutUndefined(
      encodeChannelBody({
        id: was.id,
        ...withoutUndefined(
          bodyOf(wanted, changed, sendsKey ? key : undefined, changed.has("proxy") ? proxy : undefined),
        ),
        // Where a header is sent to is part of it, as for a key.
        ...(changed.has("overrides") || (sendsKey && overrides)
          ? { overrides: encodeOverrides(overrides) }
          : {}),
      }),
    );
    const stored = currentOverrides(was.shownOverrides, before.headers);
    readChannelChange(updateChannelBodySchema.parse(body), knownOf(was), stored);
    return { sign: "~", what: "channel", name, fields, call: requestOf(changeChannel, { body }) };
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

/** What the server's own check is told of a channel. */
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

const findChannelChanges = (sides: Sides): PlannedChange[] => {
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

/**
 * What it takes to make options and channels what a file says. Everything is checked as the server would check it.
 * @throws FileFault with the line of what the server would refuse.
 */
export const findChanges = (sides: Sides): PlannedChange[] => [
  ...findOptionChanges(sides),
  ...findChannelChanges(sides),
];
