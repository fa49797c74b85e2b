import { useQueryClient } from "@tanstack/react-query";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { type NewPriceDraft, priceDraftSchema } from "@tollgate/contract/management/price-draft";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** POST /api/price-drafts: prices of a list as a draft, which changes nothing until it is published. @returns its id. */
export const useMakeDraft = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({
      name,
      prices,
    }: {
      name: string;
      prices: readonly (readonly [model: string, price: ModelPriceEntry])[];
    }): Promise<number> => {
      const body: NewPriceDraft = { name, changes: { ModelPrice: Object.fromEntries(prices) } };
      return priceDraftSchema.parse((await callApi("POST", "/api/price-drafts", { body })).data).id;
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ["price-drafts"] }),
  });
};
