import { takePrices } from "@tollgate/contract/api/prices";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { MAX_ACCEPTED, type PriceSource } from "@tollgate/contract/management/price-sync";
import { callEndpoint } from "../../lib/call-endpoint";
import { useRepeatReads } from "../../lib/use-endpoint";
import { useMutation } from "../../lib/use-mutation";

export interface Acceptance {
  source: PriceSource;
  /** The version of the compared prices. */
  version: number;
  prices: readonly (readonly [model: string, price: ModelPriceEntry])[];
}

/** Accepts prices, in several calls if needed. @returns the new version. */
export const useAcceptPrices = () => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationFn: async ({ source, version, prices }: Acceptance): Promise<number> => {
      let price_version = version;
      for (let from = 0; from < prices.length; from += MAX_ACCEPTED) {
        const body = {
          source,
          price_version,
          prices: Object.fromEntries(prices.slice(from, from + MAX_ACCEPTED)),
        };
        ({ price_version } = await callEndpoint(takePrices, { body }));
      }
      return price_version;
    },
    onSettled: () => {
      void repeatReads(takePrices);
    },
  });
};
