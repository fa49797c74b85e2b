import { useQueryClient } from "@tanstack/react-query";
import i18next from "i18next";
import { callApi, HttpError, RefusedError } from "../../../lib/api-client";
import { notify } from "../../../lib/notify";
import { reportError } from "../../../lib/report-error";
import { restartRead } from "../../../lib/restart-read";
import { selfQuery } from "../../../lib/self";
import { useMutation } from "../../../lib/use-mutation";

/** POST /api/user/topup. The shown quota grows by what the code was worth, which the answer names. */
export const useRedeemCode = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (key: string): Promise<number> => {
      const added = Number((await callApi("POST", "/api/user/topup", { body: { key } })).data);
      return Number.isFinite(added) ? added : 0;
    },
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
