import { type RedemptionUseWire, readRedemptionUses } from "@tollgate/contract/management/redemption";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";

/** GET /api/redemption/{id}/uses */
export const redemptionUsePages = (id: number) =>
  growingList<RedemptionUseWire>(
    ["redemption uses", id],
    async (page, signal) =>
      readRedemptionUses(
        (await callApi("GET", `/api/redemption/${id}/uses`, { query: { p: page }, signal })).data,
      ),
    { isExtra: true },
  );
