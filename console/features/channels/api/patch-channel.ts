import { useQueryClient } from "@tanstack/react-query";
import { type Channel, readChannel } from "@tollgate/contract/management/channel";
import type { Envelope } from "@tollgate/contract/management/envelope";
import { callApi } from "../../../lib/api-client";
import { changeRow } from "../../../lib/growing-list";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNEL_LIST } from "./list-channels";

interface ChannelPatch {
  status?: number;
  priority?: number;
  weight?: number;
}

/** PUT /api/channel/ with one value; the row adopts what the server answers, or else what was sent. */
export const usePatchChannel = (id: number) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (sent: ChannelPatch) =>
      changeRow<Channel, Envelope>(
        queryClient,
        CHANNEL_LIST,
        id,
        () => callApi("PUT", "/api/channel/", { body: { id, ...sent } }),
        ({ data }) => {
          const answered = readChannel(data);
          return { ...sent, ...(answered?.status ? { status: answered.status } : {}) };
        },
      ),
    scope: { id: `channel ${id}` },
  });
};
