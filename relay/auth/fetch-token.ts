import { readCounter } from "@tollgate/contract/relay/usage";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { readRecord, readString } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import type { Authorization, AuthTools, TransportFailure, UpstreamRequest } from "../ports/transport";

/** An access token and its lifetime. */
export interface IssuedToken {
  token: string;
  lifetimeSeconds: number;
}

/** Far above any token's answer: a bound on memory. */
const MAX_ANSWER_BYTES = 64 * 1024;
const DEFAULT_LIFETIME_SECONDS = 600;

/** The fetched token, or the reason for failing. */
export type TokenOutcome = IssuedToken | Exclude<Authorization, { request: UpstreamRequest }>;

/**
 * Requests an access token (https://www.rfc-editor.org/rfc/rfc6749#section-5) over the guarded transport.
 * @param done called once.
 */
export const fetchToken = (
  request: UpstreamRequest,
  { transport }: Pick<AuthTools, "transport">,
  done: (outcome: TokenOutcome) => void,
): void => {
  const pieces = new BytePieces();
  let size = 0;
  let status = 0;
  transport.send(request, {
    onStart() {},
    onHeaders(received) {
      status = received;
    },
    onData(chunk) {
      size += chunk.length;
      if (size <= MAX_ANSWER_BYTES) pieces.push(chunk);
      return true;
    },
    onEnd: () => done(readOutcome(status, pieces.take())),
    onFailure: (failure: TransportFailure) => done({ failure }),
  });
};

const readOutcome = (status: number, body: Buffer): TokenOutcome => {
  const answer = readRecord(parseJson(body.toString("utf8")));
  const token = readString(answer.access_token);
  if (status < 300 && token !== "") {
    return { token, lifetimeSeconds: readCounter(answer.expires_in) ?? DEFAULT_LIFETIME_SECONDS };
  }
  // Some issuers refuse with a success, most with 400, which would blame the caller's request. A success without an
  // error message is a failure of the service.
  const isRefused = readString(answer.error) !== "" && (status < 300 || status === 400);
  return { refusal: { status: isRefused ? 401 : status < 300 ? 502 : status, body } };
};
