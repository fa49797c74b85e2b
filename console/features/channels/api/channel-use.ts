import { queryOptions } from "@tanstack/react-query";
import { type ChannelUse, channelUseSchema } from "@tollgate/contract/management/channel-limits";
import * as z from "zod/mini";
import { callApi } from "../../../lib/api-client";
import { CHANNELS } from "./list-channels";

/** How often it is asked for while it is seen. */
const LOOK_MS = 5000;

/** GET /api/channel/use: what is used of the limits of channels now. Another server has no such call. */
export const channelUseQuery = queryOptions({
  queryKey: [...CHANNELS, "use"],
  queryFn: async ({ signal }): Promise<ChannelUse[]> => {
    const { data } = await callApi("GET", "/api/channel/use", { signal });
    return z.catch(z.array(channelUseSchema), []).parse(data);
  },
  refetchInterval: LOOK_MS,
  meta: { silent: true },
});
