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
import type { AtField } from "../../lib/use-refusals";

/** Redeems a code. The shown quota grows by the code's value, which the answer contains. */
export const useRedeemCode = ({ atField }: AtField) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (key: string): Promise<number> =>
      (await callEndpoint(redeemCode, { body: { key } })) ?? 0,
    onSuccess: (added) => {
      queryClient.setQueryData(selfQuery.queryKey, (self) => self && { ...self, quota: self.quota + added });
      restartRead(queryClient, selfQuery.queryKey);
    },
    // An unanswered request has its own message (specification section 8).
    onError: (error) => {
      atField(error);
      if (error instanceof RefusedError || error instanceof HttpError) reportError(error);
      else notify.error(i18next.t("topup.failed"));
    },
    meta: { silent: true },
  });
};
