import { listMissingPrices } from "@tollgate/contract/api/prices";
import { endpointQuery } from "../../lib/endpoint-query";

/** The page says a failure where the rows would be. */
export const missingPricesQuery = { ...endpointQuery(listMissingPrices, {}), meta: { silent: true } };
