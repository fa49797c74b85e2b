import { queryOptions } from "@tanstack/react-query";
import { readNoticeThreshold } from "@tollgate/contract/management/notice";
import { callApi } from "../../../lib/api-client";

/** GET /api/user/notice/threshold; null where the answer is none. */
export const thresholdQuery = queryOptions({
  queryKey: ["notice-threshold"],
  meta: { silent: true },
  queryFn: async ({ signal }) =>
    readNoticeThreshold((await callApi("GET", "/api/user/notice/threshold", { signal })).data) ?? null,
});
