import { queryOptions } from "@tanstack/react-query";
import {
  getCurrentPrices,
  getPriceDraft,
  getRehearsal,
  listPriceDrafts,
} from "@tollgate/contract/api/price-drafts";
import { endpointQuery } from "../../lib/endpoint-query";

const SILENT = { meta: { silent: true } };

/** The drafts, newest first. */
export const draftsQuery = { ...endpointQuery(listPriceDrafts, {}), ...SILENT };

export const draftQuery = (id: number) => ({
  ...endpointQuery(getPriceDraft, { params: { id } }),
  ...SILENT,
});

/** The options that determine prices. */
export const currentPricesQuery = { ...endpointQuery(getCurrentPrices, {}), ...SILENT };

/** Polling interval of a running rehearsal, in milliseconds. */
const ASK_MS = 400;

/** A draft's rehearsal, polled while it runs; null before the first one. */
export const rehearsalQuery = (id: number) =>
  queryOptions({
    ...endpointQuery(getRehearsal, { params: { id } }),
    ...SILENT,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? ASK_MS : false),
  });
