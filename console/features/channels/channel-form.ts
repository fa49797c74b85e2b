import { type Channel, encodeChannelBody } from "@tollgate/contract/api/channels";
import { type ChannelCalendar, encodeChannelCalendar } from "@tollgate/contract/management/channel-calendar";
import { parseModelMapping } from "@tollgate/contract/management/model-mapping";
import { isProxyAddress } from "@tollgate/contract/values/proxy-address";
import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";
import type { Path } from "react-hook-form";
import * as z from "zod/mini";
import { mergeEdits } from "../../lib/merge-edits";
import {
  type ChannelLimitFields,
  changedChannelLimits,
  channelLimitSchema,
  LIMIT_WIRE_NAMES,
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

/** A channel as form fields. */
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
  /** Address of a proxy. */
  proxy: string;
  /** Several keys make one channel instead of one each. */
  isMultiKey: boolean;
  tag: string;
  /** The model for tests; "" for the default. */
  testModel: string;
  skipsTests: boolean;
  /** Its end is NaN if the typed text is not a time. */
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

/** Fields of the form that have other names on the wire. */
export const CHANNEL_WIRE_NAMES: Readonly<Record<string, Path<ChannelFields>>> = {
  group: "groups",
  model_mapping: "mapping",
  multi_key: "isMultiKey",
  ...LIMIT_WIRE_NAMES,
};

/** Whether the address is required: the vendor has no default. */
export const needsBaseUrl = (type: number): boolean => VENDOR_FORMS[type]?.baseUrl === "";

const isProxy = (text: string): boolean =>
  text.trim() === "" || (URL.canParse(text) && isProxyAddress(new URL(text)));

/** Mistakes are locale keys. */
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

/** Removes stray spaces and empty lines of pasted keys. */
const cleanKeys = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");

/** The value of `other`: empty if the type has no such field, whatever was typed for another type. */
const otherOf = ({ type, other }: Pick<ChannelFields, "type" | "other">): string => {
  const field = VENDOR_FORMS[type]?.other;
  return field === undefined ? "" : other.trim() || field.default || "";
};

/** The fields that can also be edited later; `other` as typed (`otherOf`). */
const toValues = (fields: ChannelFields) => ({
  type: fields.type,
  name: fields.name.trim(),
  key: cleanKeys(fields.key),
  baseUrl: fields.baseUrl.trim().replace(/\/+$/, ""),
  other: fields.other,
  models: fields.models.join(","),
  groups: fields.groups.join(","),
  modelMapping: fields.mapping.trim(),
});

/** Overrides to send: if changed, or if their hidden headers would go to another address. */
const toOverridesChange = (
  fields: ChannelFields,
  before: ChannelFields,
  now = before,
): { overrides?: string } => {
  const typed = toOverridesText(fields.overrides);
  if (typed !== toOverridesText(before.overrides)) return { overrides: typed };
  const overrides = toOverridesText(now.overrides);
  return overrides === "" || !isMoved(fields, before) ? {} : { overrides };
};

/** Fields that only this project's gateway knows, if they differ from before. */
const toWorkValues = (fields: ChannelFields, before: ChannelFields, now = before) => {
  const calendar = encodeChannelCalendar(fields.calendar);
  return {
    ...(fields.tag.trim() === before.tag ? {} : { tag: fields.tag.trim() }),
    ...(fields.testModel.trim() === before.testModel ? {} : { testModel: fields.testModel.trim() }),
    ...(fields.skipsTests === before.skipsTests ? {} : { skipsTests: fields.skipsTests }),
    ...(calendar === encodeChannelCalendar(before.calendar) ? {} : { calendar }),
    ...toOverridesChange(fields, before, now),
    ...changedChannelLimits(fields.limits, before.limits),
  };
};

/** POST /api/channel/. Fields that only this project's gateway knows are sent only when used. */
export const toCreateBody = (fields: ChannelFields) =>
  encodeChannelBody({
    ...toValues(fields),
    other: otherOf(fields),
    ...(fields.proxy.trim() === "" ? {} : { proxy: fields.proxy.trim() }),
    ...(fields.isMultiKey ? { isMultiKey: true } : {}),
    ...toWorkValues(fields, NEW_CHANNEL),
  });

/**
 * PUT /api/channel/: the whole form, but a key only if typed. The proxy is sent only if changed: another server's
 * channels have none.
 * @param now the stored fields while it is saved, which unedited ones are sent as.
 */
export const toUpdateBody = (id: number, fields: ChannelFields, before: ChannelFields, now = before) => {
  const [{ key, ...typed }, shown, stored] = [toValues(fields), toValues(before), toValues(now)];
  // The text of another type may mean something else.
  const other = typed.type === shown.type ? stored.other : typed.other;
  const values = mergeEdits(typed, shown, { ...stored, other });
  const proxy = fields.proxy.trim();
  return encodeChannelBody({
    id,
    ...values,
    other: otherOf(values),
    ...(key === "" ? {} : { key }),
    ...(proxy === before.proxy ? {} : { proxy }),
    ...toWorkValues(fields, before, now),
  });
};

/** POST /api/channel/fetch_models: the connection to the upstream. A key only if typed, a proxy only if changed. */
export const toFetchBody = (id: number | undefined, fields: ChannelFields, before: ChannelFields) => {
  const { type, key, baseUrl } = toValues(fields);
  const proxy = fields.proxy.trim();
  return encodeChannelBody({
    ...(id === undefined ? {} : { id }),
    type,
    baseUrl,
    other: otherOf(fields),
    ...(key === "" ? {} : { key }),
    ...(proxy === before.proxy ? {} : { proxy }),
    ...(findOverrideMistake(fields.overrides) ? {} : toOverridesChange(fields, before)),
  });
};

/** Whether requests would go to another address. */
const isMoved = (fields: ChannelFields, before: ChannelFields): boolean =>
  (["type", "baseUrl", "other", "proxy"] as const).some((name) => fields[name] !== before[name]);

/** Whether a change without a key may be rejected: this project's gateway sends no stored key to another address. */
export const mayNeedKeyAgain = (fields: ChannelFields, before: ChannelFields): boolean =>
  fields.key.trim() === "" && isMoved(fields, before);

/** The models of the "basic models" button. */
export const isBasicModel = (model: string): boolean =>
  model.startsWith("gpt-3") || model.startsWith("text-");

/** The models after a change of type: its presets fill an empty list. */
export const modelsForType = (type: number, models: string[]): string[] =>
  models.length > 0 ? models : [...(VENDOR_FORMS[type]?.models ?? [])];

/** The value of `other` after a change of type: kept only if it means the same there. */
export const otherForType = (next: number, before: number, other: string): string =>
  VENDOR_FORMS[next]?.other?.meaning === VENDOR_FORMS[before]?.other?.meaning ? other : "";
