import * as z from "zod/mini";
import { idNumber, maybe, textOrNone, wholeNumber } from "../management/wire";
import {
  endpoint,
  FOUND_PAGE_PARAMETER,
  LIMIT_PARAMETER,
  PAGE_PARAMETER,
  SORT_PARAMETER,
  STATUS_ONLY_PARAMETER,
} from "../resource/endpoint";
import { codecOf, type FieldValues, int, text } from "../resource/fields";
import { CLOCK_PARAMETERS, FOUND_PARAMETER } from "../resource/file-parameters";
import type { ListFilter } from "../resource/list-filter";
import { count, listOf, mapped, optional, resource, textValue, type ValueOf } from "../resource/resource";
import { REDEMPTION_USED } from "../values/statuses";

/* Codes that add quota to an account (contract section 1.8): /api/redemption/…. Uses and bounds are this gateway's own. */

/** The Redemption object of the contract: inner names of its fields, and their names on the wire. */
const redemptionFields = {
  id: int("id"),
  /** The administrator who made it. */
  userId: int("user_id"),
  key: text("key"),
  status: int("status"),
  name: text("name"),
  quota: int("quota"),
  createdTime: int("created_time"),
  /** Unix seconds of the last use; 0 means not yet. */
  redeemedTime: int("redeemed_time"),
  /** How many to make, in the contract's requests; always 0 in answers. */
  count: int("count"),
  /** Unix seconds until when it may be redeemed; 0 for ever. */
  expiresTime: int("expired_time"),
  /** How many users may redeem it, each once. */
  mostUses: int("max_uses"),
  usedCount: int("used_count"),
  /** The user who used it last; 0 while it is unused. */
  usedBy: int("used_user_id"),
};

/** A code that adds quota to the account of each user who redeems it, up to its bound. */
export interface Redemption extends Omit<FieldValues<typeof redemptionFields>, "count"> {}

/** A redemption code, as answers have it. */
export const redemption = mapped(resource(redemptionFields), {
  encode: (value: Redemption) => ({ ...value, count: 0 }),
  read({ count: _, ...read }): Redemption {
    // Another server's codes are used once.
    return read.mostUses > 0
      ? read
      : { ...read, mostUses: 1, usedCount: read.status === REDEMPTION_USED ? 1 : 0 };
  },
});

/** How many characters a code's name may have (contract section 1.8). */
export const MAX_REDEMPTION_NAME = 20;
/** How many codes one call makes at most; the contract's servers make 100. */
export const MAX_REDEMPTION_COUNT = 1000;
/** How many users may redeem one code. */
export const MAX_REDEMPTION_USES = 1_000_000;

const usesNumber = z.int().check(z.gte(1), z.lte(MAX_REDEMPTION_USES));

const quotaNumber = z.int().check(z.positive());

export const createRedemptionBodySchema = codecOf(redemptionFields, {
  name: textOrNone,
  quota: quotaNumber,
  // Absent is one; null is refused.
  count: z.optional(z.int()),
  expiresTime: maybe(wholeNumber),
  mostUses: maybe(usesNumber),
});

/** PUT /api/redemption/; an absent or null field stays. With `?status_only=true` only `status` is read. */
export const updateRedemptionBodySchema = codecOf(redemptionFields, {
  id: idNumber,
  status: maybe(z.int()),
  name: maybe(z.string()),
  quota: maybe(quotaNumber),
  expiresTime: maybe(wholeNumber),
  mostUses: maybe(usesNumber),
});
export type UpdateRedemptionBody = z.output<typeof updateRedemptionBodySchema>;

/** A use of a code by one user. */
const redemptionUse = resource({
  id: int("id"),
  userId: int("user_id"),
  username: text("username"),
  usedAt: int("used_time"),
  quota: int("quota"),
});
export type RedemptionUse = ValueOf<typeof redemptionUse>;

