import { useQueryClient } from "@tanstack/react-query";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import {
  acceptedPricesSchema,
  MOST_ACCEPTED,
  type PriceSource,
} from "@tollgate/contract/management/price-sync";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

export interface Acceptance {
  source: PriceSource;
  /** Which prices were seen. */
  version: number;
  prices: readonly (readonly [model: string, price: ModelPriceEntry])[];
}

/** POST /api/prices/accept, as often as it takes. @returns the version that holds now. */
export const useAcceptPrices = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ source, version, prices }: Acceptance): Promise<number> => {
      let price_version = version;
      for (let from = 0; from < prices.length; from += MOST_ACCEPTED) {
        const body = {
          source,
          price_version,
          prices: Object.fromEntries(prices.slice(from, from + MOST_ACCEPTED)),
        };
        const { data } = await callApi("POST", "/api/prices/accept", { body });
        price_version = acceptedPricesSchema.parse(data).price_version;
      }
      return price_version;
    },
    onSettled: () => {
      for (const key of ["options", "missing-prices", "profit"])
        void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
};
