import { useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../lib/api-client";
import { toldNumber } from "../../../lib/told-number";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNEL_LIST } from "./list-channels";

/** DELETE /api/channel/disabled. Answers how many were deleted. */
export const useDeleteDisabledChannels = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<number> =>
      toldNumber((await callApi("DELETE", "/api/channel/disabled")).data) ?? 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: CHANNEL_LIST }),
  });
};
