import type { Limits } from "@tollgate/contract/management/limits";
import * as z from "zod/mini";

/** Limits as a form holds them; "" is none. */
export interface LimitFields {
  rpm: string;
  tpm: string;
  concurrency: string;
  dailyQuota: string;
  monthlyQuota: string;
}

export const NO_LIMITS: LimitFields = { rpm: "", tpm: "", concurrency: "", dailyQuota: "", monthlyQuota: "" };

const isLimit = (text: string): boolean =>
  text.trim() === "" || (/^\d+$/.test(text.trim()) && Number.isSafeInteger(Number(text)));

/** A limit as it is typed. Mistakes are named by their locale keys. */
export const limitText = z.string().check(z.refine(isLimit, "limit.invalid"));

/** For the schema of a form. Mistakes are named by their locale keys. */
export const limitFieldSchemas = {
  rpm: limitText,
  tpm: limitText,
  concurrency: limitText,
  dailyQuota: limitText,
  monthlyQuota: limitText,
};

export const limitToText = (limit: number | undefined): string => (limit === undefined ? "" : String(limit));

export const toLimitFields = (limits: Limits | undefined): LimitFields => ({
  rpm: limitToText(limits?.rpm),
  tpm: limitToText(limits?.tpm),
  concurrency: limitToText(limits?.concurrency),
  dailyQuota: limitToText(limits?.dailyQuota),
  monthlyQuota: limitToText(limits?.monthlyQuota),
});

const NAMES = ["rpm", "tpm", "concurrency", "dailyQuota", "monthlyQuota"] as const;

/** What is sent: the limits that differ from `before`, 0 for one that was taken away. Other servers know none of them. */
export const changedLimits = (fields: LimitFields, before: LimitFields): Limits => {
  const changed: Limits = {};
  for (const name of NAMES) {
    const limit = Number(fields[name].trim());
    if (limit !== Number(before[name].trim())) changed[name] = limit;
  }
  return changed;
};
