import type { FetchModelsBody } from "@tollgate/contract/api/channel-upstream";
import {
  type Channel,
  type CreateChannelBody,
  MAX_CHANNEL_WORD,
  type UpdateChannelBody,
} from "@tollgate/contract/api/channels";
import {
  encodeBuyingRules,
  findBuyingDateFault,
  parseBuyingRules,
} from "@tollgate/contract/management/buying-price";
import {
  type ChannelCalendar,
  encodeChannelCalendar,
  parseChannelCalendar,
} from "@tollgate/contract/management/channel-calendar";
import { type ChannelLimits, pickChannelLimits } from "@tollgate/contract/management/channel-limits";
import { OverridesInvalid } from "@tollgate/contract/management/channel-override-checks";
import { HIDDEN_VALUE } from "@tollgate/contract/management/channel-override-headers";
import {
  type ChannelOverrides,
  hasHiddenHeaders,
  parseOverrides,
  revealHeaders,
} from "@tollgate/contract/management/channel-overrides";
import { readGroups } from "@tollgate/contract/management/group";
import { type ModelMapping, parseModelMapping } from "@tollgate/contract/management/model-mapping";
import type { ChannelChange, NewChannel } from "@tollgate/contract/records/channel-record";
import { isProxyAddress } from "@tollgate/contract/values/proxy-address";
import { splitList } from "@tollgate/contract/values/split-list";
import { CHANNEL_DISABLED_BY_HAND, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { stripEnd } from "@tollgate/contract/values/strip-end";
import { readKeyParts } from "@tollgate/relay/routing/key-parts";
import { isRegion } from "@tollgate/relay/routing/region-address";
import type { Vendor } from "@tollgate/vendors/define-vendor";
import { findVendor } from "@tollgate/vendors/vendors";
import { Failure } from "../failure";
import { splitDocuments, splitLines } from "./split-keys";

/* Validates a body of the calls that save channels, field by field (contract section 1.6). */

/** Maximum length of a channel's name, in characters. */
export const MAX_NAME = 100;

const readVendor = (type: number): Vendor => {
  const vendor = findVendor(type);
  if (!vendor) throw new Failure("channel-type-unknown", { type });
  return vendor;
};

/** Keys travel in a header: printable ASCII without blanks. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** @throws Failure that names the line of a key that cannot be one, and never the key. */
const readKeys = (text: string, vendor: Vendor): string[] => {
  const mayBeDocument = vendor.keyForms?.separator === "service-account";
  const pasted = mayBeDocument ? splitDocuments(text) : splitLines(text);
  const keys = pasted.map(({ key, line }) => {
    const isDocument = mayBeDocument && key.startsWith("{");
    if (!isDocument && !SENDABLE_KEY.test(key)) throw new Failure("channel-key-invalid");
    if (!readKeyParts(vendor, key)) throw keyMalformed(vendor, text.includes("\n") ? line : undefined);
    return key;
  });
  return [...new Set(keys)];
};

const keyMalformed = (vendor: Vendor, line: number | undefined): Failure => {
  const format = (vendor.keyForms?.forms ?? []).map((form) => form.text).join(" / ");
  return line === undefined
    ? new Failure("channel-key-malformed", { format })
    : new Failure("channel-key-malformed-line", { format, line });
};

/** @throws Failure */
export const readName = (name: string): string => {
  if (name.trim() === "") throw new Failure("channel-name-missing");
  if ([...name].length > MAX_NAME) throw new Failure("channel-name-too-long");
  return name;
};

/** An address that lists and logs may show: with a name and a password in it, which are never sent, it would be none. */
const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
};

const readBaseUrl = (text: string, vendor: Vendor): string => {
  const baseUrl = stripEnd(text.trim(), "/");
  if (baseUrl === "") {
    if (vendor.baseUrl === "") throw new Failure("channel-base-url-missing");
    return "";
  }
  if (!isAddress(baseUrl)) throw new Failure("channel-base-url-invalid");
  return baseUrl;
};

