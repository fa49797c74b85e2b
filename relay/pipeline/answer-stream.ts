import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import { AnswerUnreadable, type UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import type { Usage } from "@tollgate/contract/relay/usage";
import type { Counts } from "./settle";

/**
 * A stream from the upstream to the client: bytes in, bytes out. It has no sockets, so that tests can cut the bytes
 * anywhere.
 *
 * It emits nothing before the upstream has sent something of use to the client (until then the attempt may still be
 * replaced), and holds the end of the answer back until the charge is durable.
 */
export interface AnswerStream {
  /** Content type for the client; undefined for server-sent events. */
  readonly contentType?: string;
  /** @returns bytes for the client; undefined before the first ones. Not called while `work` is pending. */
  push(chunk: Buffer): Uint8Array | string | undefined;
  /** The upstream closed the connection properly; `error` reports whether the answer was complete. */
  end(): Uint8Array | string | undefined;
  /** Bytes held back because nothing had been delivered, for an answer that is empty but was worked for. */
  release(): Uint8Array | string | undefined;
  /**
   * The end of the stream for the client; sent after the charge is durable.
   * @param counts the charged counts, for a client that receives its usage.
   * @returns a promise when writing it takes too long for one turn of the event loop.
   */
  tail(counts: Counts): Uint8Array | string | Promise<Uint8Array>;
  /**
   * Pending work of the last `push` or `end`, if it takes too long for one turn of the event loop. Each step may return
   * bytes for the client. It ends by itself, or is abandoned with the stream.
   */
  readonly work: StreamWork | undefined;
  /**
   * The last read contained only keep-alive data: comments, pings, events without content. Absent when every byte is of
   * use.
   */
  readonly isQuiet?: boolean;
  /**
   * Whether the next read is searched for content, so that `isQuiet` is also true for events with no more than empty
   * deltas. Absent where every read is.
   */
  isSearched?: boolean;
  /** Approximate size of what it holds: text for counting, and unsent output; bytes. */
  readonly heldBytes?: number;
  /** Drops the text kept for counting where possible: it is estimated instead, as a long one would be. */
  shed?(): void;
  /** The client received something, or will. */
  readonly hasDelivered: boolean;
  /** The upstream has sent the whole answer; only its end mark may follow. */
  readonly isEnded: boolean;
  /** `isEnded` includes the end mark: there is nothing left to wait for. */
  readonly endsWithMark?: boolean;
  /**
   * All of the answer has come, with its usage, although its end may be missing: a failure of the connection has no effect
   * then. Absent where only an orderly close shows it. May cost some work.
   */
  readonly isWhole?: boolean;
  /** The upstream reported an error, or broke off, or spoke nonsense. */
  readonly error: UpstreamError | undefined;
  /** The error is a limit or a failure of this program, not the upstream's: the delivered part is charged. */
  readonly isGivenUp: boolean;
  readonly usage: Usage;
  /** The answer as far as it was delivered, for counting; may cost some work. */
  delivered(): DeliveredContent;
}

/** Steps of reading and writing large content; each may return bytes for the client. */
export type StreamWork = Generator<Uint8Array | undefined, void>;

/** The received part of a stream: everything its charge depends on. */
export type ReceivedStream = Pick<AnswerStream, "usage" | "delivered">;

/** Maximum size of the data before anything is delivered. */
export const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Maximum size of one translated event; the largest known are pictures of 16 MB. */
export const MAX_TRANSLATED_EVENT_BYTES = 18 * 1024 * 1024;

/** Maximum size of one answer's stream: several times the longest answers of today. */
export const MAX_STREAM_BYTES = 256 * 1024 * 1024;

/** Error for an answer that the gateway stops reading or cannot read. */
export const givenUp = (fault: UpstreamFault): UpstreamError => ({
  kind: "unknown",
  status: 200,
  message: "",
  code: "",
  fault,
});

/** Error for a part of a stream that this program could not read. */
export const unreadable = (error: unknown): UpstreamError =>
  error instanceof AnswerUnreadable
    ? givenUp(error.fault)
    : { ...givenUp({ code: "stream-unreadable" }), message: error instanceof Error ? error.message : "" };
