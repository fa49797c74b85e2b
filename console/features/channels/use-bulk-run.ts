import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/control/channel";
import { PAGE_SIZE } from "@tollgate/contract/control/envelope";
import { findVendor } from "@tollgate/vendors/vendors";
import i18next from "i18next";
import { adoptRows } from "../../lib/growing-list";
import { notify } from "../../lib/notify";
import { currentUser } from "../../lib/session";
import { CHANNEL_LIST, CHANNELS, readAllChannels } from "./api/list-channels";
import { testAllChannels } from "./api/test-all-channels";
import { updateAllBalances } from "./api/update-all-balances";
import { type BulkOutcome, type BulkProgress, followBulkRun } from "./bulk-run";

export type BulkKind = "test" | "balance";

const RUNS = {
  test: {
    start: testAllChannels,
    concerns: () => true,
    mark: (channel: Channel) => `${channel.testTime} ${channel.responseTimeMs}`,
    // An upstream that hangs may take a minute.
    quietLooks: 30,
  },
  balance: {
    start: updateAllBalances,
    concerns: (channel: Channel) => findVendor(channel.type)?.balanceUnit !== undefined,
    mark: (channel: Channel) => `${channel.balanceUpdatedTime} ${channel.balance}`,
    // For servers that answer before they are done.
    quietLooks: 3,
  },
} as const;

/** Half of what servers grant an address (180 calls in 3 minutes), at the smallest page of any of them. */
const MS_PER_PAGE = 2000;

const wait = (channelCount: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, MS_PER_PAGE * Math.max(1, Math.ceil(channelCount / PAGE_SIZE)));
  });

const tell = (kind: BulkKind, outcome: BulkOutcome): void => {
  const { done, total } = outcome;
  const said = i18next.t(done === total ? `channel.run.${kind}.done` : `channel.run.${kind}.partly`, {
    done,
    total,
  });
  const disabled =
    outcome.disabled > 0 ? `\n${i18next.t("channel.run.disabled", { count: outcome.disabled })}` : "";
  notify.info(said + disabled);
};

/** A run over all channels. It goes on while other pages are shown, and tells its outcome wherever the person is. */
export const useBulkRun = (kind: BulkKind) => {
  const queryClient = useQueryClient();
  const key = [...CHANNELS, "run", kind];
  const { data: progress } = useQuery<BulkProgress | null>({
    queryKey: key,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const show = (now: BulkProgress | null): void => {
    queryClient.setQueryData<BulkProgress | null>(key, now);
  };
  const { mutate } = useMutation({
    mutationFn: () => {
      show({ done: 0, total: 0 });
      return followBulkRun({
        ...RUNS[kind],
        readAll: readAllChannels,
        wait,
        onProgress: (now, channels) => {
          if (!currentUser()) return;
          show(now);
          adoptRows(queryClient, CHANNEL_LIST, channels);
        },
      });
    },
    onSuccess: (outcome) => {
      if (currentUser()) tell(kind, outcome);
    },
    onSettled: () => show(null),
  });
  return { progress: progress ?? undefined, start: () => mutate() };
};
