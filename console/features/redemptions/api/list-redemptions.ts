import { type Redemption, readRedemptions } from "@tollgate/contract/management/redemption";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";

export const REDEMPTIONS = ["redemptions"] as const;
export const REDEMPTION_LIST = [...REDEMPTIONS, "list"] as const;

/** GET /api/redemption/?p= */
export const redemptionPages = growingList<Redemption>(REDEMPTION_LIST, async (page, signal) =>
  readRedemptions((await callApi("GET", "/api/redemption/", { query: { p: page }, signal })).data),
);
