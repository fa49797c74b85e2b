import { getToken, listTokens, searchTokens } from "@tollgate/contract/api/tokens";
import { endpointPages, endpointSearch, endpointSearched } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

export const tokenPages = endpointPages(listTokens, {});

export const queriedTokens = endpointSearched(listTokens, searchTokens);

export const foundTokens = (keyword: string) => endpointSearch(searchTokens, keyword);

/** One key. Always read from the server: its remaining quota changes while the page is open. */
export const tokenQuery = (id: number) => ({
  ...endpointQuery(getToken, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
});
