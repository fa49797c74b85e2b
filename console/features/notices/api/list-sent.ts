import { infiniteQueryOptions } from "@tanstack/react-query";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { readSentNotices, type SentNoticeWire } from "@tollgate/contract/management/notice";
import { callApi } from "../../../lib/api-client";
import { pathOf, type Scope } from "../scope";

/** GET /api/…notice/log?p=, the newest first. */
export const sentQuery = (scope: Scope) =>
  infiniteQueryOptions({
    queryKey: ["sent-notices", scope],
    meta: { silent: true },
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }): Promise<SentNoticeWire[]> =>
      readSentNotices(
        (await callApi("GET", `${pathOf(scope)}/log`, { query: { p: pageParam }, signal })).data,
      ),
    getNextPageParam: (last, pages) => (last.length < PAGE_SIZE ? undefined : pages.length),
  });
