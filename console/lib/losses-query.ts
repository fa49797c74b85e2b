import { listLosses } from "@tollgate/contract/api/profit";
import { endpointQuery } from "./endpoint-query";

/** Active channels that sell below their cost. */
export const lossesQuery = { ...endpointQuery(listLosses, {}), meta: { silent: true } };
