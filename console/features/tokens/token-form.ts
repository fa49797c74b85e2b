import type { CreateTokenBody, Token } from "@tollgate/contract/control/token";
import { DEFAULT_TOKEN_QUOTA, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { NEVER, toUnixSeconds } from "@tollgate/contract/values/time";
import * as z from "zod/mini";
import { formatTime, parseDate } from "../../lib/format";

/** A token as its form holds it: what was typed, not yet what is sent. */
export interface TokenFields {
  name: string;
  /** "" means never. */
  expiry: string;
  quota: string;
  isUnlimited: boolean;
}

export const NEW_TOKEN: TokenFields = {
  name: "",
  expiry: "",
  quota: String(DEFAULT_TOKEN_QUOTA),
  isUnlimited: false,
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
});

/** All four values always: some servers overwrite what is left out (contract section 6.4). */
export const toTokenBody = (fields: TokenFields): CreateTokenBody => {
  const expiry = parseDate(fields.expiry);
  const quota = Number.parseInt(fields.quota, 10);
  return {
    name: fields.name.trim(),
    expired_time: expiry ? toUnixSeconds(expiry.getTime()) : NEVER,
    remain_quota: Number.isNaN(quota) ? 0 : quota,
    unlimited_quota: fields.isUnlimited,
  };
};

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
