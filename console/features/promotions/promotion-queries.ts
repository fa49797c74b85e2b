import { getPromotion, listPromotions, listPromotionUses } from "@tollgate/contract/api/promotions";
import { endpointPages, endpointQueried, endpointSearched } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

/** Servers with only the one-api contract have no promotions. */
const extra = { isExtra: true };

export const promotionPages = endpointPages(listPromotions, {}, extra);

export const queriedPromotions = endpointSearched(listPromotions, listPromotions);

export const queriedPromotionUses = (id: number) =>
  endpointQueried(listPromotionUses, { params: { id } }, extra);

/** One promotion, always read again: its form must not begin with outdated values. */
export const promotionQuery = (id: number) => ({
  ...endpointQuery(getPromotion, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
  meta: extra,
});

export const promotionUsePages = (id: number) => endpointPages(listPromotionUses, { params: { id } }, extra);
