import { useQueryClient } from "@tanstack/react-query";
import { changeOption, type Option } from "@tollgate/contract/api/options";
import { RefusedError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { restartRead } from "../../lib/restart-read";
import { refreshStatus } from "../../lib/status";
import { useMutation } from "../../lib/use-mutation";
import { optionsQuery } from "./options-query";

/** A change of an option; `before` is the value that was read, for servers that compare it. */
export interface OptionChange extends Option {
  before?: string;
}

interface Outcomes<Change> {
  onSaved: (change: Change) => void;
  onFailed: (change: Change, error: Error) => void;
}

/**
 * Changes settings one after another, continuing after a rejection; the first failure is reported. Then the whole
 * console is updated.
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
          // Other errors would stop the remaining changes as well.
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
      // The start-up reports a failure of the status, not this save.
      refreshStatus(queryClient).catch(() => undefined);
    },
  });
};
