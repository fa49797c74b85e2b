import { useQueryClient } from "@tanstack/react-query";
import { changeOption, type Option } from "@tollgate/contract/api/options";
import { RefusedError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { restartRead } from "../../lib/restart-read";
import { refreshStatus } from "../../lib/status";
import { useMutation } from "../../lib/use-mutation";
import { optionsQuery } from "./options-query";

/** A change of an option; `before`, where the server compares it, is the value that was read. */
export interface OptionChange extends Option {
  before?: string;
}

interface Outcomes<Change> {
  onSaved: (change: Change) => void;
  onFailed: (change: Change, error: Error) => void;
}

/**
 * Changes settings one after another, also after one that the server refuses; the first failure is reported. Then the whole console
 * follows.
 */
export const useSaveOptions = <Change extends OptionChange = OptionChange>(outcomes?: Outcomes<Change>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (options: Change[]): Promise<void> => {
      let failure: Error | undefined;
      for (const change of options) {
        const { key, value, before } = change;
        try {
          await callEndpoint(changeOption, {
            body: { key, value, ...(before === undefined ? {} : { before }) },
          });
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          failure ??= error;
          outcomes?.onFailed(change, error);
          // Nothing else gets through either.
          if (!(error instanceof RefusedError)) break;
          continue;
        }
        queryClient.setQueryData(optionsQuery.queryKey, (values) => values && { ...values, [key]: value });
        restartRead(queryClient, optionsQuery.queryKey);
        outcomes?.onSaved(change);
      }
      if (failure) throw failure;
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
