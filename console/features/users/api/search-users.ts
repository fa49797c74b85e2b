import { readUsers } from "@tollgate/contract/management/user";
import { callApi } from "../../../lib/api-client";
import { searchList } from "../../../lib/growing-list";
import { USER_LIST } from "./list-users";

/** GET /api/user/search?keyword= */
export const foundUsers = (keyword: string) =>
  searchList(USER_LIST, keyword, async (text, signal) =>
    readUsers((await callApi("GET", "/api/user/search", { query: { keyword: text }, signal })).data),
  );
