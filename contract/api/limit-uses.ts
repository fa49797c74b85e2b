import { endpoint } from "../resource/endpoint";
import { int, maybeFlag, maybeInt, text } from "../resource/fields";
import { listOf, resource, type ValueOf } from "../resource/resource";

/** One limit that requests meet now: of their key, of their user, or of a group. Beyond the contract. */
export const limitUse = resource({
  scope: text("scope"),
  /** The name of the group; "" for a key and a user. */
  group: text("group"),
  /** The name of the limit on the wire (management/limits.ts). */
  limit: text("limit"),
  max: int("max"),
  /** Absent where the caller may not see it: all users of a group use its limits together. */
  used: maybeInt("used"),
  /** Quota beyond a budget, for requests that another model or group answers. */
  extra: maybeInt("extra"),
  /** Length of a budget's window that opens with its first charge. */
  hours: maybeInt("hours"),
  /** Unix seconds at which a budget is counted from 0 again; absent for a window that is not open, and for rates. */
  resetsAt: maybeInt("resets_at"),
  /** The budget refuses no request. */
  isSoft: maybeFlag("soft"),
  /** The user's plans set it. */
  isOfPlan: maybeFlag("of_plan"),
});
export type LimitUse = ValueOf<typeof limitUse>;

const uses = listOf(limitUse);

export const getApiKeyLimits = endpoint({
  method: "GET",
  path: "/api/token/:id/limits",
  guard: "user",
  summary: "The limits on the requests of one of one's keys, with their present use",
  data: uses,
  reads: "tokens",
});

export const getApiKeySummaryLimits = endpoint({
  method: "GET",
  path: "/api/token/:id/summary/limits",
  guard: "admin",
  area: "users",
  summary: "The limits on the requests of a user's key, with their present use",
  data: uses,
  reads: "tokens",
});

export const getOwnLimits = endpoint({
  method: "GET",
  path: "/api/user/self/limits",
  guard: "user",
  summary: "The limits on one's requests, with their present use",
  data: uses,
  reads: "users",
});

export const getUserLimits = endpoint({
  method: "GET",
  path: "/api/user/:id/limits",
  guard: "admin",
  area: "users",
  summary: "The limits on a user's requests, with their present use",
  data: uses,
  reads: "users",
});
