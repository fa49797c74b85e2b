import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { OPERATIONS_BY_ADDRESSING, UPSTREAM_OPERATIONS } from "@tollgate/protocols/protocols";
import type { UpstreamTarget } from "../ports/directory";

/** The upstream's implementation of an operation on a channel; undefined when it has none. */
export const upstreamOperation = (
  { protocol, route }: Pick<UpstreamTarget, "protocol" | "route">,
  name: string,
): UpstreamOperation | undefined =>
  (OPERATIONS_BY_ADDRESSING[route.addressing ?? ""] ?? UPSTREAM_OPERATIONS)[protocol.name]?.[name];
