import { encodeTokenBody, type Token } from "@tollgate/contract/api/tokens";
import { AUTO_GROUP } from "@tollgate/contract/management/group";
import {
  isUnsupportedFields,
  UNSUPPORTED_FIELDS,
  type UnsupportedFields,
} from "@tollgate/contract/management/unsupported-fields";
import { DEFAULT_TOKEN_QUOTA, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { splitList } from "@tollgate/contract/values/split-list";
import { NEVER, toUnixSeconds } from "@tollgate/contract/values/time";
import * as z from "zod/mini";
import { formatTime, parseDate } from "../../lib/format";
import {
  changedLimits,
  type LimitFields,
  limitFieldSchemas,
  NO_LIMITS,
  toLimitFields,
} from "../../lib/limit-fields";

/** A token as its form holds it: what was typed, not yet what is sent. */
export interface TokenFields extends LimitFields {
  name: string;
  /** "" means never. */
  expiry: string;
  quota: string;
  isUnlimited: boolean;
  /** Names separated by commas or lines; "" for all. */
  models: string;
  /** Addresses and networks; "" for anywhere. */
  subnet: string;
  /** The group that it goes by, AUTO_GROUP, or "" for the account's. */
  group: string;
  /** The order of AUTO_GROUP; none for the site's. */
  autoGroups: string[];
  hasNoFallbacks: boolean;
  /** A decision, or "" for the site's. */
  unsupportedFields: UnsupportedFields | "";
}

export const NEW_TOKEN: TokenFields = {
  name: "",
  expiry: "",
  quota: String(DEFAULT_TOKEN_QUOTA),
  isUnlimited: false,
  models: "",
  subnet: "",
  group: "",
  autoGroups: [],
  hasNoFallbacks: false,
  unsupportedFields: "",
  ...NO_LIMITS,
};

/** Mistakes are named by their locale keys. */
export const tokenFieldsSchema = (isNew: boolean) =>
  z
    .object({
      name: z.string().check(z.refine((name) => !isNew || name.trim() !== "", "token.nameMissing")),
      expiry: z
        .string()
        .check(
          z.refine((text) => text.trim() === "" || parseDate(text) !== undefined, "token.expiryInvalid"),
        ),
      quota: z.string(),
      isUnlimited: z.boolean(),
      models: z.string(),
      subnet: z.string(),
      group: z.string(),
      autoGroups: z.array(z.string()),
      hasNoFallbacks: z.boolean(),
      unsupportedFields: z.enum(["", ...UNSUPPORTED_FIELDS]),
      ...limitFieldSchemas,
    })
    .check(
      z.refine((fields) => fields.isUnlimited || isQuota(fields.quota), {
        path: ["quota"],
        error: "field.quotaInvalid",
      }),
    );

const isQuota = (text: string): boolean => {
  const quota = Number.parseInt(text, 10);
  return quota >= 0 && quota <= MAX_QUOTA;
};

export const toTokenFields = (token: Token): TokenFields => ({
  name: token.name,
  expiry: token.expiredTime === NEVER ? "" : formatTime(token.expiredTime),
  quota: String(token.remainQuota),
  isUnlimited: token.unlimitedQuota,
  models: (token.models ?? []).join("\n"),
  subnet: token.subnet ?? "",
  group: token.group ?? "",
  autoGroups: [...(token.autoGroups ?? [])],
  hasNoFallbacks: token.hasNoFallbacks ?? false,
  unsupportedFields: isUnsupportedFields(token.unsupportedFields) ? token.unsupportedFields : "",
  ...toLimitFields(token.limits),
});

/** Whether anything is set that stands in the folded part of the form. */
export const hasAdvanced = ({
  models,
  subnet,
  rpm,
  tpm,
  concurrency,
  dailyQuota,
  monthlyQuota,
  hasNoFallbacks,
  unsupportedFields,
}: TokenFields) =>
  hasNoFallbacks ||
  unsupportedFields !== "" ||
  [models, subnet, rpm, tpm, concurrency, dailyQuota, monthlyQuota].some((text) => text !== "");

/**
 * The contract's four values always: some servers overwrite what is left out (contract section 6.4). Everything else is
 * sent only when it differs from `before`, so that other servers are not sent what they do not know.
 */
export const toTokenBody = (fields: TokenFields, before: TokenFields = NEW_TOKEN) => {
  const expiry = parseDate(fields.expiry);
  const quota = Number.parseInt(fields.quota, 10);
  const models = splitList(fields.models).join(",");
  const subnet = splitList(fields.subnet).join(",");
  const autoGroups = fields.group === AUTO_GROUP ? fields.autoGroups.join(",") : before.autoGroups.join(",");
  return encodeTokenBody({
    name: fields.name.trim(),
    expiredTime: expiry ? toUnixSeconds(expiry.getTime()) : NEVER,
    remainQuota: Number.isNaN(quota) ? 0 : quota,
    unlimitedQuota: fields.isUnlimited,
    ...(models === splitList(before.models).join(",") ? {} : { models }),
    ...(fields.group === before.group ? {} : { group: fields.group }),
    ...(autoGroups === before.autoGroups.join(",") ? {} : { autoGroups }),
    ...(fields.hasNoFallbacks === before.hasNoFallbacks ? {} : { hasNoFallbacks: fields.hasNoFallbacks }),
    ...(fields.unsupportedFields === before.unsupportedFields
      ? {}
      : { unsupportedFields: fields.unsupportedFields }),
    ...(subnet === splitList(before.subnet).join(",") ? {} : { subnet }),
    ...changedLimits(fields, before),
  });
};

/** What is sent to a server of the contract, and what only this project's own gateway knows. */
export type TokenBody = ReturnType<typeof toTokenBody>;

/** The expiries that a button sets: so long from now, or never. */
export const QUICK_EXPIRIES = ["never", "month", "day", "hour", "minute"] as const;
export type QuickExpiry = (typeof QUICK_EXPIRIES)[number];

export const expiryAfter = (step: QuickExpiry, now: Date): Date | undefined => {
  const date = new Date(now);
  if (step === "never") return undefined;
  if (step === "month") {
    date.setMonth(date.getMonth() + 1);
    // A month that is too short for the day gives its last one.
    if (date.getDate() !== now.getDate()) date.setDate(0);
  } else if (step === "day") date.setDate(date.getDate() + 1);
  else if (step === "hour") date.setHours(date.getHours() + 1);
  else date.setMinutes(date.getMinutes() + 1);
  return date;
};
