import * as z from "zod/mini";
import { toInnerNames } from "../resource/fields";
import {
  type LimitsOf,
  limitBodies,
  limitNumber,
  limitOf,
  pickDeclaredLimits,
  setLimitsOf,
  toNamedLimits,
} from "../resource/limits";
import { tryParseJson } from "../values/parse-json";

/** The migration of the limits that came after the first release. */
const WINDOWS = { since: "0026-budget-windows" } as const;

/** The migration of the choice at a used up budget. */
export const AT_BUDGET = { since: "0033-at-budget" } as const;

/** The longest window of hours: 30 days. */
export const MAX_WINDOW_HOURS = 720;

/** Hours of the window of `fiveHourQuota`. */
export const FIVE_HOURS = 5;

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
  /** Requests in a day. */
  rpd: limitOf("rpd", WINDOWS),
  /** Quota in five hours, in a week from Monday on, and in a window of `windowHours`. */
  fiveHourQuota: limitOf("five_hour_quota", { ...WINDOWS, column: "QUOTA" }),
  weeklyQuota: limitOf("weekly_quota", { ...WINDOWS, column: "QUOTA" }),
  windowQuota: limitOf("window_quota", { ...WINDOWS, column: "QUOTA" }),
  /** Length of the window of `windowQuota`: only both together limit something. */
  windowHours: limitOf("window_hours", { ...WINDOWS, max: MAX_WINDOW_HOURS }),
  /** 1 where used up budgets refuse nothing and only send notices. */
  softBudgets: limitOf("soft_budgets", { ...WINDOWS, max: 1 }),
  /** Quota beyond each used up budget, in its period, for requests that another model or group answers. */
  extraQuota: limitOf("extra_quota", { ...AT_BUDGET, column: "QUOTA" }),
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

/**
 * The limit that lacks its other half: hours without a quota, or a quota without hours.
 * @param limits undefined or 0 where nothing is set.
 */
export const missingHalf = ({ windowHours = 0, windowQuota = 0 }: Limits): keyof Limits | undefined => {
  if (windowHours > 0 === windowQuota > 0) return undefined;
  return windowHours > 0 ? "windowQuota" : "windowHours";
};

/** The limits after an edit. */
export const editedLimits = (before: Limits | undefined, edit: Limits): Limits => ({
  ...before,
  ...Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)),
});

/** Limits as a text of JSON, by their names on the wire; "" where nothing is limited. */
export const writeLimits = (limits: Limits = {}): string => {
  const set = Object.entries(toNamedLimits(LIMITS, limits)).filter(([, value]) => value > 0);
  return set.length === 0 ? "" : JSON.stringify(Object.fromEntries(set));
};

const writtenSchema = z.object(
  Object.fromEntries(
    Object.values(LIMITS).map(({ name }) => [name, z.catch(z.optional(z.int()), undefined)]),
  ),
);

/** Reads a text of `writeLimits`. Limits of a newer version are left out. @returns undefined when nothing is limited. */
export const parseLimits = (text: string): Limits | undefined => {
  if (text === "") return undefined;
  const read = writtenSchema.safeParse(tryParseJson(text));
  return read.success ? readLimits(toInnerNames(LIMITS, read.data)) : undefined;
};

/**
 * Whether a text is one of `writeLimits`, or "": limits above 0 and up to their maximum, none without its other half. Limits of a newer
 * version are accepted.
 */
export const isLimitsText = (text: string): boolean => {
  if (text === "") return true;
  const read = z.record(z.string(), z.int().check(z.minimum(1))).safeParse(tryParseJson(text));
  if (!read.success || Object.keys(read.data).length === 0) return false;
  const limits: Limits = toInnerNames(LIMITS, read.data);
  const isWithin = Object.values(LIMITS).every(
    ({ name, max }) => (read.data[name] ?? 1) <= (max ?? Number.MAX_SAFE_INTEGER),
  );
  return isWithin && missingHalf(limits) === undefined;
};

const groupShape = Object.fromEntries(
  Object.values(LIMITS).map((limit) => [limit.name, z.optional(limitNumber(limit))]),
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
    const limits: Limits = toInnerNames(LIMITS, group.data);
    const perUser: Limits = toInnerNames(LIMITS, group.data.per_user ?? {});
    const half = missingHalf(limits);
    if (half) return { fault: `${name}.${LIMITS[half].name}` };
    const halfPerUser = missingHalf(perUser);
    if (halfPerUser) return { fault: `${name}.per_user.${LIMITS[halfPerUser].name}` };
    groups.set(name, { group: readLimits(limits), perUser: readLimits(perUser) });
  }
  return groups;
};
