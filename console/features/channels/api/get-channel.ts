import { queryOptions } from "@tanstack/react-query";
import { type Channel, readChannel } from "@tollgate/contract/management/channel";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { CHANNELS } from "./list-channels";

/** GET /api/channel/{id}. Its key is never in the answer. */
export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: [...CHANNELS, "one", id],
    queryFn: async ({ signal }): Promise<Channel> => {
      const channel = readChannel((await callApi("GET", `/api/channel/${id}`, { signal })).data);
      if (!channel) throw new UnreadableError("no channel in the answer");
      return channel;
    },
    staleTime: 0,
    gcTime: 0,
  });
