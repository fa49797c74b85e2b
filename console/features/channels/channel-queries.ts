import { keepPreviousData, type QueryClient } from "@tanstack/react-query";
import { previewBuyingPrices } from "@tollgate/contract/api/buying-prices";
import {
  type Channel,
  getChannel,
  listChannelChoices,
  listChannels,
  listChannelTags,
  listChannelTraffic,
  listChannelUse,
  searchChannels,
} from "@tollgate/contract/api/channels";
import type { BuyingPreviewBody } from "@tollgate/contract/management/buying-price";
import type { ChannelUse } from "@tollgate/contract/management/channel-limits";
import { callEndpoint } from "../../lib/call-endpoint";
import { endpointPages, endpointQueried, endpointSearch, listKey } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";
import { joinPages, nextPage, readRows } from "../../lib/growing-list";

export const channelPages = endpointPages(listChannels, {});

export const queriedChannels = endpointQueried(listChannels);

export const foundChannels = (keyword: string) => endpointSearch(searchChannels, keyword);

/** Every channel, page after page. */
export const readAllChannels = (client: QueryClient): Promise<Channel[]> =>
  readRows(client, listKey(listChannels), async () => {
    const pages: Channel[][] = [];
    for (let page: number | undefined = 0; page !== undefined; page = nextPage(pages))
      pages.push(await callEndpoint(listChannels, { query: { p: page } }));
    return joinPages(pages);
  });

/** One channel. Its key is never in the answer. */
export const channelQuery = (id: number) => ({
  ...endpointQuery(getChannel, { params: { id } }),
  staleTime: 0,
  gcTime: 0,
});

/** The tags that channels have. None where the server knows no tags. */
export const channelTagsQuery = { ...endpointQuery(listChannelTags, {}), meta: { silent: true } };

/** How often the use of limits is asked for while it is seen. */
const LOOK_MS = 5000;

/** What is used of the limits of channels now. Another server has no such call. */
export const channelUseQuery = {
  ...endpointQuery(listChannelUse, {}),
  refetchInterval: LOOK_MS,
  meta: { silent: true },
};

/** The use of a channel that the server does not name: it has no limits, or nothing was sent to it. */
export const NO_USE = { requests: 0, tokens: 0, active: 0, waiting: 0 } satisfies Omit<ChannelUse, "id">;

/** What went over these channels in the last 24 hours. Another server has no such call. */
export const channelTrafficQuery = (ids: readonly number[]) => ({
  ...endpointQuery(listChannelTraffic, { query: { ids: ids.join() } }),
  staleTime: 60_000,
  retry: false,
  meta: { silent: true },
});

/** By what a channel is chosen for its models. Another server has no such call. */
export const channelChoiceQuery = (id: number) => ({
  ...endpointQuery(listChannelChoices, { params: { id } }),
  retry: false,
  meta: { silent: true },
});

/** What a channel's models would be bought and sold at. */
export const buyingPreviewQuery = (body: BuyingPreviewBody) => ({
  ...endpointQuery(previewBuyingPrices, { body }),
  placeholderData: keepPreviousData,
  retry: false,
  // The table says it where the rows would be.
  meta: { silent: true },
});