const readProxy = (text: string): string => {
  const proxy = text.trim();
  if (proxy === "") return "";
  if (!URL.canParse(proxy) || !isProxyAddress(new URL(proxy))) throw new Failure("channel-proxy-invalid");
  return proxy;
};

/** The vendor defines its meaning; only an address and a region can be validated. */
const readOther = (text: string, vendor: Vendor): string => {
  const other = text.trim();
  if (other === "") return "";
  const meaning = vendor.other?.meaning;
  if (meaning === "private-address" && !isAddress(other)) throw new Failure("channel-other-invalid");
  if (meaning === "region" && !isRegion(other)) throw new Failure("channel-region-invalid");
  return other;
};

const readModels = (text: string): string[] => {
  const models = splitList(text);
  if (models.length === 0) throw new Failure("channel-models-missing");
  return models;
};

const readMapping = (text: string): ModelMapping => {
  const mapping = parseModelMapping(text);
  if (!mapping) throw new Failure("channel-mapping-invalid");
  return mapping;
};

/**
 * @param stored the channel's text: a wrong date that it has from before refuses no other change.
 * @returns the same in one form, in the order of the dates.
 */
const readBuying = (text: string, stored = ""): string => {
  const rules = parseBuyingRules(text);
  if ("fault" in rules) throw new Failure("buying-prices-invalid", { place: rules.fault });
  const before = parseBuyingRules(stored);
  const wasWrong = !("fault" in before) && findBuyingDateFault(before) !== undefined;
  const wrong = wasWrong ? undefined : findBuyingDateFault(rules);
  if (wrong) throw new Failure("buying-prices-invalid", { place: wrong.fault });
  return encodeBuyingRules(rules);
};

const CONTROLS = /\p{Cc}/u;

/** A tag, or the name of a model: "" for none. */
const readWord = (text: string, field: "tag" | "test_model"): string => {
  const word = text.trim();
  if (CONTROLS.test(word) || word.length > MAX_CHANNEL_WORD)
    throw new Failure("channel-word-invalid", { max: MAX_CHANNEL_WORD }).at(field);
  return word;
};

const readCalendar = (text: string): ChannelCalendar => {
  const calendar = parseChannelCalendar(text);
  if (!calendar) throw new Failure("channel-calendar-invalid");
  return calendar;
};

/**
 * Changes to a channel's overrides of its requests.
 * @param stored decrypted: headers whose values were hidden keep their stored values.
 * @throws Failure that names the fault, never a header's value.
 */
const readRequestChanges = (
  text: string,
  stored: ChannelOverrides | undefined,
): ChannelOverrides | undefined => {
  try {
    const given = parseOverrides(text);
    const revealed = given && revealHeaders(given, stored);
    if (given && !revealed) throw new Failure("channel-headers-again");
    return revealed;
  } catch (error) {
    if (error instanceof OverridesInvalid)
      throw new Failure(`channel-overrides-${error.code}`, { field: error.at });
    throw error;
  }
};

/** A body that passes as it is keeps its model's name. */
const checkPassing = (changes: ChannelOverrides | undefined, mapping: ModelMapping): void => {
  const isMapped = Object.entries(mapping).some(([asked, sent]) => asked !== sent);
  if (changes?.passBody && isMapped)
    throw new Failure("channel-overrides-pass-alone", { field: "model_mapping" });
};

/** An administrator can only enable or disable a channel; only the gateway sets "disabled automatically". */
const readStatus = (status: number): number => {
  if (status !== CHANNEL_ENABLED && status !== CHANNEL_DISABLED_BY_HAND) throw new Failure("status-invalid");
  return status;
};

/** Meanings of `other` that are part of the address that receives a key. */
const ADDRESS_MEANINGS: ReadonlySet<string> = new Set(["private-address", "region"]);

/**
 * Whether a change sends a channel's stored key somewhere else. A stored key is never shown, so no administrator may
 * redirect it to an address of their choice either: changing the destination requires entering the key again.
 */
