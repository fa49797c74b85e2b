import type { UpstreamError, UpstreamSaying } from "@tollgate/contract/relay/error";
import type { Refusal } from "../ports/client";
import type { RelayPorts } from "../ports/relay-ports";
import { refusalFor } from "../routing/after-failure";
import type { Attempt } from "./attempt";

/** Longest code that is kept, in UTF-16 units: vendors' codes are words. */
const MAX_CODE = 200;

/** An attempt's error as the upstream reported it. The status of an error inside a success is the one that it names. */
const sayingOf = (
  { channel: { channel }, sentStatus }: Attempt,
  { status, code, message }: UpstreamError,
): UpstreamSaying => ({
  channelId: channel.id,
  channelType: channel.type,
  status: sentStatus >= 300 ? sentStatus : status,
  code: code.slice(0, MAX_CODE),
  message,
});

/** The refusal for an error, with the upstream's own words. */
export const refusalOfAttempt = (attempt: Attempt, error: UpstreamError): Refusal => ({
  ...refusalFor(error),
  original: sayingOf(attempt, error),
});

/** The refusal of a stream that breaks off, with the same. */
export const interruptionOfAttempt = (attempt: Attempt, error: UpstreamError): Refusal => ({
  code: "upstream-interrupted",
  original: sayingOf(attempt, error),
});

/**
 * The refusal as the site's rules put it for clients. Called only for the answer: retries and fallbacks follow the
 * upstream's own error.
 */
export const rewriteRefusal = <R extends Pick<Refusal, "original" | "rewrite">>(
  { rewriteError }: Pick<RelayPorts, "rewriteError">,
  refusal: R,
): R => {
  const rewrite = refusal.original && rewriteError?.(refusal.original);
  return rewrite ? { ...refusal, rewrite } : refusal;
};
