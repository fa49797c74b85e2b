import { readBalance, testChannel } from "@tollgate/contract/api/channel-upstream";
import { changeChannel, listChannels } from "@tollgate/contract/api/channels";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { useRowEndpoint } from "../../lib/endpoint-lists";

/** Changes of one row, which takes over the status from the answer, or else the sent one. */
export const usePatchChannel = (id: number) =>
  useRowEndpoint(listChannels, id, changeChannel, (answered, { body: { status, priority, weight } }) => ({
    ...(typeof status === "number" ? { status: answered?.status || status } : {}),
    ...(typeof priority === "number" ? { priority } : {}),
    ...(typeof weight === "number" ? { weight } : {}),
  }));

/** Tests a channel; its row shows the response time. */
export const useTestChannel = (id: number) =>
  useRowEndpoint(
    listChannels,
    id,
    testChannel,
    ({ time }) => ({ responseTimeMs: time * 1000, testTime: toUnixSeconds(Date.now()) }),
    { isLong: true },
  );

/** Queries the upstream for a channel's balance; its row shows it. */
export const useReadBalance = (id: number) =>
  useRowEndpoint(
    listChannels,
    id,
    readBalance,
    ({ balance }) => ({ balance, balanceUpdatedTime: toUnixSeconds(Date.now()) }),
    { isLong: true },
  );

/** The selected channels: by id, or all with a tag. */
export type MeantChannels = { ids: number[] } | { tag: string };

/** Changes to all selected channels, with the API's field names. */
export interface ChannelsChange {
  group?: string;
  add_models?: string;
  remove_models?: string;
  priority?: number;
  weight?: number;
  tag?: string;
  test_model?: string;
  skip_tests?: boolean;
}