const movesKey = (known: Channel, vendor: Vendor, change: ChannelChange): boolean => {
  const { type, baseUrl, other, proxy } = change;
  return (
    type !== undefined ||
    (baseUrl !== undefined && (baseUrl || vendor.baseUrl) !== (known.baseUrl || vendor.baseUrl)) ||
    (other !== undefined && other !== known.other && ADDRESS_MEANINGS.has(vendor.other?.meaning ?? "")) ||
    // Without its proxy it is sent to the same address.
    (proxy !== undefined && proxy !== "")
  );
};

/**
 * The channels of a body: one for every key, or one with all keys.
 * @param createdTime unix seconds.
 * @throws Failure that names the fault.
 */
export const readNewChannels = (body: CreateChannelBody, createdTime: number): NewChannel[] => {
  const { status = CHANNEL_ENABLED, weight = 0, priority = 0, baseUrl = "", other = "", proxy = "" } = body;
  const { modelMapping = "", buyingPrices = "", tag = "", testModel = "", skipsTests = false } = body;
  const vendor = readVendor(body.type);
  const keys = readKeys(body.key, vendor);
  if (keys.length === 0) throw new Failure("channel-key-missing");
  const common: Omit<NewChannel, "key"> = {
    type: body.type,
    status: readStatus(status),
    name: readName(body.name),
    weight,
    priority,
    createdTime,
    baseUrl: readBaseUrl(baseUrl, vendor),
    other: readOther(other, vendor),
    models: readModels(body.models),
    groups: readGroups(body.groups),
    modelMapping: readMapping(modelMapping),
    proxy: readProxy(proxy),
    buyingPrices: readBuying(buyingPrices),
    tag: readWord(tag, "tag"),
    testModel: readWord(testModel, "test_model"),
    skipsTests,
    calendar: readCalendar(body.calendar ?? ""),
    requestChanges: readRequestChanges(body.overrides ?? "", undefined),
    ...pickChannelLimits(body),
  };
  checkPassing(common.requestChanges, common.modelMapping);
  const secrets = body.isMultiKey ? [keys.join("\n")] : keys;
  return secrets.map((key) => ({ ...common, key }));
};

/**
 * Whether hidden values of headers stay: the stored ones, or those that are sent back hidden. Compares parsed values,
 * since a text may spell a value in many ways.
 */
const keepsHeaders = (text: string | undefined, stored: ChannelOverrides | undefined): boolean =>
  hasHiddenHeaders(stored) &&
  (text === undefined || Object.values(parseOverrides(text)?.headers ?? {}).includes(HIDDEN_VALUE));

/** @throws Failure where stored secrets would go to another address. */
const checkSecretsAgain = (
  keys: readonly string[],
  overrides: string | undefined,
  stored: ChannelOverrides | undefined,
): void => {
  if (keys.length === 0) throw new Failure("channel-key-again");
  if (keepsHeaders(overrides, stored)) throw new Failure("channel-headers-again");
};

/** The change by a body's value; none where it is absent, or the value that stands for no change. */
const given = <Value, Change>(
  value: Value | undefined,
  unchanged: Value | undefined,
  read: (value: Value) => Change,
): Change | undefined => (value === undefined || value === unchanged ? undefined : read(value));

/**
 * Changes to a channel from a body.
 * @param stored its overrides, decrypted.
 * @throws Failure that names the fault, or requires the key again.
 */
