import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { listChannels } from "@tollgate/contract/api/channels";
import i18next from "i18next";
import { listKey } from "../../lib/endpoint-lists";
import { adoptRows } from "../../lib/growing-list";
import { notify } from "../../lib/notify";
import { currentUser } from "../../lib/session";
import { useMutation } from "../../lib/use-mutation";
import type { BulkOutcome, BulkProgress } from "./bulk-run";
import type { BulkKind } from "./run-over-channels";

const tell = (kind: BulkKind, { done, total, disabled }: BulkOutcome): void => {
  const key =
    done === total ? (`channel.run.${kind}.done` as const) : (`channel.run.${kind}.partly` as const);
  const lines = [i18next.t(key, { done, total })];
  if (disabled > 0) lines.push(i18next.t("channel.run.disabled", { count: disabled }));
  notify.info(lines.join("\n"));
};

/** A run over all channels. It continues while other pages are shown, and reports its outcome on any page. */
export const useBulkRun = (kind: BulkKind) => {
  const queryClient = useQueryClient();
  const key = [listChannels.reads, "run", kind];
  const { data: progress } = useQuery<BulkProgress | null>({
    queryKey: key,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const show = (now: BulkProgress | null): void => {
    queryClient.setQueryData<BulkProgress | null>(key, now);
  };
  const { mutate } = useMutation({
    mutationFn: async () => {
      show({ done: 0, total: 0 });
      // Loaded with the first run, to keep the list's code small.
      const { runOverChannels } = await import("./run-over-channels");
      return runOverChannels(kind, queryClient, (now, channels) => {
        if (!currentUser()) return;
        show(now);
        adoptRows(queryClient, listKey(listChannels), channels);
      });
    },
    onSuccess: (outcome) => {
      if (currentUser()) tell(kind, outcome);
    },
    onSettled: () => show(null),
  });
  return { progress: progress ?? undefined, start: () => mutate() };
};
