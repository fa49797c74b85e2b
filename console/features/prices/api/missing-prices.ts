import { queryOptions } from "@tanstack/react-query";
import { readMissingPrices } from "@tollgate/contract/management/price-sync";
import { callApi } from "../../../lib/api-client";

/** GET /api/prices/missing */
export const missingPricesQuery = queryOptions({
  queryKey: ["missing-prices"],
  queryFn: async ({ signal }) =>
    readMissingPrices((await callApi("GET", "/api/prices/missing", { signal })).data),
  // The page says it where the rows would be.
  meta: { silent: true },
});