export const readChannelChange = (
  body: UpdateChannelBody,
  known: Channel,
  stored?: ChannelOverrides,
): ChannelChange => {
  const type = body.type || known.type;
  const vendor = readVendor(type);
  const keys = readKeys(body.key ?? "", vendor);
  const isSameType = type === known.type;
  const change: ChannelChange = {
    ...(isSameType ? {} : { type }),
    ...(keys.length === 0 ? {} : { key: keys.join("\n") }),
    ...given(body.status || known.status, known.status, (status) => ({
      status: readStatus(status),
      deadKeys: [],
    })),
    ...given(body.name, "", (name) => ({ name: readName(name) })),
    ...given(body.weight, undefined, (weight) => ({ weight })),
    ...given(body.priority, undefined, (priority) => ({ priority })),
    ...given(body.baseUrl ?? (isSameType ? undefined : known.baseUrl), undefined, (baseUrl) => ({
      baseUrl: readBaseUrl(baseUrl, vendor),
    })),
    // An empty one stays as it is, but for another type it means something else.
    ...given(body.other, isSameType ? "" : undefined, (other) => ({ other: readOther(other, vendor) })),
    ...given(body.models, "", (models) => ({ models: readModels(models) })),
    ...given(body.groups, "", (groups) => ({ groups: readGroups(groups) })),
    ...given(body.proxy?.trim(), known.proxy, (proxy) => ({ proxy: readProxy(proxy) })),
    ...given(body.modelMapping, undefined, (mapping) => ({ modelMapping: readMapping(mapping) })),
    ...given(body.buyingPrices, undefined, (prices) => ({
      buyingPrices: readBuying(prices, known.buyingPrices),
    })),
    ...given(body.tag, undefined, (tag) => ({ tag: readWord(tag, "tag") })),
    ...given(body.testModel, undefined, (model) => ({ testModel: readWord(model, "test_model") })),
    ...given(body.skipsTests, undefined, (skipsTests) => ({ skipsTests })),
    ...given(body.calendar, undefined, (calendar) => calendarChange(calendar, known)),
    ...given(body.overrides, undefined, (overrides) => ({
      requestChanges: readRequestChanges(overrides, stored),
    })),
    ...givenLimits(body),
  };
  checkPassing(
    "requestChanges" in change ? change.requestChanges : stored,
    change.modelMapping ?? known.modelMapping,
  );
  if (movesKey(known, vendor, change)) {
    checkSecretsAgain(keys, body.overrides, stored);
    // As they were read, without secrets: those that a person adds meanwhile are not for the new address.
    if (body.overrides === undefined) change.requestChanges = stored;
  }
  const bringsSecret = keys.length > 0 || hasHiddenHeaders(change.requestChanges);
  const { baseUrl, other, proxy } = known;
  return bringsSecret ? { ...change, ifRouteUnchanged: { type: known.type, baseUrl, other, proxy } } : change;
};

/** A calendar as it was leaves the sums of its windows as they are. */
const calendarChange = (text: string, known: Channel): Pick<ChannelChange, "calendar"> => {
  const calendar = readCalendar(text);
  const isSame = encodeChannelCalendar(calendar) === encodeChannelCalendar(known.calendar);
  return isSame ? {} : { calendar };
};

/** The limits that a body names: those that it does not stay. */
const givenLimits = (body: UpdateChannelBody): ChannelLimits =>
  Object.fromEntries(Object.entries(pickChannelLimits(body)).filter(([, limit]) => limit !== undefined));

/** Fields that do not affect how a channel is reached. */
const UNSAID = {
  name: undefined,
  models: undefined,
  groups: undefined,
  modelMapping: undefined,
  priority: undefined,
  weight: undefined,
  status: undefined,
  buyingPrices: undefined,
  tag: undefined,
  testModel: undefined,
  skipsTests: undefined,
  calendar: undefined,
  ...pickChannelLimits({}),
};

/** Placeholders for fields that only a stored channel requires. */
const NOT_KEPT = { ...UNSAID, name: "asked", models: "any" };

/**
 * Reads a channel that is not stored, for requests to its upstream.
 * @throws Failure that names the fault.
 */
export const readChannelToAsk = (body: FetchModelsBody): NewChannel | undefined =>
  readNewChannels(
    { ...NOT_KEPT, ...body, type: body.type ?? 0, key: body.key ?? "", isMultiKey: true },
    0,
  )[0];

/**
 * Differences between a form's channel and the stored one, in the fields that affect how it is reached.
 * @throws Failure that names the fault, or requires the key again.
 */
export const readChannelToAskAgain = (
  body: FetchModelsBody,
  known: Channel,
  stored: ChannelOverrides | undefined,
): ChannelChange => readChannelChange({ ...UNSAID, ...body, id: known.id }, known, stored);
