import type { CountSource, RequestEnd } from "@tollgate/contract/api/receipts";
import type { RoutingStrategy } from "@tollgate/contract/management/group-routing";
import type { AppliedRule } from "@tollgate/contract/management/price-rule";
import type { GatewayErrorCode, SentRefusal } from "@tollgate/contract/relay/error";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import type { Usage } from "@tollgate/contract/relay/usage";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { Cost } from "@tollgate/metering/cost";
import type { LeaseRefusal } from "@tollgate/metering/leases/decide-hold";
import type { Account, Hold } from "@tollgate/metering/ledger";
import type { Price } from "@tollgate/metering/price";
import type { Payer } from "@tollgate/metering/price-rules";
import type { PricedUse } from "@tollgate/metering/priced-use";
import type { ApiKey } from "./directory";

/* Ports to prices, holds and charges, and to the records of requests. */

export interface Pricing {
  /**
   * The price of a model (after mapping) for a group; undefined when the administrator has set none.
   * @param payer the paying user; without one, the price for all users of the group.
   * @param requestedModel the name before the mapping.
   * @param effortName the client's name with its effort, whose own price takes precedence.
   */
  find(
    model: string,
    group: string,
    payer?: Payer,
    requestedModel?: string,
    effortName?: string,
  ): Price | undefined;
  /**
   * The upstream's price of a model on a channel, by the upstream's model name; undefined when it is not known. Absent
   * where no buying prices exist.
   */
  buys?(channelId: number, model: string): Price | undefined;
  /** Tokens to hold for an answer without a limit (option PreConsumedQuota). */
  defaultHoldTokens(): number;
  /**
   * Time to keep reading a stream after its client left, for the upstream's own count (options InterruptionPolicy and
   * InterruptionDrainSeconds); 0 charges the delivered part, counted here.
   */
  drainMs(): number;
  /** Time to keep reading a stream under the other policy, for counts that only its end reports. */
  countsDrainMs(): number;
  /** Number of further channels a failed request may try (option RetryTimes). */
  retryTimes(): number;
  /** A group's routing strategy (option GroupRouting); undefined for weight. */
  strategyOf?(group: string): Exclude<RoutingStrategy, "weight"> | undefined;
  /**
   * The upstream's price of a request of usual size on a channel, for comparing channels.
   * @param model the upstream's model name.
   * @returns undefined when it is not known.
   */
  usualCost?(channelId: number, model: string): number | undefined;
}

/**
 * Reason for choosing a channel: the conversation is cached there, it is the cheapest or the fastest of its priority,
 * or its current speed is being explored.
 */
export type ChosenBy = "conversation" | "cheapest" | "fastest" | "exploring";

/** Cost of an attempt whose answer the client was not charged for. */
export interface EndedCost extends Cost {
  /** The model sent to the upstream. */
  readonly model: string;
  /** The upstream has not reported the counts. */
  readonly isEstimate: boolean;
}

/** One try at one channel. Times are milliseconds. */
export interface AttemptRecord {
  channelId: number;
  /** "ok", or the failure: an UpstreamErrorKind, "internal", or how the request ended meanwhile. */
  outcome: string;
  /** HTTP status of the upstream, 0 for none. */
  status: number;
  /** Since the start of the request. */
  startedMs: number;
  firstByteMs: number | undefined;
  durationMs: number;
  /** Names of the channel's overrides that changed it; absent when none did. */
  overrides?: readonly string[];
  /** Reason for choosing this channel; absent when it was chosen by priority and weight. */
  chosenBy?: ChosenBy;
  /** The model, if it is not the client's requested model. */
  fallbackModel?: string;
  /** The model that the answer names; untrusted. Absent when it names none. */
  servedModel?: string;
  /** Whether that is the model sent to the upstream; absent where names cannot be compared. */
  isOtherModel?: boolean;
  /** What its upstream may charge although nothing was charged for it; absent where that is unknown or nothing. */
  endedCost?: EndedCost;
}

/** The trace of a request, when requests are traced. */
export interface RequestTrace {
  /**
   * The header `traceparent` for an upstream; undefined when traces are not sent to upstreams.
   * @param attempt the first is 0.
   */
  upstreamHeader(attempt: number): string | undefined;
  /** Called once with the outcome of the request. @param quota the charged quota; undefined without a charge. */
  ended(record: RequestRecord | ChargeRecord, quota: number | undefined): void;
}

/** A model that could not answer a request and was replaced by another model. */
export interface ReplacedModel {
  /** The last name sent to an upstream; "" if none was sent. */
  model: string;
  /** Why it could not answer. */
  refusal: GatewayErrorCode;
  /** Number of the request's attempts that had ended by then. */
  attempts: number;
  /** The replacing model, as clients call it. */
  by: string;
}

