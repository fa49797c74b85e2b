import type { Channel } from "@tollgate/contract/management/channel";
import { channelOf } from "@tollgate/testkit/channel-of";
import type { UpstreamTarget } from "../ports";
import { createUpstreamTargets } from "../routing/upstream-target";

/**
 * A channel that requests can be sent to.
 * @param secrets its key, and the proxy to reach it through, if it has one.
 */
export const entryOf = (
  fields: Partial<Channel> = {},
  secrets: { key: string; proxy?: string } = { key: "upstream-key" },
): UpstreamTarget => {
  const [entry] = createUpstreamTargets(channelOf(fields), { proxy: "", ...secrets });
  if (!entry) throw new Error("the channel cannot be relayed to");
  return entry;
};
