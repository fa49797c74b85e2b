import { getApiKey, listApiKeys, searchApiKeys } from "@tollgate/contract/api/api-keys";
import { endpointPages, endpointSearch, endpointSearched } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

export const tokenPages = endpointPages(listApiKeys, {});

export const queriedApiKeys = endpointSearched(listApiKeys, searchApiKeys);

export const foundApiKeys = (keyword: string) => endpointSearch(searchApiKeys, keyword);

/** One key. Always read from the server: its remaining quota changes while the page is open. */
export const tokenQuery = (id: number) => ({
  ...endpointQuery(getApiKey, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
});
