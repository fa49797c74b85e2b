import { useQueryClient } from "@tanstack/react-query";
import { redeemCode } from "@tollgate/contract/api/own-account";
import i18next from "i18next";
import { HttpError, RefusedError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { notify } from "../../lib/notify";
import { reportError } from "../../lib/report-error";
import { restartRead } from "../../lib/restart-read";
import { selfQuery } from "../../lib/self";
import { useMutation } from "../../lib/use-mutation";

/** Redeems a code. The shown quota grows by what the code was worth, which the answer names. */
export const useRedeemCode = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (key: string): Promise<number> =>
      (await callEndpoint(redeemCode, { body: { key } })) ?? 0,
    onSuccess: (added) => {
      queryClient.setQueryData(selfQuery.queryKey, (self) => self && { ...self, quota: self.quota + added });
      restartRead(queryClient, selfQuery.queryKey);
    },
    // A request that nobody answered has a sentence of its own (specification section 8).
    onError: (error) => {
      if (error instanceof RefusedError || error instanceof HttpError) reportError(error);
      else notify.error(i18next.t("topup.failed"));
    },
    meta: { silent: true },
  });
};
