import type { QueryClient } from "@tanstack/react-query";
import { type Channel, readChannels } from "@tollgate/contract/management/channel";
import { callApi } from "../../../lib/api-client";
import { growingList, joinPages, nextPage, readRows } from "../../../lib/growing-list";

export const CHANNELS = ["channels"] as const;
export const CHANNEL_LIST = [...CHANNELS, "list"] as const;

const fetchPage = async (page: number, signal?: AbortSignal): Promise<Channel[]> =>
  readChannels((await callApi("GET", "/api/channel/", { query: { p: page }, signal })).data);

/** GET /api/channel/?p= */
export const channelPages = growingList<Channel>(CHANNEL_LIST, fetchPage);

/** Every channel, page after page. */
export const readAllChannels = (client: QueryClient): Promise<Channel[]> =>
  readRows(client, CHANNEL_LIST, async () => {
    const pages: Channel[][] = [];
    for (let page: number | undefined = 0; page !== undefined; page = nextPage(pages)) {
      pages.push(await fetchPage(page));
    }
    return joinPages(pages);
  });
