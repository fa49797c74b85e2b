import { listLosses } from "@tollgate/contract/api/profit";
import { endpointQuery } from "./endpoint-query";

/** What channels in use sell below what they buy it at. */
export const lossesQuery = { ...endpointQuery(listLosses, {}), meta: { silent: true } };
