import { type Channel, readChannels } from "@tollgate/contract/control/channel";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";

export const CHANNELS = ["channels"] as const;
export const CHANNEL_LIST = [...CHANNELS, "list"] as const;

/** GET /api/channel/?p= */
export const channelPages = growingList<Channel>(CHANNEL_LIST, async (page, signal) =>
  readChannels((await callApi("GET", "/api/channel/", { query: { p: page }, signal })).data),
);
