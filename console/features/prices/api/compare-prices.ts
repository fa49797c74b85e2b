import { type PricePreviewBody, readPricePreview } from "@tollgate/contract/management/price-sync";
import { callApi } from "../../../lib/api-client";
import { useMutation } from "../../../lib/use-mutation";

/** POST /api/prices/preview: asks a list, and changes nothing. */
export const useComparePrices = () =>
  useMutation({
    mutationFn: async (body: PricePreviewBody) =>
      readPricePreview((await callApi("POST", "/api/prices/preview", { body })).data),
    // The page says it where the rows would be.
    meta: { silent: true },
  });
