import * as z from "zod/mini";
import { limitBody } from "../management/limits";
import { aliasesText } from "../management/model-aliases";
import { idNumber, maybe, textOrNone, wholeNumber } from "../management/wire";
import {
  endpoint,
  FOUND_PAGE_PARAMETER,
  LIMIT_PARAMETER,
  PAGE_PARAMETER,
  SORT_PARAMETER,
} from "../resource/endpoint";
import { codecOf } from "../resource/fields";
import { FORMAT_PARAMETER, FOUND_PARAMETER } from "../resource/file-parameters";
import type { ListFilter } from "../resource/list-filter";
import { listOf, mapped, optional } from "../resource/resource";
import { BLANK_USER, type User, user, userBodyFields } from "./user";

/** An administrator adds a user. */
export const createUserBodySchema = codecOf(userBodyFields, {
  username: z.string().check(z.minLength(1)),
  password: z.string().check(z.minLength(1)),
  displayName: textOrNone,
  role: maybe(z.int()),
});

/**
 * Fields of the whole User object that an administrator may change. "" and absence leave a field as it is, but an empty
 * text of aliases removes them. Credentials and counters in the body are ignored.
 */
export const updateUserBodySchema = codecOf(userBodyFields, {
  id: idNumber,
  username: maybe(z.string()),
  displayName: maybe(z.string()),
  password: maybe(z.string()),
  group: maybe(z.string()),
  quota: maybe(wholeNumber),
  /** Not part of the contract: the quota that was shown. When `quota` is the same, it was not edited and moves nothing. */
  originalQuota: maybe(wholeNumber),
  role: maybe(z.int()),
  ...limitBody,
  modelAliases: aliasesText,
  /** Root gives an administrator a set; "" takes it away. */
  permissionSet: maybe(z.string()),
});
export type UpdateUserBody = z.output<typeof updateUserBodySchema>;

/** A user's role and status alone. */
const managedUser = mapped(user, {
  encode: ({ role, status }: Pick<User, "role" | "status">) => ({ ...BLANK_USER, role, status }),
  read: ({ role, status }) => ({ role, status }),
});

export const USER_ACTIONS = ["disable", "enable", "delete", "promote", "demote"] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

export const manageUserBodySchema = z.object({
  username: z.string().check(z.minLength(1)),
  action: z.enum(USER_ACTIONS),
});
export type ManageUserBody = z.infer<typeof manageUserBodySchema>;

export const USER_SORTS = [
  "id",
  "username",
  "role",
  "status",
  "group",
  "quota",
  "used_quota",
  "request_count",
] as const;
export type UserSort = (typeof USER_SORTS)[number];

export const USER_FILTERS = { status: "number", role: "number", group: "entry" } as const;
export type UserFilter = ListFilter<keyof typeof USER_FILTERS>;

const USER_FILTER_PARAMETERS: Readonly<Record<keyof typeof USER_FILTERS, string>> = {
  status: "Only users in this status: 1 enabled, 2 disabled.",
  role: "Only users of this role: 1 user, 10 administrator, 100 root.",
  group: "Only users of this group.",
};

export const listUsers = endpoint({
  method: "GET",
  path: "/api/user/",
  guard: "admin",
  area: "users",
  summary: "A page of the users",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...USER_FILTER_PARAMETERS },
  sorts: USER_SORTS,
  filters: USER_FILTERS,
  data: listOf(user),
  reads: "users",
});

export const searchUsers = endpoint({
  method: "GET",
  path: "/api/user/search",
  guard: "admin",
  area: "users",
  summary: "Users by id, or by the beginning of name, e-mail or display name",
  query: {
    keyword: "An id, or the beginning of a name, an address or a display name.",
    ...LIMIT_PARAMETER,
    ...FOUND_PAGE_PARAMETER,
    ...SORT_PARAMETER,
    ...USER_FILTER_PARAMETERS,
  },
  sorts: USER_SORTS,
  filters: USER_FILTERS,
  data: listOf(user),
  reads: "users",
});

export const getUser = endpoint({
  method: "GET",
  path: "/api/user/:id",
  guard: "admin",
  area: "users",
  summary: "One user",
  data: user,
  reads: "users",
});

export const createUser = endpoint({
  method: "POST",
  path: "/api/user/",
  guard: "admin",
  area: "users",
  summary: "Adds a user",
  body: createUserBodySchema,
  changes: ["users"],
});

export const changeUser = endpoint({
  method: "PUT",
  path: "/api/user/",
  guard: "admin",
  area: "users",
  summary: "Changes a user",
  body: updateUserBodySchema,
  changes: ["users"],
});

export const manageUser = endpoint({
  method: "POST",
  path: "/api/user/manage",
  guard: "admin",
  area: "users",
  summary: "Bans, releases, promotes, demotes or deletes a user; returns role and status",
  body: manageUserBodySchema,
  data: optional(managedUser),
  changes: ["users"],
});

export const deleteUser = endpoint({
  method: "DELETE",
  path: "/api/user/:id",
  guard: "admin",
  needsPresence: true,
  area: "users",
  summary: "Deletes a user",
  changes: ["users"],
});

export const exportUsers = endpoint({
  method: "GET",
  path: "/api/user/export",
  guard: "admin",
  area: "users",
  summary: "The users, as a file without credentials",
  query: { ...FORMAT_PARAMETER, ...FOUND_PARAMETER, ...USER_FILTER_PARAMETERS },
  isFile: true,
});
