import { getSelf } from "@tollgate/contract/api/own-account";
import { endpointQuery } from "./endpoint-query";

/** The logged-in user's own account. Always read from the server: its quota changes while pages are open. */
export const selfQuery = { ...endpointQuery(getSelf, {}), staleTime: 0 };
