import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import { AnswerUnreadable, type UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import type { Usage } from "@tollgate/contract/relay/usage";
import type { Counts } from "./settle";

/**
 * A stream on its way from the upstream to the client: bytes in, bytes out. It knows nothing of sockets, so that tests
 * can cut the bytes anywhere.
 *
 * Nothing comes out before the upstream has given something that the client can use (until then the attempt may still
 * be replaced), and the end of the answer is kept back (until the charge is durable).
 */
export interface AnswerStream {
  /** What the client is told that these bytes are; undefined for server-sent events. */
  readonly contentType?: string;
  /** @returns bytes for the client; undefined when there are none for now. Not called while there is work left. */
  push(chunk: Buffer): Uint8Array | string | undefined;
  /** The upstream closed the connection in order; an `error` says whether the answer was whole. */
  end(): Uint8Array | string | undefined;
  /** What was held back because nothing had been delivered, for an answer that is empty but worked for. */
  release(): Uint8Array | string | undefined;
  /**
   * What ends the stream for the client; to be sent after the charge is durable.
   * @param counts what is charged, for a client that is told its usage.
   * @returns a promise where to write it takes too long for one turn of the event loop.
   */
  tail(counts: Counts): Uint8Array | string | Promise<Uint8Array>;
  /**
   * What is left to do of the last `push` or `end`, where that takes too long for one turn of the event loop. Each step may
   * give bytes for the client. It ends by itself, or is given up with the stream.
   */
  readonly work: StreamWork | undefined;
  /**
   * The last read brought nothing but what keeps a connection alive: comments, pings, events that give nothing. Absent where
   * every byte is of use.
   */
  readonly isQuiet?: boolean;
  /** What it keeps of the answer, about: text for counting, and what is not sent yet; bytes. */
  readonly heldBytes?: number;
  /** Keeps no more text for counting than it must: what it had is estimated, as a long one would be. */
  shed?(): void;
  /** The client was or will be given something. */
  readonly hasDelivered: boolean;
  /** The upstream has said all; what follows can only be its end mark. */
  readonly isEnded: boolean;
  /** `isEnded` says that the end mark was there, too: nothing is to be waited for. */
  readonly endsWithMark?: boolean;
  /** The upstream reported an error, or broke off, or spoke nonsense. */
  readonly error: UpstreamError | undefined;
  /** The error is a bound or a failure of this program, no word of the upstream: what was delivered is charged. */
  readonly isGivenUp: boolean;
  readonly usage: Usage;
  /** The answer as far as it was delivered, for counting; may cost some work. */
  delivered(): DeliveredContent;
}

/** The steps of reading and writing what is large; each may give bytes for the client. */
export type StreamWork = Generator<Uint8Array | undefined, void>;

/** What was received of a stream: all that its charge is worked out from. */
export type ReceivedStream = Pick<AnswerStream, "usage" | "delivered">;

/** The most that may come before anything is delivered. */
export const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** The most that one event may weigh that is translated; the largest that are known are pictures of 16 MB. */
export const MAX_TRANSLATED_EVENT_BYTES = 18 * 1024 * 1024;

/** The most that the stream of one answer may weigh: several times what the longest answers of today do. */
export const MAX_STREAM_BYTES = 256 * 1024 * 1024;

/** An answer of which this gateway reads no more, or which it cannot read. */
export const givenUp = (fault: UpstreamFault): UpstreamError => ({
  kind: "unknown",
  status: 200,
  message: "",
  code: "",
  fault,
});

/** Something in a stream that this program could not read. */
export const unreadable = (error: unknown): UpstreamError =>
  error instanceof AnswerUnreadable
    ? givenUp(error.fault)
    : { ...givenUp({ code: "stream-unreadable" }), message: error instanceof Error ? error.message : "" };
