import {
  getRedemption,
  listRedemptions,
  listRedemptionUses,
  searchRedemptions,
} from "@tollgate/contract/api/redemptions";
import { endpointPages, endpointQueried, endpointSearch, endpointSearched } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

export const redemptionPages = endpointPages(listRedemptions, {});

export const queriedRedemptions = endpointSearched(listRedemptions, searchRedemptions);

export const foundRedemptions = (keyword: string) => endpointSearch(searchRedemptions, keyword);

/** One code, always read again: its form must not begin with outdated values. */
export const redemptionQuery = (id: number) => ({
  ...endpointQuery(getRedemption, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
});

/** The uses of a code, sorted by the server. */
export const queriedRedemptionUses = (id: number) =>
  endpointQueried(listRedemptionUses, { params: { id } }, { isExtra: true });

/** Servers with only the one-api contract do not record who used a code. */
export const redemptionUsePages = (id: number) =>
  endpointPages(listRedemptionUses, { params: { id } }, { isExtra: true });
