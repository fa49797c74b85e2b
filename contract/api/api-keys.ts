import * as z from "zod/mini";
import { AT_BUDGET, LIMITS, type Limits, limitBody, readLimits } from "../management/limits";
import { MAX_ALIASES_TEXT, MODEL_ALIASES_SINCE } from "../management/model-aliases";
import { UNSUPPORTED_FIELDS } from "../management/unsupported-fields";
import { idNumber, maybe, textOrNone, wholeNumber } from "../management/wire";
import {
  endpoint,
  FOUND_PAGE_PARAMETER,
  LIMIT_PARAMETER,
  PAGE_PARAMETER,
  SORT_PARAMETER,
  STATUS_ONLY_PARAMETER,
} from "../resource/endpoint";
import {
  codecOf,
  type FieldValues,
  flag,
  int,
  maybeInt,
  pickFields,
  text,
  toWireNames,
} from "../resource/fields";
import type { ListFilter } from "../resource/list-filter";
import { listOf, mapped, optional, resource, type WireOf } from "../resource/resource";
import {
  choiceOf,
  jsonOf,
  linesOf,
  namesOf,
  type SettingsEdit,
  settingBodies,
  settingsFromWire,
  settingsToWire,
  switchOf,
  textOf,
} from "../resource/settings";

/** A key's decision about marks of the prompt cache. */
export const CACHE_MARK_CHOICES = ["on", "off"] as const;

/**
 * Settings of an API key. The first four have the names of later one-api versions and of new-api. To add one, declare it here and
 * write its texts (`token.setting` of the console's locales): docs/guides/add-a-setting.md.
 */
export const KEY_SETTINGS = {
  /** Names of the models that it may use; none for all. */
  models: namesOf("models", 20_000),
  /** Addresses and networks from which it may be used, as they were typed; "" for anywhere. */
  subnet: linesOf("subnet", 2000),
  /** The group by which its requests go, or AUTO_GROUP; "" for its user's. */
  group: textOf("group", 64),
  /** In place of the site's list for AUTO_GROUP; none for that. */
  autoGroups: namesOf("auto_groups", 2000),
  /** No other model answers in place of the one that a request names. */
  hasNoFallbacks: switchOf("no_fallbacks"),
  /** Decision about fields that an upstream's protocol has no place for; "" for the site's. */
  unsupportedFields: choiceOf("unsupported_fields", UNSUPPORTED_FIELDS, { since: "0021-unsupported-fields" }),
  /** JSON text of the names that stand for other models; "" for none. */
  modelAliases: jsonOf("model_aliases", MAX_ALIASES_TEXT, { since: MODEL_ALIASES_SINCE }),
  /** Whether requests get marks of the prompt cache where they have none; "" for the channel's decision. */
  cacheMarks: choiceOf("cache_marks", CACHE_MARK_CHOICES, { since: "0027-cache-marks" }),
  /** The model that answers once a budget is used up; "" for the requested one. */
  budgetModel: textOf("budget_model", 200, AT_BUDGET),
  /** The group by which requests go then; "" for the key's. */
  budgetGroup: textOf("budget_group", 64, AT_BUDGET),
};
export type KeySettings = typeof KEY_SETTINGS;

/** The Token object of the contract: inner names of its fields, and their names on the wire, which their columns have. */
export const API_KEY_FIELDS = {
  id: int("id"),
  userId: int("user_id"),
  /** 48 characters, without the `sk-` prefix. */
  key: text("key"),
  status: int("status"),
  name: text("name"),
  createdTime: int("created_time"),
  accessedTime: int("accessed_time"),
  /** Unix seconds, or -1 for never. */
  expiredTime: int("expired_time"),
  remainQuota: int("remain_quota"),
  unlimitedQuota: flag("unlimited_quota"),
  usedQuota: int("used_quota"),
  /** Until when the secret before the last rotation may be used, unix seconds; undefined for none. */
  formerUntil: maybeInt("former_until"),
};

/** An API key that a user's programs present as `sk-<key>`. */
export interface ApiKey extends FieldValues<typeof API_KEY_FIELDS>, SettingsEdit<KeySettings> {
  limits?: Limits | undefined;
}

/** A key without its secret, which its owner alone sees. */
export type KeySummary = Omit<ApiKey, "key">;

/** The fields of an answer. */
export const API_KEY_WIRE_FIELDS = { ...API_KEY_FIELDS, ...KEY_SETTINGS, ...LIMITS };

/** A key as the fields of an answer. */
export const toApiKeyFields = <T extends KeySummary>({ limits, ...value }: T) => ({
  ...value,
  ...settingsToWire(KEY_SETTINGS, value),
  ...limits,
});

/** A token in answers. Unset fields are left out. */
export const token = mapped(resource(API_KEY_WIRE_FIELDS), {
  encode: (value: ApiKey) => toApiKeyFields(value),
  read: (read): ApiKey => ({
    ...pickFields(API_KEY_FIELDS, read),
    ...settingsFromWire(KEY_SETTINGS, read),
    limits: readLimits(pickFields(LIMITS, read)),
  }),
});

/** The Token object as it travels. */
export type ApiKeyWire = WireOf<typeof token>;

