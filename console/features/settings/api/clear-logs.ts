import { useMutation, useQueryClient } from "@tanstack/react-query";
import i18next from "i18next";
import { callApi, HttpError } from "../../../lib/api-client";
import { notify } from "../../../lib/notify";
import { reportError } from "../../../lib/report-error";

/** DELETE /api/log/?target_timestamp=; answers how many lines are gone. */
export const useClearLogs = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (targetTimestamp: number): Promise<number> =>
      Number(
        (await callApi("DELETE", "/api/log/", { query: { target_timestamp: targetTimestamp } })).data ?? 0,
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["logs"] }),
    onError: (error) => {
      // Statuses have sentences of their own; any other failure is told as this action's.
      if (error instanceof HttpError) reportError(error);
      else notify.error(i18next.t("setting.clearLogsFailed", { message: error.message }));
    },
    meta: { silent: true },
  });
};
