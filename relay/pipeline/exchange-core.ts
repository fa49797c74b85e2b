import type { RequestEnd } from "@tollgate/contract/api/receipts";
import type { GatewayErrorCode, SentRefusal } from "@tollgate/contract/relay/error";
import type { Refusal } from "../ports/client";
import type { UpstreamTarget } from "../ports/directory";
import type { RequestMemory } from "../ports/limits";
import type { RelayPorts } from "../ports/relay-ports";
import type { FailureDetail } from "../ports/transport";
import type { AttemptOwner } from "./attempt-owner";
import type { AttemptPlan } from "./attempt-plan";
import type { Planned, RoutingMemory } from "./channel-search";
import type { Addressee, ClientWriter } from "./client-writer";
import type { ExchangeState } from "./exchange-state";
import type { ClientHeaders } from "./pass-client-headers";
import type { Reservation } from "./reserve-quota";
import type { Payable, Settlement } from "./settlement";
import type { Task } from "./task";

/** One client request, from its admission to its charge; its work is its task. */
export interface ExchangeJob extends Planned, Addressee, Payable {
  /** The client's name of the model, where it is an alias (`resolveModel`). */
  alias?: string | undefined;
  client: Addressee["client"] & Payable["client"];
  /** Its body's bytes. */
  rawBody: Uint8Array;
  /** The request's own headers; of these only the upstream's allow-list is sent on. */
  clientHeaders: ClientHeaders;
  /** Accounts for its body; released when the request is over. */
  memory: RequestMemory;
}

/** The part of an exchange that its phases share: its state, and how it is left. */
export interface ExchangeCore extends AttemptOwner {
  readonly ports: RelayPorts;
  readonly routing: RoutingMemory;
  readonly job: ExchangeJob;
  readonly task: Task;
  readonly writer: ClientWriter;
  readonly settlement: Settlement;
  readonly state: ExchangeState;
  /** The choice of channels for the current model. */
  plan: AttemptPlan;
  enter(state: ExchangeState): void;
  /** Ends a hold without a charge; its state is left. */
  release(reserved: Reservation): void;
  /**
   * Answers with an error; nothing was delivered, no hold is open and nothing is charged.
   * @param told the refusal for the client, if it differs from the last model's.
   */
  refuse(refusal: Refusal, told?: SentRefusal): void;
  /**
   * @param failure reason for ending without a charge; undefined when it was charged. @param told the refusal sent to
   * the client.
   */
  finish(failure?: RequestEnd, refusal?: GatewayErrorCode, told?: SentRefusal): void;
  /**
   * Counts the held bytes of the answer against the user's memory limit, roughly: this runs for each write.
   * @param bytes held bytes, except those waiting for the client. @returns whether the user is within the bounds.
   */
  countHeld(bytes: number): boolean;
  /** Reports a failure to the operator. */
  report(channel: UpstreamTarget | undefined, kind: string, detail: FailureDetail): void;
}

/** The text of an internal error, for the operator's log. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
