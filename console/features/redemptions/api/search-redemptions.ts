import { readRedemptions } from "@tollgate/contract/management/redemption";
import { callApi } from "../../../lib/api-client";
import { searchList } from "../../../lib/growing-list";
import { REDEMPTION_LIST } from "./list-redemptions";

/** GET /api/redemption/search?keyword= */
export const foundRedemptions = (keyword: string) =>
  searchList(REDEMPTION_LIST, keyword, async (text, signal) =>
    readRedemptions(
      (await callApi("GET", "/api/redemption/search", { query: { keyword: text }, signal })).data,
    ),
  );
