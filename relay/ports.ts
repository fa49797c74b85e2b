import type { Channel } from "@tollgate/contract/api/channels";
import type { CountSource, RequestEnd } from "@tollgate/contract/api/receipts";
import type { RoutingStrategy } from "@tollgate/contract/management/group-routing";
import type { FallbackList } from "@tollgate/contract/management/model-fallbacks";
import type { AppliedRule } from "@tollgate/contract/management/price-rule";
import type { UnsupportedFields } from "@tollgate/contract/management/unsupported-fields";
import type { ChannelChange, ChannelRecord, NewChannel } from "@tollgate/contract/records/channel-record";
import type { ClientError, GatewayErrorCode, ToldRefusal } from "@tollgate/contract/relay/error";
import type { LimitHeaders } from "@tollgate/contract/relay/limits";
import type { ChannelFields, ClientProtocolName, UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import type { Usage } from "@tollgate/contract/relay/usage";
import type { LogPhrase } from "@tollgate/contract/values/log-phrase";
import type { Cost } from "@tollgate/metering/cost";
import type { LeaseRefusal } from "@tollgate/metering/leases/decide-hold";
import type { Account, Hold } from "@tollgate/metering/ledger";
import type { PayingKey as ApiKey, PayingUser as User } from "@tollgate/metering/payers";
import type { Price } from "@tollgate/metering/price";
import type { Payer } from "@tollgate/metering/price-rules";
import type { PricedUse } from "@tollgate/metering/priced-use";
import type { Vendor, VendorRoute } from "@tollgate/vendors/define-vendor";
import type { RateSubject, Rates } from "./limits/rates";
import type { PreparedOverrides } from "./routing/prepare-overrides";

/*
 * The ports of the engine: everything it needs from the outside. The composition root provides them; tests provide
 * small ones.
 */

/** Keys and users as requests find them in memory. */
export type { ApiKey, User };

/** One key of a channel that can be relayed to, with everything precomputed that does not change between requests. */
export interface UpstreamTarget {
  /** The same as long as the channel keeps this key. */
  readonly id: string;
  /** Number of usable keys of the channel. */
  readonly keyCount: number;
  readonly channel: Channel;
  /** Address of an HTTP proxy; "" for a direct connection. */
  readonly proxy: string;
  readonly vendor: Vendor;
  /** The route chosen among the vendor's routes. */
  readonly route: VendorRoute;
  readonly protocol: UpstreamProtocol;
  /** "https://host:port", or "wss://host:port". */
  readonly origin: string;
  /** Path of the base address, without a slash at its end. */
  readonly basePath: string;
  /** Whether the base address already names an API version, so that a leading "/v1" must go. */
  readonly hasVersion: boolean;
  /** Credential and vendor headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Adds the credential where fixed headers are not enough. */
  readonly authorizer: Authorizer | undefined;
  /** Removes the channel's own secrets from the upstream's messages before they are passed on. */
  readonly conceal: (text: string) => string;
  /** The channel's own fields that requests carry. */
  readonly fields: ChannelFields;
  /** Changes to its requests; absent for most channels. */
  readonly overrides?: PreparedOverrides;
  /** Limits of its requests: the channel's, the key's or both; undefined without limits. */
  readonly limited?: readonly RateSubject[] | undefined;
  /** Other ways, for models with such names. */
  readonly byModel?: readonly { models: RegExp; entry: UpstreamTarget }[];
}

export interface Directory {
  /** @param key without the "sk-" prefix. */
  findKey(key: string): ApiKey | undefined;
  /** The keys of an enabled or disabled channel; empty when the channel does not exist. */
  keysOfChannel(id: number): readonly UpstreamTarget[];
  /** The groups of a key's requests, in order; empty when the key may no longer use its group. */
  groupsOf(key: ApiKey): readonly string[];
  /** The keys of enabled channels for a model of a group, the highest priority first. */
  candidates(group: string, model: string): readonly UpstreamTarget[];
  /** Whether any channel lists a model for a group, disabled channels included. */
  isListed(group: string, model: string): boolean;
  /** Stores that a key turned out to be expired or exhausted. */
  markKey(key: ApiKey, status: number): void;
  /** Reports that the upstream declared this key dead. */
  reportDeadKey(channel: UpstreamTarget, reason: string): void;
}

/** Reasons to switch a channel off other than the upstream's own words. */
export type IncidentCode = "response-too-slow" | "balance-used-up";

/** Reason why a channel or a key was switched off: the upstream's own words, or the gateway's finding. */
export type IncidentReason = string | { code: IncidentCode; params?: Readonly<Record<string, string>> };

/** Receives what the gateway switches off and on automatically. */
export interface ChannelIncidents {
  /** A channel is off, because no key of it works (or it is too slow, or out of money). */
  channelDisabled(channel: Channel, reason: IncidentReason): void;
  /** One of a channel's keys was disabled; its other keys stay in use. */
  keyDisabled(channel: Channel, reason: IncidentReason): void;
  /** A disabled channel works again. */
  channelEnabled(channel: Channel): void;
}

/** Storage of channels. Calls run in their order; each resolves when its change is stored. */
export interface ChannelStore {
  /** Stores all of them or none. */
  create(channels: NewChannel[]): Promise<ChannelRecord[]>;
  /**
   * @returns undefined when the channel does not exist, or its type, addresses or proxy differ from those the change
   * expects.
   */
  change(id: number, change: ChannelChange): Promise<ChannelRecord | undefined>;
  remove(id: number): Promise<void>;
  /** Deletes the channels that are switched off, by hand or automatically. @returns their ids. */
  removeDisabled(): Promise<number[]>;
}

export interface Pricing {
  /**
   * The price of a model (after mapping) for a group; undefined when the administrator has set none.
   * @param payer the paying user; without one, the price for all users of the group.
   * @param requestedModel the name before the mapping.
   */
  find(model: string, group: string, payer?: Payer, requestedModel?: string): Price | undefined;
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
  /** The client's requested model. */
  requestedModel: string;
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
  told?: ToldRefusal | undefined;
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

/** A request that limits let in and count. */
export interface LimitPass {
  /** Headers about the limits for every answer to the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be called once, when the request has ended. */
  leave(): void;
}

export interface RequestLimiter {
  /**
   * Admits a request, or returns the refusal.
   * @param asked its `promptTokens` is an estimate of the prompt, read only when a limit applies.
   * @param limitHeaders format of the headers about limits for this client.
   * @param groups the possible groups of the request, whose limits apply.
   * @returns undefined for a request without limits; a promise only for a limited one when several nodes count
   * together: it resolves within about a second, whatever happens to the counting node.
   */
  enter(
    key: ApiKey,
    asked: { readonly promptTokens: number },
    limitHeaders: LimitHeaders,
    groups: readonly string[],
  ): LimitPass | Refusal | undefined | Promise<LimitPass | Refusal>;
}

/** Limits of channels and their keys, and the bounds of the queue for a slot there. */
export interface UpstreamBounds {
  readonly rates: Rates;
  /** Maximum number of queued requests (option UpstreamQueueLength), 0 for none; per node. */
  queueLength(): number;
  /** Maximum queueing time; milliseconds (option UpstreamQueueSeconds). */
  queueMs(): number;
  /** A request has left the queue. @param isServed whether it got a slot. */
  waited(waitMs: number, isServed: boolean): void;
}

/** The channel key that served a conversation last, as known to all nodes together. */
export interface SharedConversations {
  /**
   * @param session names a conversation, partly in its request's own words.
   * @returns the id of a channel key; undefined when it is not known. A promise resolves within some tens of
   * milliseconds and never rejects; no promise is returned when no node can be queried now.
   */
  find(session: string): Promise<string | undefined> | undefined;
  /** Informs the other nodes. No caller waits for it, and the message may be lost. */
  remember(session: string, entryId: string): void;
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

/** Fallbacks for models that cannot answer (option ModelFallbacks). */
export interface Fallbacks {
  /** @returns undefined for a model that has no list. */
  of(model: string): FallbackList | undefined;
}

/** Why a request ends without an answer. */
export interface Refusal extends ToldRefusal {
  /** Whole seconds after which a retry makes sense, if different from the default of this code. */
  retryAfterSeconds?: number;
  /** Additional headers of the answer, such as the client's standing with its limits. */
  headers?: Readonly<Record<string, string>>;
}

/** Memory used by one request, within the bounds for its user's requests and for all requests. */
export interface RequestMemory {
  /** Reserves bytes. @returns a refusal over the limit; always a refusal after release. */
  take(bytes: number): Refusal | undefined;
  /**
   * Counts the bytes held of the answer: unread by the client, and text kept for counting. Never refused, because the
   * bytes exist already: other requests are refused instead.
   * @param bytes all bytes held now. @returns whether they are within the bounds.
   */
  hold(bytes: number): boolean;
  /** Keeps the reservation beyond the client's connection. @returns releases it once; further calls do nothing. */
  keep(): () => void;
}

/** Puts a refusal into the status and the sentence that the client gets. */
export type Describe = (refusal: Refusal) => ClientError;

export type TextEncoding = "utf8" | "latin1";

/** The client's side of the connection: the part of node:http's ServerResponse that the engine uses. */
export interface ClientResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  /** Bytes that were written and that the client has not taken. */
  readonly writableLength: number;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(chunk: Uint8Array | string): boolean;
  end(chunk?: Uint8Array | string): unknown;
  /** @param encoding of a text; "latin1" for bytes in the shape of a text. */
  end(chunk: Uint8Array | string, encoding: TextEncoding): unknown;
  destroy(): unknown;
  /** The connection has closed. The event is emitted once, and registering with `once` would cost more. */
  on(event: "close", listener: () => void): unknown;
  once(event: "drain", listener: () => void): unknown;
}

/**
 * Details of a failure for the operator's log: words of the upstream or of the system, or the gateway's finding, with
 * the answer's HTTP status if there was one.
 */
export type FailureDetail = string | (UpstreamFault & { readonly status?: number });

/** A failure below HTTP. */
export interface TransportFailure {
  kind: "connect" | "timeout" | "reset" | "blocked" | "invalid";
  /** May hold addresses, so it never goes to a client. */
  detail: FailureDetail;
}

/** Receives one upstream answer. All calls come in this order; `onEnd` or `onFailure` is the last. */
export interface UpstreamReceiver {
  onStart(abort: () => void): void;
  onHeaders(status: number, headers: Record<string, string | string[] | undefined>, resume: () => void): void;
  /** @returns false to be sent no more until `resume` is called. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  onFailure(failure: TransportFailure): void;
}

export interface UpstreamRequest {
  /** Address of an HTTP proxy to go through. */
  proxy?: string;
  /**
   * The scheme selects the transport: a POST (http, https), or a WebSocket whose first message is the body (ws, wss).
   */
  origin: string;
  path: string;
  headers: Record<string, string>;
  /** Several pieces are sent one after another, so that a large body need not be copied to change a part of it. */
  body: Uint8Array | string | readonly Uint8Array[];
  /** Only over a WebSocket: returns whether a message is the last one. */
  isLastMessage?: ((data: string) => boolean) | undefined;
  /** Names of the channel's overrides that changed it. */
  applied?: readonly string[];
  /** Fields of the client's request that are left out, because the upstream's protocol cannot express them. */
  ignored?: readonly string[];
}

export interface Transport {
  send(request: UpstreamRequest, receiver: UpstreamReceiver): void;
  close(): Promise<void>;
}

/** An image or a document as data. */
export interface FetchedMedia {
  /** Base64 without a prefix. */
  data: string;
  mediaType: string;
}

export interface RelayPorts {
  directory: Directory;
  pricing: Pricing;
  holds: Holds;
  charges: ChargeStore;
  tokenCounter: TokenCounter;
  transport: Transport;
  /** Limits per key, user and group; without it no limits apply. */
  limiter?: RequestLimiter;
  /** Limits of channels and their keys; without it they are counted in this process, and no caller waits. */
  upstreamBounds?: UpstreamBounds;
  /** The site's decision about fields that an upstream's protocol cannot express; "ignore" without it. */
  unsupportedFields?(): UnsupportedFields;
  /** Fallback models; without it only those that clients list. */
  fallbacks?: Fallbacks | undefined;
  /** Conversations known to other nodes; without it each process knows only its own. */
  conversations?: SharedConversations | undefined;
  /**
   * Fetches an image or a document from a public address.
   * @param maxBytes a larger one is refused.
   * @param memory reserves space for arriving bytes.
   * @throws MemoryRefused, or an Error whose message gives the reason in words for a client.
   */
  fetchMedia(
    url: string,
    maxBytes: number,
    signal: AbortSignal,
    memory: Pick<RequestMemory, "take">,
  ): Promise<FetchedMedia>;
  /** Maximum time an upstream may send only keep-alive data; milliseconds, absent for no limit. */
  quietMs?: number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Reports a failed attempt to the operator; never called for a successful request. */
  reportFailure(event: { requestId: string; channelId: number; kind: string; detail: FailureDetail }): void;
}

/** Dependencies of signing: time, randomness, and a connection to the issuer of tokens. */
export type AuthTools = Pick<RelayPorts, "transport" | "now" | "random">;

/** Outcome of authorizing a request. */
export type Authorization =
  | { request: UpstreamRequest }
  /** The issuer of tokens could not be reached. */
  | { failure: TransportFailure }
  /** The issuer of tokens refused: its answer, to be read like one of the upstream's own. */
  | { refusal: { status: number; body: Buffer } };

/** Adds a channel's credential to its requests when fixed headers are not enough: signs them, or fetches tokens. */
export interface Authorizer {
  /** @param done called once, maybe synchronously. */
  authorize(request: UpstreamRequest, tools: AuthTools, done: (authorization: Authorization) => void): void;
  /**
   * Discards the remembered credential after the upstream refused it.
   * @returns whether a retry could succeed, because a credential had been remembered.
   */
  renew?(): boolean;
}
