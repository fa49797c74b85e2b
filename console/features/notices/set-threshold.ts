import { useQueryClient } from "@tanstack/react-query";
import { setNoticeThreshold } from "@tollgate/contract/api/notices";
import { callEndpoint } from "../../lib/call-endpoint";
import { restartRead } from "../../lib/restart-read";
import { useMutation } from "../../lib/use-mutation";
import type { AtField } from "../../lib/use-refusals";
import { thresholdQuery } from "./notice-queries";

/** Sets the user's own threshold; null for the site's. The form shows the answer. */
export const useSetThreshold = ({ atField }: AtField) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (own: number | null) =>
      (await callEndpoint(setNoticeThreshold, { body: { own } })) ?? null,
    onSuccess: (threshold) => {
      queryClient.setQueryData(thresholdQuery.queryKey, threshold);
      restartRead(queryClient, thresholdQuery.queryKey);
    },
    meta: { atField },
  });
};
