import * as z from "zod/mini";
import { toInnerNames, toWireNames } from "../resource/fields";
import { looseNumber, maybe, wholeNumber } from "./wire";

/** How much a key, a user or a group may use; undefined where nothing is limited. In an edit undefined stays, and 0 takes away. */
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

/** A limit as a field of what travels: not there where there is none. */
export const limit = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.optional(z.int()),
  loose: looseNumber,
});

/** On the wire a limit of 0 is none, and one that is not there is none either. */
export const limitFields = {
  rpm: limit("rpm"),
  tpm: limit("tpm"),
  concurrency: limit("concurrency"),
  dailyQuota: limit("daily_quota"),
  monthlyQuota: limit("monthly_quota"),
};

/** In a request, a field that is absent or null leaves the limit as it is, and 0 takes it away. */
export const limitBody = {
  rpm: maybe(wholeNumber),
  tpm: maybe(wholeNumber),
  concurrency: maybe(wholeNumber),
  dailyQuota: maybe(wholeNumber),
  monthlyQuota: maybe(wholeNumber),
};

/** The limits of an object that has them among its other fields. */
export const pickLimits = ({ rpm, tpm, concurrency, dailyQuota, monthlyQuota }: Limits): Limits => ({
  rpm,
  tpm,
  concurrency,
  dailyQuota,
  monthlyQuota,
});

/** On the wire and in storage a limit of 0 is none. */
export const orNone = (value: number | undefined): number | undefined =>
  value === undefined || value <= 0 ? undefined : value;

/** @returns undefined when nothing is limited. */
export const readLimits = (limits: Limits): Limits | undefined => {
  const read: Limits = {
    rpm: orNone(limits.rpm),
    tpm: orNone(limits.tpm),
    concurrency: orNone(limits.concurrency),
    dailyQuota: orNone(limits.dailyQuota),
    monthlyQuota: orNone(limits.monthlyQuota),
  };
  return Object.values(read).every((each) => each === undefined) ? undefined : read;
};

/** What the option GroupLimits says of one group. */
export interface GroupLimits {
  /** For all of its users together. */
  group: Limits | undefined;
  /** For each of its users, where the user has no limit of their own. */
  perUser: Limits | undefined;
}

const limitNumber = z.optional(wholeNumber);
const groupShape = toWireNames(limitFields, {
  rpm: limitNumber,
  tpm: limitNumber,
  concurrency: limitNumber,
  dailyQuota: limitNumber,
  monthlyQuota: limitNumber,
});
const groupSchema = z.extend(z.strictObject(groupShape), {
  per_user: z.optional(z.strictObject(groupShape)),
});

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
    groups.set(name, {
      group: readLimits(toInnerNames(limitFields, group.data)),
      perUser: readLimits(toInnerNames(limitFields, group.data.per_user ?? {})),
    });
  }
  return groups;
};
