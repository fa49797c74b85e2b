import type { Delivery } from "@tollgate/metering/log-content";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import type { Attempt } from "./attempt";
import type { Ending } from "./client-writer";
import type { Reservation } from "./reserve-quota";
import type { WholeAnswer } from "./task";

/** No channel is asked: none yet, or the last one has failed and its request is read again for the next one. */
export interface Choosing {
  readonly name: "choosing";
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

/** What is charged, and what the client gets of it. */
export type Outcome =
  | {
      readonly kind: "stream";
      readonly stream: AnswerStream;
      /** What the last read brought, not yet written. */
      readonly rest: Uint8Array | string | undefined;
    }
  | { readonly kind: "whole"; readonly answer: WholeAnswer }
  /** The whole stream, to a client that did not get all of it. */
  | { readonly kind: "drained"; readonly stream: AnswerStream }
  | {
      readonly kind: "interrupted";
      readonly received: ReceivedStream;
      readonly delivery: Delivery;
      /** What the client is told, if it is there. */
      readonly code: "shutting-down" | "upstream-interrupted" | "internal";
    };

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
  | Preparing
  | Waiting
  | Streaming
  | Draining
  | Settling
  | Storing
  | Delivering
  | Over;

export const CHOOSING: Choosing = { name: "choosing" };
export const DELIVERING: Delivering = { name: "delivering" };
export const OVER: Over = { name: "over" };
