import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { getNoticeThreshold } from "@tollgate/contract/api/notices";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { HttpError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { noticesOf, type Scope } from "./scope";

/** The targets of a scope; null if another server does not have the call. */
export const targetsQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [noticesOf(scope).listTargets.reads, scope],
    meta: { silent: true },
    queryFn: async ({ signal }) => {
      try {
        return await callEndpoint(noticesOf(scope).listTargets, {}, signal);
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return null;
        throw error;
      }
    },
  });

/** The sent notices, newest first. */
export const sentQuery = (scope: Scope) =>
  infiniteQueryOptions({
    queryKey: [noticesOf(scope).listSent.reads, scope],
    meta: { silent: true },
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      callEndpoint(noticesOf(scope).listSent, { query: { p: pageParam } }, signal),
    getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length),
  });

/** The balance below which the user is notified; null if the answer has none. */
export const thresholdQuery = queryOptions({
  queryKey: [getNoticeThreshold.reads],
  meta: { silent: true },
  queryFn: async ({ signal }) => (await callEndpoint(getNoticeThreshold, {}, signal)) ?? null,
});
