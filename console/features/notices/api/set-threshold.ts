import { useQueryClient } from "@tanstack/react-query";
import { readNoticeThreshold } from "@tollgate/contract/management/notice";
import { callApi } from "../../../lib/api-client";
import { restartRead } from "../../../lib/restart-read";
import { useMutation } from "../../../lib/use-mutation";
import { thresholdQuery } from "./get-threshold";

/** PUT /api/user/notice/threshold; null for the site's threshold. */
export const useSetThreshold = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (own: number | null) =>
      readNoticeThreshold((await callApi("PUT", "/api/user/notice/threshold", { body: { own } })).data) ??
      null,
    onSuccess: (threshold) => {
      queryClient.setQueryData(thresholdQuery.queryKey, threshold);
      restartRead(queryClient, thresholdQuery.queryKey);
    },
  });
};