/** The longest token name, in characters. */
export const MAX_API_KEY_NAME = 30;

/** A neutral value removes a setting. */
const accessBody = { ...settingBodies(KEY_SETTINGS), ...limitBody };

/** Fields of a new key, of a change of one and of many. */
export const editedKeyShape = {
  remainQuota: maybe(wholeNumber),
  expiredTime: maybe(z.int()),
  unlimitedQuota: maybe(z.boolean()),
  ...accessBody,
};

/** An expiry of 0 or none means never. */
export const newKeyShape = { name: textOrNone, ...editedKeyShape };

export const createApiKeyBodySchema = codecOf(API_KEY_WIRE_FIELDS, newKeyShape);
export type CreateApiKeyBody = z.output<typeof createApiKeyBodySchema>;

/** Fields of a key in requests: those of the object, and one that only a change has. */
const bodyFields = { ...API_KEY_WIRE_FIELDS, originalRemainQuota: int("original_remain_quota") };

/**
 * Clients send the whole token; a field that is absent or null stays as it is, so that a stale
 * page cannot reset a balance it did not edit. With `?status_only=true` only `status` is read.
 */
export const updateApiKeyBodySchema = codecOf(bodyFields, {
  id: idNumber,
  status: maybe(z.int()),
  name: maybe(z.string()),
  ...editedKeyShape,
  /** Not part of the contract: the quota that was shown. When `remainQuota` is the same, it was not edited and moves nothing. */
  originalRemainQuota: maybe(wholeNumber),
});
export type UpdateApiKeyBody = z.output<typeof updateApiKeyBodySchema>;

/** Renames a client's fields of a key to those of the wire. */
export const encodeApiKeyBody = <Body extends object>(body: Body) => toWireNames(bodyFields, body);

export const API_KEY_SORTS = [
  "id",
  "name",
  "status",
  "used_quota",
  "remain_quota",
  "created_time",
  "accessed_time",
  "expired_time",
] as const;
export type ApiKeySort = (typeof API_KEY_SORTS)[number];

export const API_KEY_FILTERS = { status: "number", group: "text" } as const;
export type ApiKeyFilter = ListFilter<keyof typeof API_KEY_FILTERS>;

export const API_KEY_FILTER_PARAMETERS: Readonly<Record<keyof typeof API_KEY_FILTERS, string>> = {
  status: "Only keys in this status: 1 enabled, 2 disabled, 3 expired, 4 used up.",
  group: "Only keys with this group.",
};

export const listApiKeys = endpoint({
  method: "GET",
  path: "/api/token/",
  guard: "user",
  summary: "A page of one's keys",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...API_KEY_FILTER_PARAMETERS },
  sorts: API_KEY_SORTS,
  filters: API_KEY_FILTERS,
  data: listOf(token),
  reads: "tokens",
});

export const searchApiKeys = endpoint({
  method: "GET",
  path: "/api/token/search",
  guard: "user",
  summary: "One's keys by the beginning of the name",
  query: {
    keyword: "The beginning of a name.",
    ...LIMIT_PARAMETER,
    ...FOUND_PAGE_PARAMETER,
    ...SORT_PARAMETER,
    ...API_KEY_FILTER_PARAMETERS,
  },
  sorts: API_KEY_SORTS,
  filters: API_KEY_FILTERS,
  data: listOf(token),
  reads: "tokens",
});

export const getApiKey = endpoint({
  method: "GET",
  path: "/api/token/:id",
  guard: "user",
  summary: "One of one's keys",
  data: token,
  reads: "tokens",
});

export const createApiKey = endpoint({
  method: "POST",
  path: "/api/token/",
  guard: "user",
  summary: "Creates a key",
  body: createApiKeyBodySchema,
  changes: ["tokens", "audit"],
});

export const changeApiKey = endpoint({
  method: "PUT",
  path: "/api/token/",
  guard: "user",
  summary: "Changes a key; with status_only only its status",
  query: STATUS_ONLY_PARAMETER,
  body: updateApiKeyBodySchema,
  data: optional(token),
  changes: ["tokens", "audit"],
});

/** How long the secret before may go on: at most 30 days. */
export const MAX_FORMER_SECONDS = 30 * 86_400;

const rotateApiKeyBodySchema = z.object({
  former_seconds: maybe(z.int().check(z.minimum(0), z.maximum(MAX_FORMER_SECONDS))),
});

/** Programs that have the secret before go on for a while, where its owner says so. */
export const rotateApiKey = endpoint({
  method: "POST",
  path: "/api/token/:id/rotate",
  guard: "user",
  summary:
    "Gives a key a new secret; limits, balance and history stay. The old secret works for former_seconds more, 0 by default",
  body: rotateApiKeyBodySchema,
  data: token,
  changes: ["tokens", "audit"],
});

export const endFormerKey = endpoint({
  method: "DELETE",
  path: "/api/token/:id/former",
  guard: "user",
  summary: "Ends the secret that a key had before its last rotation",
  data: token,
  changes: ["tokens", "audit"],
});

export const deleteApiKey = endpoint({
  method: "DELETE",
  path: "/api/token/:id/",
  guard: "user",
  summary: "Deletes a key",
  changes: ["tokens", "audit"],
});
