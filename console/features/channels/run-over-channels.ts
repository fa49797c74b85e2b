import type { QueryClient } from "@tanstack/react-query";
import type { Channel } from "@tollgate/contract/management/channel";
import { calendarState } from "@tollgate/contract/management/channel-calendar";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { findCard } from "@tollgate/vendors/slim/find-card";
import { readAllChannels } from "./api/list-channels";
import { testAllChannels } from "./api/test-all-channels";
import { updateAllBalances } from "./api/update-all-balances";
import { type BulkOutcome, type BulkProgress, followBulkRun } from "./bulk-run";

export type BulkKind = "test" | "balance";

const RUNS = {
  test: {
    start: testAllChannels,
    // The server leaves these out: nobody would hear of them again.
    concerns: ({ skipsTests, calendar, closedUntil }: Channel) =>
      !skipsTests && calendarState(calendar, closedUntil, Date.now()) === "open",
    mark: (channel: Channel) => `${channel.testTime} ${channel.responseTimeMs}`,
    // An upstream that hangs may take a minute.
    quietLooks: 30,
  },
  balance: {
    start: updateAllBalances,
    concerns: (channel: Channel) => findCard(channel.type)?.balanceUnit !== undefined,
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

/** Tests all enabled channels, or reads their balances, and follows that to its end. */
export const runOverChannels = (
  kind: BulkKind,
  client: QueryClient,
  onProgress: (progress: BulkProgress, channels: Channel[]) => void,
): Promise<BulkOutcome> =>
  followBulkRun({ ...RUNS[kind], readAll: () => readAllChannels(client), wait, onProgress });
