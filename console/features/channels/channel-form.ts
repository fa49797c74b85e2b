import { type Channel, encodeChannelBody, parseModelMapping } from "@tollgate/contract/api/channels";
import { type ChannelCalendar, encodeChannelCalendar } from "@tollgate/contract/management/channel-calendar";
import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";
import * as z from "zod/mini";
import {
  type ChannelLimitFields,
  changedChannelLimits,
  channelLimitSchema,
  NO_CHANNEL_LIMITS,
  toChannelLimitFields,
} from "./channel-limits";
import {
  findOverrideMistake,
  NO_OVERRIDES,
  type OverrideFields,
  toOverrideFields,
  toOverridesText,
} from "./override-fields";

/** A channel as its form holds it. */
export interface ChannelFields {
  type: number;
  name: string;
  groups: string[];
  models: string[];
  /** The JSON text of the model mapping. */
  mapping: string;
  key: string;
  baseUrl: string;
  other: string;
  /** Address of an HTTP proxy. */
  proxy: string;
  /** Several keys make one channel instead of one each. */
  isMultiKey: boolean;
  tag: string;
  /** The model that it is tested with; "" for the usual one. */
  testModel: string;
  skipsTests: boolean;
  /** Its end is not a number where what was typed is no time. */
  calendar: ChannelCalendar;
  overrides: OverrideFields;

  limits: ChannelLimitFields;
}

export const NEW_CHANNEL: ChannelFields = {
  type: 1,
  name: "",
  groups: ["default"],
  models: [],
  mapping: "",
  key: "",
  baseUrl: "",
  other: "",
  proxy: "",
  isMultiKey: false,
  tag: "",
  testModel: "",
  skipsTests: false,
  calendar: {},
  overrides: NO_OVERRIDES,
  limits: NO_CHANNEL_LIMITS,
};

/** Whether the endpoint must be said: the vendor has no address of its own. */
export const needsBaseUrl = (type: number): boolean => VENDOR_FORMS[type]?.baseUrl === "";

