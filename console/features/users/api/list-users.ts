import { readUsers, type User } from "@tollgate/contract/management/user";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";

export const USERS = ["users"] as const;
export const USER_LIST = [...USERS, "list"] as const;

/** GET /api/user/?p= */
export const userPages = growingList<User>(USER_LIST, async (page, signal) =>
  readUsers((await callApi("GET", "/api/user/", { query: { p: page }, signal })).data),
);
