import { useQueryClient } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/management/channel";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { toldNumber } from "../../../lib/told-number";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNEL_LIST } from "./list-channels";

/** GET /api/channel/test/{id}/. Answers the seconds that the test took, beside the envelope's data. */
export const useTestChannel = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      changeRow<Channel, number>(
        queryClient,
        CHANNEL_LIST,
        id,
        async () => toldNumber((await callApi("GET", `/api/channel/test/${id}/`)).time) ?? 0,
        (seconds) => ({ responseTimeMs: seconds * 1000, testTime: toUnixSeconds(Date.now()) }),
      ),
  });
};