const isProxy = (text: string): boolean =>
  text.trim() === "" || (/^https?:\/\//.test(text.trim()) && URL.canParse(text.trim()));

/** Mistakes are named by their locale keys. */
export const channelFieldsSchema = (isNew: boolean) =>
  z
    .object({
      type: z.number(),
      name: z.string().check(z.refine((name) => !isNew || name.trim() !== "", "field.missing")),
      groups: z.array(z.string()).check(z.minLength(1, "field.missing")),
      models: z.array(z.string()).check(z.minLength(1, "channelForm.modelsMissing")),
      mapping: z
        .string()
        .check(z.refine((text) => parseModelMapping(text) !== undefined, "channelForm.mappingInvalid")),
      key: z.string().check(z.refine((key) => !isNew || key.trim() !== "", "field.missing")),
      baseUrl: z.string(),
      other: z.string(),
      proxy: z.string().check(z.refine(isProxy, "channelForm.proxyInvalid")),
      isMultiKey: z.boolean(),
      tag: z.string(),
      testModel: z.string(),
      skipsTests: z.boolean(),
      calendar: z
        .custom<ChannelCalendar>()
        .check(z.refine(({ endsAt }) => endsAt === undefined || endsAt > 0, "calendar.endsAtInvalid")),
      overrides: z
        .custom<OverrideFields>()
        .check(z.refine((fields) => findOverrideMistake(fields) === undefined, "channelOverrides.invalid")),
      limits: channelLimitSchema,
    })
    .check(
      z.refine((fields) => !needsBaseUrl(fields.type) || fields.baseUrl.trim() !== "", {
        path: ["baseUrl"],
        error: "field.missing",
      }),
    );

export const toChannelFields = (channel: Channel): ChannelFields => ({
  type: channel.type,
  name: channel.name,
  groups: channel.groups,
  models: channel.models,
  mapping:
    Object.keys(channel.modelMapping).length === 0 ? "" : JSON.stringify(channel.modelMapping, null, 2),
  key: "",
  baseUrl: channel.baseUrl,
  other: channel.other,
  proxy: channel.proxy,
  isMultiKey: channel.keyCount > 1,
  tag: channel.tag,
  testModel: channel.testModel,
  skipsTests: channel.skipsTests,
  calendar: channel.calendar,
  overrides: toOverrideFields(channel.overrides),
  limits: toChannelLimitFields(channel),
});

/** Keys are pasted with stray blanks and empty lines; neither is part of one. */
const cleanKeys = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");

/** What is sent as `other`: nothing where the type has no such field, whatever was typed for another type. */
const otherOf = ({ type, other }: ChannelFields): string => {
  const field = VENDOR_FORMS[type]?.other;
  return field === undefined ? "" : other.trim() || field.default || "";
};

/** Everything that the form may change later, too. */
const toValues = (fields: ChannelFields) => ({
  type: fields.type,
  name: fields.name.trim(),
  key: cleanKeys(fields.key),
  baseUrl: fields.baseUrl.trim().replace(/\/+$/, ""),
  other: otherOf(fields),
  models: fields.models.join(","),
  groups: fields.groups.join(","),
  modelMapping: fields.mapping.trim(),
});

/** Overrides where they have changed, or where headers that are kept hidden would be sent elsewhere. */
const toOverridesChange = (fields: ChannelFields, before: ChannelFields): { overrides?: string } => {
  const overrides = toOverridesText(fields.overrides);
  const isSame = overrides === toOverridesText(before.overrides);
  return isSame && (overrides === "" || !isMoved(fields, before)) ? {} : { overrides };
};

/** What only this project's own gateway knows, as far as it differs from what was there before. */
const toWorkValues = (fields: ChannelFields, before: ChannelFields) => {
  const calendar = encodeChannelCalendar(fields.calendar);
  return {
    ...(fields.tag.trim() === before.tag ? {} : { tag: fields.tag.trim() }),
    ...(fields.testModel.trim() === before.testModel ? {} : { testModel: fields.testModel.trim() }),
    ...(fields.skipsTests === before.skipsTests ? {} : { skipsTests: fields.skipsTests }),
    ...(calendar === encodeChannelCalendar(before.calendar) ? {} : { calendar }),
    ...toOverridesChange(fields, before),
    ...changedChannelLimits(fields.limits, before.limits),
  };
};

/** POST /api/channel/. What only this project's own gateway knows is sent only when it is used. */
export const toCreateBody = (fields: ChannelFields) =>
  encodeChannelBody({
    ...toValues(fields),
    ...(fields.proxy.trim() === "" ? {} : { proxy: fields.proxy.trim() }),
    ...(fields.isMultiKey ? { isMultiKey: true } : {}),
    ...toWorkValues(fields, NEW_CHANNEL),
  });

/**
 * PUT /api/channel/: the whole form, but a key only where one was typed. The proxy is sent when it has changed: another
 * server's channels have none.
 */
export const toUpdateBody = (id: number, fields: ChannelFields, before: ChannelFields) => {
  const { key, ...values } = toValues(fields);
  const proxy = fields.proxy.trim();
  return encodeChannelBody({
    id,
    ...values,
    ...(key === "" ? {} : { key }),
    ...(proxy === before.proxy ? {} : { proxy }),
    ...toWorkValues(fields, before),
  });
};

/** POST /api/channel/fetch_models: how the upstream is reached. A key only where one was typed, a proxy only where it changed. */
export const toFetchBody = (id: number | undefined, fields: ChannelFields, before: ChannelFields) => {
  const { type, key, baseUrl, other } = toValues(fields);
  const proxy = fields.proxy.trim();
  return encodeChannelBody({
    ...(id === undefined ? {} : { id }),
    type,
    baseUrl,
    other,
    ...(key === "" ? {} : { key }),
    ...(proxy === before.proxy ? {} : { proxy }),
    ...(findOverrideMistake(fields.overrides) ? {} : toOverridesChange(fields, before)),
  });
};

/** Whether requests would be sent elsewhere. */
const isMoved = (fields: ChannelFields, before: ChannelFields): boolean =>
  (["type", "baseUrl", "other", "proxy"] as const).some((name) => fields[name] !== before[name]);

/** Whether a change without a key may be refused: this project's gateway sends no stored key to another address. */
export const mayNeedKeyAgain = (fields: ChannelFields, before: ChannelFields): boolean =>
  fields.key.trim() === "" && isMoved(fields, before);

/** The models of the "basic models" button. */
export const isBasicModel = (model: string): boolean =>
  model.startsWith("gpt-3") || model.startsWith("text-");

/** What a change of type does to the rest: presets fill an empty model list. */
export const modelsForType = (type: number, models: string[]): string[] =>
  models.length > 0 ? models : [...(VENDOR_FORMS[type]?.models ?? [])];

/** What a change of type leaves of `other`: a text that means something else there is not taken along. */
export const otherForType = (next: number, before: number, other: string): string =>
  VENDOR_FORMS[next]?.other?.meaning === VENDOR_FORMS[before]?.other?.meaning ? other : "";
