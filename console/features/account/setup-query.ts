import { checkSetup } from "@tollgate/contract/api/setup";
import { endpointQuery } from "../../lib/endpoint-query";

/** State of a set-up link's code. The page shows a failure itself. */
export const setupQuery = (code: string) => ({
  ...endpointQuery(checkSetup, { body: { code } }),
  meta: { silent: true },
});
