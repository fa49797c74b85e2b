import { queryOptions } from "@tanstack/react-query";
import { readSetup, type SetupWire } from "@tollgate/contract/management/setup";
import { callApi, UnreadableError } from "../../../lib/api-client";

/** POST /api/setup/check: what the code of a set-up link is good for. The page shows the failure itself. */
export const setupQuery = (code: string) =>
  queryOptions({
    queryKey: ["setup", code],
    queryFn: async ({ signal }): Promise<SetupWire> => {
      const { data } = await callApi("POST", "/api/setup/check", { body: { code }, signal });
      const setup = readSetup(data);
      if (!setup) throw new UnreadableError("no state of the set-up in the answer");
      return setup;
    },
    meta: { silent: true },
  });
