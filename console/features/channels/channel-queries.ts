import { keepPreviousData, type QueryClient } from "@tanstack/react-query";
import { previewBuyingPrices } from "@tollgate/contract/api/buying-prices";
import { listChannelTags } from "@tollgate/contract/api/channel-batches";
import {
  listChannelChoices,
  listChannelTraffic,
  listChannelUse,
} from "@tollgate/contract/api/channel-measurements";
import { listTestEndpoints } from "@tollgate/contract/api/channel-upstream";
import { type Channel, getChannel, listChannels, searchChannels } from "@tollgate/contract/api/channels";
import type { BuyingPreviewBody } from "@tollgate/contract/management/buying-price";
import type { ChannelUse } from "@tollgate/contract/management/channel-limits";
import { callEndpoint } from "../../lib/call-endpoint";
import { endpointPages, endpointSearch, endpointSearched, listKey } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";
import { joinPages, nextPage, readRows } from "../../lib/growing-list";

export const channelPages = endpointPages(listChannels, {});

export const queriedChannels = endpointSearched(listChannels, searchChannels);

export const foundChannels = (keyword: string) => endpointSearch(searchChannels, keyword);

/** All channels, read page by page. */
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

/** All tags of channels. Empty if the server has no tags. */
export const channelTagsQuery = { ...endpointQuery(listChannelTags, {}), meta: { silent: true } };

/** Polling interval for the usage of visible limits. */
const LOOK_MS = 5000;

/** One tag, which may be too rare for the list of all tags. */
export const channelTagQuery = (tag: string) => ({
  ...endpointQuery(listChannelTags, { query: { tag } }),
  meta: { silent: true },
});

/** Current usage of the limits of these channels. Other servers have no such call. */
export const channelUseQuery = (ids: readonly number[]) => ({
  ...endpointQuery(listChannelUse, { query: { ids: ids.join() } }),
  refetchInterval: LOOK_MS,
  meta: { silent: true },
});

/** The usage of a channel missing from the answer: it has no limits, or received no requests. */
export const NO_USE = { requests: 0, tokens: 0, active: 0, waiting: 0 } satisfies Omit<ChannelUse, "id">;

/** Traffic of these channels in the last 24 hours. Other servers have no such call. */
export const channelTrafficQuery = (ids: readonly number[]) => ({
  ...endpointQuery(listChannelTraffic, { query: { ids: ids.join() } }),
  staleTime: 60_000,
  retry: false,
  meta: { silent: true },
});

/** Endpoints at which a channel can be tested. Other servers have no such call. */
export const testEndpointsQuery = (id: number) => ({
  ...endpointQuery(listTestEndpoints, { params: { id } }),
  retry: false,
  meta: { silent: true },
});

/** Criteria for choosing a channel, by model. Other servers have no such call. */
export const channelChoiceQuery = (id: number) => ({
  ...endpointQuery(listChannelChoices, { params: { id } }),
  retry: false,
  meta: { silent: true },
});

/** Cost and sales prices of a channel's models under typed prices. */
export const buyingPreviewQuery = (body: BuyingPreviewBody) => ({
  ...endpointQuery(previewBuyingPrices, { body }),
  placeholderData: keepPreviousData,
  retry: false,
  // The table shows the failure in place of the rows.
  meta: { silent: true },
});
