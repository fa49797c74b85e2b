import { getSelf } from "@tollgate/contract/api/own-account";
import { endpointQuery } from "./endpoint-query";

/** The logged-in person's own account. Always read from the server: its quota moves while pages are open. */
export const selfQuery = { ...endpointQuery(getSelf, {}), staleTime: 0 };
