import type { OperationName, UpstreamOperation } from "@tollgate/contract/relay/operation";
import { UPSTREAM_OPERATIONS, VERTEX_OPERATIONS } from "@tollgate/protocols/protocols";
import type { ChannelEntry } from "../ports";

/** How a channel's upstream does an operation; undefined where it cannot. */
export const upstreamOperation = (
  { protocol, route }: Pick<ChannelEntry, "protocol" | "route">,
  name: OperationName,
): UpstreamOperation | undefined =>
  (route.addressing === "vertex" ? VERTEX_OPERATIONS : UPSTREAM_OPERATIONS)[protocol.name]?.[name];
