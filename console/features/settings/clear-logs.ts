import { useMutationState } from "@tanstack/react-query";
import { clearLogs } from "@tollgate/contract/api/logs";
import i18next from "i18next";
import { HttpError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { failureText } from "../../lib/failure-text";
import { notify } from "../../lib/notify";
import { reportError } from "../../lib/report-error";
import { useRepeatReads } from "../../lib/use-endpoint";
import { useMutation } from "../../lib/use-mutation";

const CLEARING = ["logs", "clear"];

/** A running deletion, started on any page; times in milliseconds. */
export interface Clearing {
  beforeMs: number;
  sinceMs: number;
}

/** The running deletion, which continues when its page is left. */
export const useClearing = (): Clearing | undefined =>
  useMutationState({
    filters: { mutationKey: CLEARING, status: "pending" },
    select: ({ state }) => ({ beforeMs: Number(state.variables) * 1000, sinceMs: state.submittedAt }),
  })[0];

/** Deletes lines from before a time (unix seconds). Reports the number of deleted lines on any page. */
export const useClearLogs = () => {
  const repeatReads = useRepeatReads();
  return useMutation({
    mutationKey: CLEARING,
    mutationFn: async (targetTimestamp: number): Promise<number> =>
      (await callEndpoint(clearLogs, { query: { target_timestamp: targetTimestamp } })) ?? 0,
    onSuccess: (count) => {
      notify.success(i18next.t("setting.cleared", { count }));
      return repeatReads(clearLogs);
    },
    onError: (error) => {
      // Statuses have their own messages; any other failure is reported as this action's.
      if (error instanceof HttpError) reportError(error);
      else notify.error(i18next.t("setting.clearLogsFailed", { message: failureText(error) }));
    },
    meta: { silent: true },
  });
};
