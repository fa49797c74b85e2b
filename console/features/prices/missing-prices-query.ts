import { listMissingPrices } from "@tollgate/contract/api/prices";
import { endpointQuery } from "../../lib/endpoint-query";

/** The page shows a failure in place of the rows. */
export const missingPricesQuery = { ...endpointQuery(listMissingPrices, {}), meta: { silent: true } };
