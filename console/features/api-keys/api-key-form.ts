import { MAX_NEW_KEYS } from "@tollgate/contract/api/api-key-batches";
import {
  type ApiKey,
  encodeApiKeyBody,
  KEY_SETTINGS,
  type KeySettings,
} from "@tollgate/contract/api/api-keys";
import { hasWholeAliases } from "@tollgate/contract/management/model-aliases";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { DEFAULT_TOKEN_QUOTA, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { NEVER, toUnixSeconds } from "@tollgate/contract/values/time";
import * as z from "zod/mini";
import { formatTime, parseDate } from "../../lib/format";
import {
  changedLimits,
  FOLDED_LIMITS,
  hasFoldedLimits,
  type LimitFields,
  limitFieldSchemas,
  NO_LIMITS,
  toLimitFields,
} from "../../lib/limit-fields";
import { mergeEdits } from "../../lib/merge-edits";
import {
  changedSettings,
  hasSettings,
  noSettings,
  type SettingFields,
  settingSchemas,
  toSettingFields,
} from "../../lib/setting-fields";
import { readWholeNumber } from "../../lib/typed-number";

/** A token as form fields: typed, not yet converted. */
export interface ApiKeyFields extends LimitFields, SettingFields<KeySettings> {
  name: string;
  /** How many keys are created. */
  count: string;
  /** "" means never. */
  expiry: string;
  quota: string;
  isUnlimited: boolean;
}

export const NEW_TOKEN: ApiKeyFields = {
  name: "",
  count: "1",
  expiry: "",
  quota: String(DEFAULT_TOKEN_QUOTA),
  isUnlimited: false,
  ...noSettings(KEY_SETTINGS),
  ...NO_LIMITS,
};

/** Fields of the form that have other names on the wire. */
export const API_KEY_WIRE_NAMES = {
  expired_time: "expiry",
  remain_quota: "quota",
  unlimited_quota: "isUnlimited",
} as const;

/** Mistakes are locale keys. */
export const tokenFieldsSchema = (isNew: boolean) =>
  z
    .object({
      name: z.string().check(z.refine((name) => !isNew || name.trim() !== "", "token.nameMissing")),
      count: z.string().check(z.refine(isCount, "token.many.countInvalid")),
      expiry: z
        .string()
        .check(
          z.refine((text) => text.trim() === "" || parseDate(text) !== undefined, "token.expiryInvalid"),
        ),
      quota: z.string(),
      isUnlimited: z.boolean(),
      ...settingSchemas(KEY_SETTINGS),
      modelAliases: z.string().check(z.refine(hasWholeAliases, "alias.invalid")),
      ...limitFieldSchemas,
    })
    .check(
      z.refine((fields) => fields.isUnlimited || isQuota(fields.quota), {
        path: ["quota"],
        error: "field.wholeNumber",
      }),
    );

const isCount = (text: string): boolean =>
  /^\d{1,3}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= MAX_NEW_KEYS;

const isQuota = (text: string): boolean => {
  const quota = readWholeNumber(text);
  return quota >= 0 && quota <= MAX_QUOTA;
};

export const toApiKeyFields = (token: ApiKey): ApiKeyFields => ({
  name: token.name,
  count: "1",
  expiry: token.expiredTime === NEVER ? "" : formatTime(token.expiredTime),
  quota: String(token.remainQuota),
  isUnlimited: token.unlimitedQuota,
  ...toSettingFields(KEY_SETTINGS, token),
  ...toLimitFields(token.limits),
});

const { group: _group, autoGroups: _autoGroups, ...foldedSettings } = KEY_SETTINGS;
const {
  modelAliases: _modelAliases,
  budgetModel: _budgetModel,
  budgetGroup: _budgetGroup,
  ...plainSettings
} = foldedSettings;

/** Settings in the collapsed part of the form with an input of their kind. */
export const PLAIN_SETTINGS = plainSettings;

/** Fields in the collapsed part of the form. */
export const ADVANCED_FIELDS = [
  ...(Object.keys(foldedSettings) as (keyof typeof foldedSettings)[]),
  ...FOLDED_LIMITS,
];

/** Whether anything is set in the collapsed part of the form. */
export const hasAdvanced = (fields: ApiKeyFields): boolean =>
  hasSettings(foldedSettings, fields) || hasFoldedLimits(fields);

/** The contract's four values, which are always sent: some servers overwrite missing ones (contract section 6.4). */
const toValues = (fields: ApiKeyFields) => {
  const expiry = parseDate(fields.expiry);
  const quota = readWholeNumber(fields.quota);
  return {
    name: fields.name.trim(),
    expiredTime: expiry ? toUnixSeconds(expiry.getTime()) : NEVER,
    remainQuota: Number.isNaN(quota) ? 0 : quota,
    unlimitedQuota: fields.isUnlimited,
  };
};

/** Values that other servers do not know: they are sent only if they differ from `before`. */
const toExtraValues = (fields: ApiKeyFields, before: ApiKeyFields) => {
  const autoGroups = fields.group === AUTO_GROUP ? fields.autoGroups : before.autoGroups;
  return {
    ...changedSettings(KEY_SETTINGS, { ...fields, autoGroups }, before),
    ...changedLimits(fields, before),
  };
};

/** A new key. */
export const toApiKeyBody = (fields: ApiKeyFields) =>
  encodeApiKeyBody({ ...toValues(fields), ...toExtraValues(fields, NEW_TOKEN) });

/**
 * A change of a key: the key as it is `now`, with the form's changes since `before`. An unedited quota is marked as
 * such: the gateway then leaves the balance alone, whatever is used meanwhile.
 */
export const toApiKeyChange = (now: ApiKey, fields: ApiKeyFields, before: ApiKeyFields) => {
  const [typed, shown] = [toValues(fields), toValues(before)];
  return encodeApiKeyBody({
    id: now.id,
    ...mergeEdits(typed, shown, now),
    ...(typed.remainQuota === shown.remainQuota ? { originalRemainQuota: now.remainQuota } : {}),
    ...toExtraValues(fields, before),
  });
};

/** Quick choices of an expiry: relative to now, or never. */
export const QUICK_EXPIRIES = ["never", "month", "day", "hour", "minute"] as const;
export type QuickExpiry = (typeof QUICK_EXPIRIES)[number];

export const expiryAfter = (step: QuickExpiry, now: Date): Date | undefined => {
  const date = new Date(now);
  if (step === "never") return undefined;
  if (step === "month") {
    date.setMonth(date.getMonth() + 1);
    // In a month without this day, its last day is used.
    if (date.getDate() !== now.getDate()) date.setDate(0);
  } else if (step === "day") date.setDate(date.getDate() + 1);
  else if (step === "hour") date.setHours(date.getHours() + 1);
  else date.setMinutes(date.getMinutes() + 1);
  return date;
};
