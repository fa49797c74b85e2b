import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";

/** The last part of a stream that breaks off or cannot be read. */
export const brokenStream = (
  kind: UpstreamError["kind"],
  code: Extract<UpstreamFault["code"], `stream-${string}`>,
): UpstreamError => ({ kind, status: 200, message: "", code: "", fault: { code } });
