import type { Refusal, UpstreamTarget } from "../ports";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import type { Attempt } from "./attempt";
import type { Ending } from "./client-writer";
import type { Outcome } from "./outcome";
import type { Reservation } from "./reserve-quota";
import type { SlotWait } from "./slot-wait";

/** No channel is asked: none yet, or the last one has failed and its request is read again for the next one. */
export interface Choosing {
  readonly name: "choosing";
}

/** Every channel that could be asked is full, or other nodes are asked whether it is: a place at one is waited for. */
export interface Queued {
  readonly name: "queued";
  readonly wait: SlotWait;
  /** What the client is told where none becomes free; undefined for just that. */
  readonly orElse: Refusal | undefined;
}

/**
 * The hold has to wait for the database, and is not there yet: a hold that comes when this state was left is released.
 */
export interface Reserving {
  readonly name: "reserving";
  readonly channel: UpstreamTarget;
}

/** What is to be sent is fetched and written. */
export interface Preparing {
  readonly name: "preparing";
  readonly attempt: Attempt;
  readonly reserved: Reservation;
}

/** The upstream is asked; the client was given nothing, and knows of no failure. */
export interface Waiting {
  readonly name: "waiting";
  readonly attempt: Attempt;
  readonly reserved: Reservation;
}

/** The client is given what comes. */
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
  /** What the client was given. */
  readonly received: ReceivedStream;
  /** Ends reading on. */
  readonly deadline: NodeJS.Timeout;
  /** Only what cannot be counted here is waited for: what was not delivered is not charged. */
  readonly isForCounts: boolean;
}

/** The answer is over, and is counted. */
export interface Settling {
  readonly name: "settling";
  readonly attempt: Attempt;
  readonly reserved: Reservation;
  readonly outcome: Outcome;
  /** What the client was given: charged if this program fails over the outcome. undefined when there is nothing. */
  readonly received: ReceivedStream | undefined;
  /** This program has failed already. */
  readonly isAfterCrash: boolean;
}

/** The hold has become a charge, which is being stored; the last bytes wait for it. */
export interface Storing {
  readonly name: "storing";
  readonly attempt: Attempt;
  readonly ending: Ending;
  /** The client was given something before. */
  readonly isDelivered: boolean;
}

/** The charge is durable; the last bytes leave. */
export interface Delivering {
  readonly name: "delivering";
}

/** Nothing is left to do. */
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

/** All that comes of the answer is there. */
export type Closing = Settling | Storing | Delivering | Over;

export const CHOOSING: Choosing = { name: "choosing" };
export const DELIVERING: Delivering = { name: "delivering" };
export const OVER: Over = { name: "over" };
