import { useQueryClient } from "@tanstack/react-query";
import { changeOption, type Option } from "@tollgate/contract/api/options";
import { callEndpoint } from "../../lib/call-endpoint";
import { restartRead } from "../../lib/restart-read";
import { refreshStatus } from "../../lib/status";
import { useMutation } from "../../lib/use-mutation";
import { optionsQuery } from "./options-query";

/** A change of an option; `before`, where the server compares it, is the value that was read. */
export interface OptionChange extends Option {
  before?: string;
}

/** Changes settings one after another; what was accepted before a refusal stays. Then the whole console follows. */
export const useSaveOptions = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (options: OptionChange[]): Promise<void> => {
      for (const change of options) {
        const { key, value } = change;
        await callEndpoint(changeOption, { body: change });
        queryClient.setQueryData(optionsQuery.queryKey, (values) => values && { ...values, [key]: value });
        restartRead(queryClient, optionsQuery.queryKey);
      }
    },
    onSettled: () => {
      for (const resource of changeOption.changes ?? [])
        if (resource !== optionsQuery.queryKey[0])
          void queryClient.invalidateQueries({ queryKey: [resource] });
      // A failure here is the start-up's to tell, not this save's.
      refreshStatus(queryClient).catch(() => undefined);
    },
  });
};
