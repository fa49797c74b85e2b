import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { OPERATIONS_BY_ADDRESSING, UPSTREAM_OPERATIONS } from "@tollgate/protocols/protocols";
import type { UpstreamTarget } from "../ports";

/** How a channel's upstream does an operation; undefined where it cannot. */
export const upstreamOperation = (
  { protocol, route }: Pick<UpstreamTarget, "protocol" | "route">,
  name: string,
): UpstreamOperation | undefined =>
  (OPERATIONS_BY_ADDRESSING[route.addressing ?? ""] ?? UPSTREAM_OPERATIONS)[protocol.name]?.[name];
