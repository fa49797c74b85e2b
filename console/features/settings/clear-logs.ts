import { useMutationState, useQueryClient } from "@tanstack/react-query";
import { clearLogs } from "@tollgate/contract/api/logs";
import i18next from "i18next";
import { HttpError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { failureText } from "../../lib/failure-text";
import { notify } from "../../lib/notify";
import { reportError } from "../../lib/report-error";
import { useMutation } from "../../lib/use-mutation";

const CLEARING = ["logs", "clear"];

/** A clearing that is under way, whichever page began it; times in milliseconds. */
export interface Clearing {
  beforeMs: number;
  sinceMs: number;
}

/** The clearing that is under way; it goes on when its page is left. */
export const useClearing = (): Clearing | undefined =>
  useMutationState({
    filters: { mutationKey: CLEARING, status: "pending" },
    select: ({ state }) => ({ beforeMs: Number(state.variables) * 1000, sinceMs: state.submittedAt }),
  })[0];

/** Deletes lines from before a time (unix seconds). Says how many lines are gone, on whichever page the person is by then. */
export const useClearLogs = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: CLEARING,
    mutationFn: async (targetTimestamp: number): Promise<number> =>
      (await callEndpoint(clearLogs, { query: { target_timestamp: targetTimestamp } })) ?? 0,
    onSuccess: (count) => {
      notify.success(i18next.t("setting.cleared", { count }));
      return queryClient.invalidateQueries({ queryKey: ["logs"] });
    },
    onError: (error) => {
      // Statuses have sentences of their own; any other failure is told as this action's.
      if (error instanceof HttpError) reportError(error);
      else notify.error(i18next.t("setting.clearLogsFailed", { message: failureText(error) }));
    },
    meta: { silent: true },
  });
};
