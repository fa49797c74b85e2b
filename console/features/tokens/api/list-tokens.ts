import { readTokens, type Token } from "@tollgate/contract/management/token";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";

export const TOKENS = ["tokens"] as const;
export const TOKEN_LIST = [...TOKENS, "list"] as const;

/** GET /api/token/?p= */
export const tokenPages = growingList<Token>(TOKEN_LIST, async (page, signal) =>
  readTokens((await callApi("GET", "/api/token/", { query: { p: page }, signal })).data),
);
