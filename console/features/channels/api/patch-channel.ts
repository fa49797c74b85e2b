import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Channel, readChannel } from "@tollgate/contract/management/channel";
import { callApi } from "../../../lib/api-client";
import { patchRow } from "../../../lib/growing-list";
import { CHANNEL_LIST } from "./list-channels";

interface ChannelPatch {
  id: number;
  status?: number;
  priority?: number;
  weight?: number;
}

/** PUT /api/channel/ with one value; the row adopts what the server answers, or else what was sent. */
export const usePatchChannel = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ChannelPatch) => callApi("PUT", "/api/channel/", { body }),
    onSuccess: ({ data }, { id, ...sent }) => {
      const answered = readChannel(data);
      const values: Partial<Channel> = { ...sent };
      if (answered?.status) values.status = answered.status;
      patchRow<Channel>(queryClient, CHANNEL_LIST, id, values);
    },
  });
};
