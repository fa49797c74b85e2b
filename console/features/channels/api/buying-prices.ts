import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import {
  type BuyingPreviewBody,
  buyingPreviewSchema,
  upstreamPricesSchema,
} from "@tollgate/contract/management/buying-price";
import { encodeChannelBody } from "@tollgate/contract/management/channel";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";
import { CHANNELS } from "./list-channels";

/** POST /api/channel/buying_prices/preview: what a channel's models would be bought and sold at. */
export const buyingPreviewQuery = (body: BuyingPreviewBody) =>
  queryOptions({
    queryKey: [...CHANNELS, "buying", body],
    queryFn: async ({ signal }) =>
      buyingPreviewSchema.parse(
        (await callApi("POST", "/api/channel/buying_prices/preview", { body, signal })).data,
      ),
    placeholderData: keepPreviousData,
    retry: false,
    // The table says it where the rows would be.
    meta: { silent: true },
  });

/** PUT /api/channel/ with the buying prices alone. */
export const useSaveBuyingPrices = (id: number) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (buyingPrices: string) =>
      callApi("PUT", "/api/channel/", { body: encodeChannelBody({ id, buyingPrices }) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: CHANNELS }),
  });
};

/** POST /api/channel/upstream_prices. @param group undefined only asks which groups there are. */
export const useReadUpstreamPrices = (id: number) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (group: string | undefined) =>
      upstreamPricesSchema.parse(
        (
          await callApi("POST", "/api/channel/upstream_prices", {
            body: { id, ...(group === undefined ? {} : { group }) },
          })
        ).data,
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: CHANNELS }),
  });
};