/** Outcome of a request, charged or not. */
export interface RequestRecord {
  requestId: string;
  key: ApiKey;
  /** The client's API. */
  protocol: ClientProtocolName;
  /** "chat", or the name of an operation. */
  operation: string;
  /** The group of the request, at whose price it is charged. */
  group: string;
  /** The last channel tried, 0 for none. */
  channelId: number;
  /** The requested model: the client's name, or the model of that alias. */
  requestedModel: string;
  /** The client's name, where it is an alias. */
  alias?: string | undefined;
  /** The used up budget because of which another model or group was asked, by its name on the wire. */
  atBudget?: string | undefined;
  /**
   * The model sent to the upstream, which is the charged model; "" when no channel was found, also when no channel was
   * found for the last fallback model.
   */
  model: string;
  /** Models that failed before another one was tried, in order; absent in nearly all requests. */
  replaced?: readonly ReplacedModel[] | undefined;
  /** The client requested a stream. */
  isStream: boolean;
  end: RequestEnd;
  /**
   * Reason for the refusal; undefined when the request was not refused. Of several models it is the last one's reason,
   * whatever the client receives.
   */
  refusal?: GatewayErrorCode | undefined;
  /** The refusal sent to the client; undefined when none was sent. */
  told?: SentRefusal | undefined;
  /** Milliseconds since the epoch. */
  startedAtMs: number;
  /** Milliseconds from the start of the request to the end of the answer. */
  durationMs: number;
  /** Milliseconds to the first byte of a stream. */
  firstByteMs: number | undefined;
  attempts: readonly AttemptRecord[];
  /** undefined when the request is not traced. */
  trace: RequestTrace | undefined;
}

/** Everything that is stored about a settled request. */
export interface ChargeRecord extends RequestRecord {
  quota: number;
  promptTokens: number;
  completionTokens: number;
  /** Usage reported by the upstream, including the classes within the two counts above. */
  usage: Usage;
  promptSource: CountSource;
  completionSource: CountSource;
  /** The part of the price that the user's balance could not cover. */
  shortfall: number;
  /** The part of `quota` taken from the key, 0 for a key without its own limit. */
  takenFromKey: number;
  /** The part of `quota` that a key with a limit did not have. */
  keyShortfall: number;
  priceVersion: number;
  /** The arithmetic in one line; follows the units, if these are not tokens. */
  formula: string;
  formulaUnits: LogPhrase | undefined;
  /** The inputs of the charge, so that it can be priced again. */
  use: PricedUse;
  /** Text of the log line. */
  content: readonly LogPhrase[];
  /** The upstream's price of the answer; undefined when it is not known. Never shown to the payer. */
  cost: Cost | undefined;
  /** The price rule that held. */
  rule: AppliedRule | undefined;
}

export interface ChargeStore {
  /** Records a failed request. No caller waits for it, and a crash may lose it: the request cost nothing. */
  noteFailure(record: RequestRecord): void;
  /** Notes a request of a known key that was refused before it began, like a failure. */
  noteRefused(record: RequestRecord): void;
  /**
   * Stores a charge; several at once are stored together.
   * @param done called when the charge survives the end of the process, or with the error that prevented it. After an
   * error the charge was reversed; a charge for delivered content is kept and stored as soon as possible.
   * @param isDelivered the client received part of the answer.
   */
  commit(record: ChargeRecord, done: (error: Error | undefined) => void, isDelivered: boolean): void;
}

/** A hold, or the reason for refusing it. "token-exhausted": the key's quota is known to be fully used. */
export type HoldOutcome = Hold | LeaseRefusal | "token-exhausted";

/** Reserves quota for the cost of answers: from the balances in memory, or from this node's leases of them. */
export interface Holds {
  /**
   * Reserves quota on the user and on the key, on both or on neither.
   * @param least the minimum that must be available. @param most the worst-case cost; the reservation is up to this,
   * limited by the available balance.
   * @returns a promise only when the database must be queried. A caller that stops waiting for it releases the result.
   */
  place(
    user: Account,
    key: Account,
    least: number,
    isFree: boolean,
    most: number,
  ): HoldOutcome | Promise<HoldOutcome>;
}

/**
 * Purpose of a count. For a charge the count is the same however busy the gateway is, so it waits its turn; for
 * information an estimate is returned in time.
 */
export type CountPurpose = "charge" | "information";

export interface TokenCounter {
  /**
   * Counts the tokens of a text as the model's tokenizer would. Never fails: at worst it estimates.
   * @param userId the user of the text, for fair queueing: no user's texts wait behind all of another's.
   */
  count(
    model: string,
    text: string,
    done: (tokens: number) => void,
    userId: number,
    purpose: CountPurpose,
  ): void;
}
