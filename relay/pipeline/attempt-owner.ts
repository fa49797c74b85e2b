import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { UpstreamTarget } from "../ports/directory";
import type { FailureDetail } from "../ports/transport";
import type { AnswerStream } from "./answer-stream";

/**
 * Runs an attempt and decides what follows from it. Exactly one of `onStreamEnd`, `onWholeAnswer`, `onError`,
 * `onGivenUp` and `onCrash` is called, once.
 */
export interface AttemptOwner {
  /** The upstream starts to answer. @param treatedAs the status substituted by the channel's overrides. */
  onHead(status: number, treatedAs: number | undefined): void;
  /** A success starts. @returns undefined when it must be read as a whole. */
  createStream(channel: UpstreamTarget, contentType: string): AnswerStream | undefined;
  /** Bytes for the client. @returns false when it reads slower than the upstream writes. */
  onBytes(bytes: Uint8Array | string): boolean;
  /** @param rest output of the last read, not yet passed to `onBytes`. */
  onStreamEnd(stream: AnswerStream, rest: Uint8Array | string | undefined): void;
  /** A success in one piece. `body` is its JSON, undefined when it is not JSON. */
  onWholeAnswer(bytes: Buffer, body: unknown): void;
  /** @param detail for the operator's log. */
  onError(error: UpstreamError, detail: FailureDetail): void;
  /** This program itself decided to stop reading a stream that was partly delivered. */
  onGivenUp(stream: AnswerStream, error: UpstreamError): void;
  /** This program failed over the answer. */
  onCrash(error: unknown): void;
}
