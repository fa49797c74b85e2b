import { queryOptions } from "@tanstack/react-query";
import { type ChannelChoice, channelChoiceSchema } from "@tollgate/contract/management/group-routing";
import * as z from "zod/mini";
import { callApi } from "../../../lib/api-client";
import { CHANNELS } from "./list-channels";

/** GET /api/channel/choice/{id}. Another server has no such call. */
export const channelChoiceQuery = (id: number) =>
  queryOptions({
    queryKey: [...CHANNELS, "choice", id],
    queryFn: async ({ signal }): Promise<ChannelChoice[]> => {
      const { data } = await callApi("GET", `/api/channel/choice/${id}`, { signal });
      return z.catch(z.array(channelChoiceSchema), []).parse(data);
    },
    retry: false,
    meta: { silent: true },
  });
