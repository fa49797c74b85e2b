import type { Channel } from "@tollgate/contract/api/channels";
import type { ChannelOverrides } from "@tollgate/contract/management/channel-overrides";
import { channelOf } from "@tollgate/testkit/channel-of";
import type { UpstreamTarget } from "../ports/directory";
import { createUpstreamTargets } from "../routing/upstream-target";

/**
 * A channel that requests can be sent to.
 * @param secrets its key, the proxy to reach it through and its overrides, if it has any.
 */
export const entryOf = (
  fields: Partial<Channel> = {},
  secrets: { key: string; proxy?: string; requestChanges?: ChannelOverrides } = { key: "upstream-key" },
): UpstreamTarget => {
  const [entry] = createUpstreamTargets(channelOf(fields), { proxy: "", ...secrets });
  if (!entry) throw new Error("the channel cannot be relayed to");
  return entry;
};
