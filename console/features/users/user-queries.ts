import { getUser, listUsers, searchUsers } from "@tollgate/contract/api/users";
import { endpointPages, endpointSearch, endpointSearched } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

export const userPages = endpointPages(listUsers, {});

export const queriedUsers = endpointSearched(listUsers, searchUsers);

export const foundUsers = (keyword: string) => endpointSearch(searchUsers, keyword);

/** One user. Always read from the server: the quota changes while the page is open. */
export const userQuery = (id: number) => ({
  ...endpointQuery(getUser, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
});
