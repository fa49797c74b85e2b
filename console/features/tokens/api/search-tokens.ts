import { readTokens } from "@tollgate/contract/management/token";
import { callApi } from "../../../lib/api-client";
import { searchList } from "../../../lib/growing-list";
import { TOKEN_LIST } from "./list-tokens";

/** GET /api/token/search?keyword= */
export const foundTokens = (keyword: string) =>
  searchList(TOKEN_LIST, keyword, async (text, signal) =>
    readTokens((await callApi("GET", "/api/token/search", { query: { keyword: text }, signal })).data),
  );
