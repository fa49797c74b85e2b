import { useQueryClient } from "@tanstack/react-query";
import { readChannel } from "@tollgate/contract/management/channel";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNELS } from "./list-channels";

/** POST /api/channel/copy/{id}. Answers the id of the copy; undefined where the server tells none. */
export const useCopyChannel = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: number): Promise<number | undefined> =>
      readChannel((await callApi("POST", `/api/channel/copy/${id}`, { body: {} })).data)?.id,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: CHANNELS }),
  });
};
