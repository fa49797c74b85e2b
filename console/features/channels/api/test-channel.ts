import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/management/channel";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { callApi } from "../../../lib/api-client";
import { patchRow } from "../../../lib/growing-list";
import { toldNumber } from "../../../lib/told-number";
import { CHANNEL_LIST } from "./list-channels";

/** GET /api/channel/test/{id}/. Answers the seconds that the test took, beside the envelope's data. */
export const useTestChannel = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: number): Promise<number> =>
      toldNumber((await callApi("GET", `/api/channel/test/${id}/`)).time) ?? 0,
    onSuccess: (seconds, id) =>
      patchRow<Channel>(queryClient, CHANNEL_LIST, id, {
        responseTimeMs: seconds * 1000,
        testTime: toUnixSeconds(Date.now()),
      }),
  });
};
