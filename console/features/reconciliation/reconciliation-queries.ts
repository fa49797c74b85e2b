import { queryOptions } from "@tanstack/react-query";
import { listChannels } from "@tollgate/contract/api/channels";
import {
  getReconciliation,
  listBalanceMovements,
  listReconciliations,
} from "@tollgate/contract/api/reconciliations";
import { callEndpoint } from "../../lib/call-endpoint";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

export const reconciliationPages = endpointPages(listReconciliations, {}, { isExtra: true });

export const queriedReconciliations = endpointQueried(listReconciliations, {}, { isExtra: true });

export const reconciliationQuery = (id: number) => ({
  ...endpointQuery(getReconciliation, { params: { id } }),
  meta: { silent: true },
});

/** Readings of a channel's balance and payments between two times, in unix seconds. */
export const movementsQuery = (channel: number, from: number, to: number) => ({
  ...endpointQuery(listBalanceMovements, { query: { channel, start_timestamp: from, end_timestamp: to } }),
  meta: { silent: true },
});

const PAGES = 20;

/** The channels to choose from, newest first; limited to the newest if there are very many. */
export const channelChoicesQuery = queryOptions({
  queryKey: ["channel-choices"],
  queryFn: async ({ signal }) => {
    const channels: { id: number; name: string }[] = [];
    for (let p = 0; p < PAGES; p += 1) {
      const page = await callEndpoint(listChannels, { query: { p } }, signal);
      channels.push(...page.map(({ id, name }) => ({ id, name })));
      if (page.length === 0) break;
    }
    return [...new Map(channels.map((channel) => [channel.id, channel])).values()];
  },
  meta: { silent: true },
});
