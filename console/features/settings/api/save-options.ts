import { useQueryClient } from "@tanstack/react-query";
import type { Option } from "@tollgate/contract/management/option";
import { callApi } from "../../../lib/api-client";
import { restartRead } from "../../../lib/restart-read";
import { refreshStatus } from "../../../lib/status";
import { useMutation } from "../../../lib/use-mutation";
import { optionsQuery } from "./list-options";

/** What other pages have read that a setting may have changed. */
const DEPENDENTS = ["groups", "notice", "home-content", "about"];

/** A change of an option; `before`, where the server compares it, is the value that was read. */
export interface OptionChange extends Option {
  before?: string;
}

/** PUT /api/option/, once for each; what was accepted before a refusal stays. Then the whole console follows. */
export const useSaveOptions = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (options: OptionChange[]): Promise<void> => {
      for (const change of options) {
        const { key, value } = change;
        await callApi("PUT", "/api/option/", { body: change });
        queryClient.setQueryData(optionsQuery.queryKey, (values) => values && { ...values, [key]: value });
        restartRead(queryClient, optionsQuery.queryKey);
      }
    },
    onSettled: () => {
      for (const key of DEPENDENTS) void queryClient.invalidateQueries({ queryKey: [key] });
      // A failure here is the start-up's to tell, not this save's.
      refreshStatus(queryClient).catch(() => undefined);
    },
  });
};