export const REDEMPTION_SORTS = ["id", "name", "status", "quota", "created_time", "redeemed_time"] as const;
export type RedemptionSort = (typeof REDEMPTION_SORTS)[number];

export const REDEMPTION_FILTERS = { status: "number", name: "text" } as const;
export type RedemptionFilter = ListFilter<keyof typeof REDEMPTION_FILTERS>;

const REDEMPTION_FILTER_PARAMETERS: Readonly<Record<keyof typeof REDEMPTION_FILTERS, string>> = {
  status: "Only codes in this status: 1 unused, 2 disabled, 3 used up.",
  name: "Only codes of this name.",
};

export const listRedemptions = endpoint({
  method: "GET",
  path: "/api/redemption/",
  guard: "admin",
  area: "redemptions",
  summary: "A page of the redemption codes",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...REDEMPTION_FILTER_PARAMETERS },
  sorts: REDEMPTION_SORTS,
  filters: REDEMPTION_FILTERS,
  data: listOf(redemption),
  reads: "redemptions",
});

export const searchRedemptions = endpoint({
  method: "GET",
  path: "/api/redemption/search",
  guard: "admin",
  area: "redemptions",
  summary: "Redemption codes by id or by the beginning of the name",
  query: {
    keyword: "An id, or the beginning of a name.",
    ...LIMIT_PARAMETER,
    ...FOUND_PAGE_PARAMETER,
    ...SORT_PARAMETER,
    ...REDEMPTION_FILTER_PARAMETERS,
  },
  sorts: REDEMPTION_SORTS,
  filters: REDEMPTION_FILTERS,
  data: listOf(redemption),
  reads: "redemptions",
});

export const getRedemption = endpoint({
  method: "GET",
  path: "/api/redemption/:id",
  guard: "admin",
  area: "redemptions",
  summary: "One redemption code",
  data: redemption,
  reads: "redemptions",
});

export const createRedemptions = endpoint({
  method: "POST",
  path: "/api/redemption/",
  guard: "admin",
  needsPresence: true,
  area: "redemptions",
  summary: "Creates redemption codes, and returns them",
  body: createRedemptionBodySchema,
  data: listOf(textValue),
  changes: ["redemptions"],
});

export const changeRedemption = endpoint({
  method: "PUT",
  path: "/api/redemption/",
  guard: "admin",
  area: "redemptions",
  summary: "Changes an unused code; with status_only only its status",
  query: STATUS_ONLY_PARAMETER,
  body: updateRedemptionBodySchema,
  data: optional(redemption),
  changes: ["redemptions"],
});

export const REDEMPTION_USE_SORTS = ["used_time", "username", "quota"] as const;
export type RedemptionUseSort = (typeof REDEMPTION_USE_SORTS)[number];

export const listRedemptionUses = endpoint({
  method: "GET",
  path: "/api/redemption/:id/uses",
  guard: "admin",
  area: "redemptions",
  summary: "A page of the uses of a code, with user and time, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER },
  sorts: REDEMPTION_USE_SORTS,
  data: listOf(redemptionUse),
  reads: "redemption-uses",
});

export const deleteDeadRedemptions = endpoint({
  method: "DELETE",
  path: "/api/redemption/invalid",
  guard: "admin",
  area: "redemptions",
  summary: "Deletes all codes that are used up, disabled or expired; returns their number",
  data: optional(count),
  changes: ["redemptions"],
});

export const deleteRedemption = endpoint({
  method: "DELETE",
  path: "/api/redemption/:id/",
  guard: "admin",
  area: "redemptions",
  summary: "Deletes a redemption code",
  changes: ["redemptions"],
});

export const exportRedemptions = endpoint({
  method: "GET",
  path: "/api/redemption/export",
  guard: "admin",
  area: "redemptions",
  summary: "The redemption codes, as a file",
  query: { ...CLOCK_PARAMETERS, ...FOUND_PARAMETER, ...REDEMPTION_FILTER_PARAMETERS },
  isFile: true,
});
