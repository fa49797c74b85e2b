import * as z from "zod/mini";
import { toInnerNames } from "../resource/fields";
import { type LimitsOf, limitBodies, limitOf, pickDeclaredLimits, setLimitsOf } from "../resource/limits";
import { tryParseJson } from "../values/parse-json";
import { wholeNumber } from "./wire";

/**
 * Limits of a key, a user or a group, with their names on the wire. To add one, declare it here and write its text (`limit` of the
 * console's locales).
 */
export const LIMITS = {
  /** Requests in a minute. */
  rpm: limitOf("rpm"),
  /** Tokens in a minute, read and written. */
  tpm: limitOf("tpm"),
  /** Requests under way at the same time. */
  concurrency: limitOf("concurrency"),
  /** Quota in a day and in a month of the server's clock. */
  dailyQuota: limitOf("daily_quota", { column: "QUOTA" }),
  monthlyQuota: limitOf("monthly_quota", { column: "QUOTA" }),
};

/** Undefined where nothing is limited. In an edit undefined stays, and 0 takes away. */
export interface Limits extends LimitsOf<typeof LIMITS> {}

export const limitBody = limitBodies(LIMITS);

/** The limits of an object that has them among its other fields, as they are in an edit. */
export const pickLimits = (values: Limits): Limits => pickDeclaredLimits(LIMITS, values);

/** @returns undefined when nothing is limited. */
export const readLimits = (values: Limits): Limits | undefined => {
  const read = setLimitsOf(LIMITS, values);
  return Object.values(read).every((each) => each === undefined) ? undefined : read;
};

export interface GroupLimits {
  /** For all of its users together. */
  group: Limits | undefined;
  /** For each of its users, where the user has no limit of their own. */
  perUser: Limits | undefined;
}

const groupShape = Object.fromEntries(
  Object.values(LIMITS).map(({ name }) => [name, z.optional(wholeNumber)]),
);
const groupSchema = z.extend(z.strictObject(groupShape), {
  per_user: z.optional(z.strictObject(groupShape)),
});

/**
 * Reads the option GroupLimits: JSON of the group's name → its limits.
 * @returns where the text is wrong when it cannot be used.
 */
export const parseGroupLimits = (text: string): ReadonlyMap<string, GroupLimits> | { fault: string } => {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return { fault: "JSON" };
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
      group: readLimits(toInnerNames(LIMITS, group.data)),
      perUser: readLimits(toInnerNames(LIMITS, group.data.per_user ?? {})),
    });
  }
  return groups;
};
