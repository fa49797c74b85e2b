import type { QueryClient } from "@tanstack/react-query";
import { readBalances, testChannels } from "@tollgate/contract/api/channel-upstream";
import type { Channel } from "@tollgate/contract/api/channels";
import { calendarState } from "@tollgate/contract/management/channel-calendar";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { balanceUnitAt } from "@tollgate/vendors/slim/balance-unit";
import { findCard } from "@tollgate/vendors/slim/find-card";
import { callEndpoint } from "../../lib/call-endpoint";
import { type BulkOutcome, type BulkProgress, followBulkRun } from "./bulk-run";
import { readAllChannels } from "./channel-queries";

export type BulkKind = "test" | "balance";

const RUNS = {
  test: {
    /** Some servers answer at the start of the run, some at its end. */
    start: () => callEndpoint(testChannels, {}),
    // The server skips these, so waiting for them would never end.
    concerns: ({ skipsTests, calendar, closedUntil }: Channel) =>
      !skipsTests && calendarState(calendar, closedUntil, Date.now()) === "open",
    mark: (channel: Channel) => `${channel.testTime} ${channel.responseTimeMs}`,
    // An unresponsive upstream may take a minute.
    quietLooks: 30,
  },
  balance: {
    start: () => callEndpoint(readBalances, {}),
    concerns: (channel: Channel) =>
      balanceUnitAt(findCard(channel.type)?.balance, channel.baseUrl) !== undefined,
    mark: (channel: Channel) => `${channel.balanceUpdatedTime} ${channel.balance}`,
    // For servers that answer before the run has ended.
    quietLooks: 3,
  },
} as const;

/** Half the rate that servers allow per address (180 calls in 3 minutes), with the smallest page size of any server. */
const MS_PER_PAGE = 2000;

const wait = (channelCount: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, MS_PER_PAGE * Math.max(1, Math.ceil(channelCount / PAGE_SIZE)));
  });

/** Tests all enabled channels, or reads their balances, and follows the run to its end. */
export const runOverChannels = (
  kind: BulkKind,
  client: QueryClient,
  onProgress: (progress: BulkProgress, channels: Channel[]) => void,
): Promise<BulkOutcome> =>
  followBulkRun({ ...RUNS[kind], readAll: () => readAllChannels(client), wait, onProgress });
