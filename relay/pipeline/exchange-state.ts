import type { UpstreamTarget } from "../ports/directory";
import type { TimeBounds } from "../routing/time-bounds";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import type { Attempt } from "./attempt";
import type { Ending } from "./client-writer";
import type { Outcome } from "./outcome";
import type { Reservation } from "./reserve-quota";
import type { SlotWait } from "./slot-wait";

/**
 * No channel is being tried: none yet, or the last one has failed and its request is being parsed again for the next
 * one, or what the chosen one does not fetch itself is being fetched.
 */
export interface Choosing {
  readonly name: "choosing";
}

/** Every possible channel is full, or other nodes are being queried about it: the request waits for a slot. */
export interface Queued {
  readonly name: "queued";
  readonly wait: SlotWait;
}

/** The hold waits for the database. A hold that arrives after this state was left is released. */
export interface Reserving {
  readonly name: "reserving";
  readonly channel: UpstreamTarget;
}

/** The upstream request is being written. */
export interface Preparing {
  readonly name: "preparing";
  readonly attempt: Attempt;
  readonly reserved: Reservation;
  readonly bounds: TimeBounds | undefined;
}

/** The upstream request is sent; the client has received nothing, and knows of no failure. */
export interface Waiting {
  readonly name: "waiting";
  readonly attempt: Attempt;
  readonly reserved: Reservation;
}

/** The client receives the answer as it arrives. */
export interface Streaming {
  readonly name: "streaming";
  readonly attempt: Attempt;
  readonly reserved: Reservation;
  readonly stream: AnswerStream;
}

/** The client has left; its stream is read on, for the upstream's own count, but not for ever. */
export interface Draining {
  readonly name: "draining";
  readonly attempt: Attempt;
  readonly reserved: Reservation;
  /** The delivered part. */
  readonly received: ReceivedStream;
  /** Ends reading on. */
  readonly deadline: NodeJS.Timeout;
  /** Only counts that cannot be computed here are awaited: undelivered content is not charged. */
  readonly isForCounts: boolean;
}

/** The answer is over, and is counted. */
export interface Settling {
  readonly name: "settling";
  readonly attempt: Attempt;
  readonly reserved: Reservation;
  readonly outcome: Outcome;
  /** The delivered part, charged if handling the outcome fails internally; undefined when nothing was delivered. */
  readonly received: ReceivedStream | undefined;
  /** This program has failed already. */
  readonly isAfterCrash: boolean;
}

/** The hold has become a charge, which is being stored; the last bytes wait for it. */
export interface Storing {
  readonly name: "storing";
  readonly attempt: Attempt;
  readonly ending: Ending;
  /** The client received something before. */
  readonly isDelivered: boolean;
}

/** The charge is durable; the last bytes leave. */
export interface Delivering {
  readonly name: "delivering";
}

export interface Over {
  readonly name: "over";
}

/** A hold is open in exactly those states that have `reserved`, a timer runs in exactly those that have `deadline`. */
export type ExchangeState =
  | Choosing
  | Queued
  | Reserving
  | Preparing
  | Waiting
  | Streaming
  | Draining
  | Settling
  | Storing
  | Delivering
  | Over;

/** Nothing was sent yet. */
export type Unsent = Choosing | Queued | Reserving | Preparing;

/** The answer is complete or final. */
export type Closing = Settling | Storing | Delivering | Over;

export const CHOOSING: Choosing = { name: "choosing" };
export const DELIVERING: Delivering = { name: "delivering" };
export const OVER: Over = { name: "over" };
