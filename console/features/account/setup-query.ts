import { checkSetup } from "@tollgate/contract/api/setup";
import { endpointQuery } from "../../lib/endpoint-query";

/** What the code of a set-up link is good for. The page shows the failure itself. */
export const setupQuery = (code: string) => ({
  ...endpointQuery(checkSetup, { body: { code } }),
  meta: { silent: true },
});
