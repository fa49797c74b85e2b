import { queryOptions } from "@tanstack/react-query";
import { readNoticeWays } from "@tollgate/contract/management/notice";
import { callApi, HttpError } from "../../../lib/api-client";
import { pathOf, type Scope } from "../scope";

/** GET /api/notice/way or /api/user/notice/way; null where another server does not know the call. */
export const waysQuery = (scope: Scope) =>
  queryOptions({
    queryKey: ["notice-ways", scope],
    meta: { silent: true },
    queryFn: async ({ signal }) => {
      try {
        return readNoticeWays((await callApi("GET", `${pathOf(scope)}/way`, { signal })).data);
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return null;
        throw error;
      }
    },
  });
