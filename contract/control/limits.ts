import * as z from "zod/mini";
import { looseNumber, maybe, wholeNumber } from "./wire";

/** How much a key, a user or a group may use; undefined where nothing is limited. */
export interface Limits {
  /** Requests in a minute. */
  rpm?: number | undefined;
  /** Tokens in a minute, read and written. */
  tpm?: number | undefined;
  /** Requests under way at the same time. */
  concurrency?: number | undefined;
  /** Quota in a day and in a month of the server's clock. */
  dailyQuota?: number | undefined;
  monthlyQuota?: number | undefined;
}

/** On the wire a limit of 0 is none, and one that is not there is none either. */
export const limitWireFields = {
  rpm: z.optional(z.int()),
  tpm: z.optional(z.int()),
  concurrency: z.optional(z.int()),
  daily_quota: z.optional(z.int()),
  monthly_quota: z.optional(z.int()),
};

/** In a request, a field that is absent or null leaves the limit as it is, and 0 takes it away. */
export const limitBodyFields = {
  rpm: maybe(wholeNumber),
  tpm: maybe(wholeNumber),
  concurrency: maybe(wholeNumber),
  daily_quota: maybe(wholeNumber),
  monthly_quota: maybe(wholeNumber),
};

export const limitReaderFields = {
  rpm: looseNumber,
  tpm: looseNumber,
  concurrency: looseNumber,
  daily_quota: looseNumber,
  monthly_quota: looseNumber,
};

/** Limits as they travel. In an edit, what is absent stays and 0 takes a limit away. */
export interface LimitsWire {
  rpm?: number | undefined;
  tpm?: number | undefined;
  concurrency?: number | undefined;
  daily_quota?: number | undefined;
  monthly_quota?: number | undefined;
}

/** Only the limits that are set, so that what has none looks as the contract has it. */
export const encodeLimits = (limits: Limits | undefined): LimitsWire => {
  if (!limits) return {};
  const wire: LimitsWire = {};
  if (limits.rpm !== undefined) wire.rpm = limits.rpm;
  if (limits.tpm !== undefined) wire.tpm = limits.tpm;
  if (limits.concurrency !== undefined) wire.concurrency = limits.concurrency;
  if (limits.dailyQuota !== undefined) wire.daily_quota = limits.dailyQuota;
  if (limits.monthlyQuota !== undefined) wire.monthly_quota = limits.monthlyQuota;
  return wire;
};

const orNone = (value: number | undefined): number | undefined =>
  value === undefined || value <= 0 ? undefined : value;

/** @returns undefined when nothing is limited. */
export const readLimits = (wire: LimitsWire): Limits | undefined => {
  const limits: Limits = {
    rpm: orNone(wire.rpm),
    tpm: orNone(wire.tpm),
    concurrency: orNone(wire.concurrency),
    dailyQuota: orNone(wire.daily_quota),
    monthlyQuota: orNone(wire.monthly_quota),
  };
  return Object.values(limits).every((each) => each === undefined) ? undefined : limits;
};

/** What the option GroupLimits says of one group. */
export interface GroupLimits {
  /** For all of its users together. */
  group: Limits | undefined;
  /** For each of its users, where the user has no limit of their own. */
  perUser: Limits | undefined;
}

const limitNumber = z.optional(wholeNumber);
const groupFields = {
  rpm: limitNumber,
  tpm: limitNumber,
  concurrency: limitNumber,
  daily_quota: limitNumber,
  monthly_quota: limitNumber,
};
const groupSchema = z.strictObject({ ...groupFields, per_user: z.optional(z.strictObject(groupFields)) });

/**
 * Reads the option GroupLimits: JSON of the group's name → its limits.
 * @returns where the text is wrong when it cannot be used.
 */
export const parseGroupLimits = (text: string): ReadonlyMap<string, GroupLimits> | { fault: string } => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { fault: "JSON" };
  }
  const table = z.record(z.string(), z.unknown()).safeParse(parsed);
  if (!table.success) return { fault: "JSON" };
  const groups = new Map<string, GroupLimits>();
  for (const [name, value] of Object.entries(table.data)) {
    const group = groupSchema.safeParse(value);
    if (!group.success) {
      const [issue] = group.error.issues;
      const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
      return { fault: [name, ...(issue?.path ?? []), ...unknown].join(".") };
    }
    groups.set(name, { group: readLimits(group.data), perUser: readLimits(group.data.per_user ?? {}) });
  }
  return groups;
};
