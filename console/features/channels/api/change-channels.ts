import { queryOptions, useQueryClient } from "@tanstack/react-query";
import {
  type ChannelsAction,
  type ChannelsDone,
  type ChannelTag,
  channelsDoneSchema,
  channelTagSchema,
} from "@tollgate/contract/management/channel";
import * as z from "zod/mini";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNELS } from "./list-channels";

/** Which channels are meant: those that are chosen, or those of a tag. */
export type MeantChannels = { ids: readonly number[] } | { tag: string };

/** What an edit writes into each of them, under the names of the wire. */
export interface ChannelsChange {
  group?: string;
  add_models?: string;
  remove_models?: string;
  priority?: number;
  weight?: number;
  tag?: string;
  test_model?: string;
  skip_tests?: boolean;
}

interface ChannelsRequest {
  meant: MeantChannels;
  action: ChannelsAction;
  change?: ChannelsChange;
}

/** POST /api/channel/batch. Answers how many were changed, and which could not be. */
export const useChangeChannels = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ meant, action, change }: ChannelsRequest): Promise<ChannelsDone> => {
      const { data } = await callApi("POST", "/api/channel/batch", { body: { ...meant, action, change } });
      return z.catch(channelsDoneSchema, { done: 0, failed: [] }).parse(data);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: CHANNELS }),
  });
};

/** GET /api/channel/tags. None where the server knows no tags. */
export const channelTagsQuery = queryOptions({
  queryKey: [...CHANNELS, "tags"],
  queryFn: async ({ signal }): Promise<ChannelTag[]> => {
    const { data } = await callApi("GET", "/api/channel/tags", { signal });
    return z.catch(z.array(channelTagSchema), []).parse(data);
  },
  meta: { silent: true },
});
