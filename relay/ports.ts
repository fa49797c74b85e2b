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
 * What the engine needs from the outside. The composition root provides these; tests provide small ones.
 */

/** Keys and users as requests find them in memory. */
export type { ApiKey, User };

/** One key of a channel that can be relayed to, with everything that does not change from request to request worked out. */
export interface UpstreamTarget {
  /** The same as long as the channel keeps this key. */
  readonly id: string;
  /** How many keys the channel has that may be used. */
  readonly keyCount: number;
  readonly channel: Channel;
  /** Address of an HTTP proxy; "" for a direct connection. */
  readonly proxy: string;
  readonly vendor: Vendor;
  /** The way that was chosen among the vendor's. */
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
  /** Takes the channel's own secrets out of what its upstream says, before it is passed on. */
  readonly conceal: (text: string) => string;
  /** What requests carry of the channel itself. */
  readonly fields: ChannelFields;
  /** What of its requests is changed; absent for most channels. */
  readonly overrides?: PreparedOverrides;
  /** What bounds its requests: the channel, the key or both; undefined where nothing does. */
  readonly limited?: readonly RateSubject[] | undefined;
  /** Other ways, for models with such names. */
  readonly byModel?: readonly { models: RegExp; entry: UpstreamTarget }[];
}

export interface Directory {
  /** @param key without the "sk-" prefix. */
  findKey(key: string): ApiKey | undefined;
  /** The keys of an enabled or disabled channel; none when there is no such channel. */
  keysOfChannel(id: number): readonly UpstreamTarget[];
  /** The groups by which a key's requests go, in order; none where it may not use the one that it has any more. */
  groupsOf(key: ApiKey): readonly string[];
  /** The keys of enabled channels for a model of a group, the highest priority first. */
  candidates(group: string, model: string): readonly UpstreamTarget[];
  /** Whether any channel lists a model for a group, also one that is out of use. */
  isListed(group: string, model: string): boolean;
  /** Stores that a key turned out to be expired or exhausted. */
  markKey(key: ApiKey, status: number): void;
  /** An upstream says that this key is dead. */
  reportDeadKey(channel: UpstreamTarget, reason: string): void;
}

/** What switches a channel off besides its upstream's own words. */
export type IncidentCode = "response-too-slow" | "balance-used-up";

/** Why a channel or a key was switched off: the upstream's own words, or what the gateway found out. */
export type IncidentReason = string | { code: IncidentCode; params?: Readonly<Record<string, string>> };

/** Told what the gateway switches off and on by itself. */
export interface ChannelIncidents {
  /** A channel is off, because no key of it works (or it is too slow, or out of money). */
  channelDisabled(channel: Channel, reason: IncidentReason): void;
  /** One of a channel's keys is off; others go on. */
  keyDisabled(channel: Channel, reason: IncidentReason): void;
  /** What was off works again. */
  channelEnabled(channel: Channel): void;
}

/** Where channels are stored. Calls are done in their order; each resolves when its change is stored. */
export interface ChannelStore {
  /** Stores all of them or none. */
  create(channels: NewChannel[]): Promise<ChannelRecord[]>;
  /** @returns undefined when there is no such channel, or it is on another way than the change is for. */
  change(id: number, change: ChannelChange): Promise<ChannelRecord | undefined>;
  remove(id: number): Promise<void>;
  /** Deletes the channels that are switched off, by hand or automatically. @returns their ids. */
  removeDisabled(): Promise<number[]>;
}

export interface Pricing {
  /**
   * The price of a model (after mapping) for a group; undefined when the administrator has set none.
   * @param payer whose it is; without one, what holds for all users of the group.
   * @param requestedModel the name before the mapping.
   */
  find(model: string, group: string, payer?: Payer, requestedModel?: string): Price | undefined;
  /**
   * What a channel's upstream asks for a model, by the name that it is asked for; undefined where it is not known. Absent where
   * nothing can be bought.
   */
  buys?(channelId: number, model: string): Price | undefined;
  /** Tokens to hold for an answer without a limit (option PreConsumedQuota). */
  defaultHoldTokens(): number;
  /**
   * How long a stream is read on after its client left, for the upstream's own count (options InterruptionPolicy and
   * InterruptionDrainSeconds); 0 charges what the client was given, counted here.
   */
  drainMs(): number;
  /** How long, under the other policy, a stream is read on for counts that only its end tells. */
  countsDrainMs(): number;
  /** How many further channels a failed request may try (option RetryTimes). */
  retryTimes(): number;
  /** By what a group chooses among channels (option GroupRouting); undefined for weight. */
  strategyOf?(group: string): Exclude<RoutingStrategy, "weight"> | undefined;
  /**
   * What a channel's upstream asks for a request of a usual size, to be compared with others'.
   * @param model the name that it is asked for.
   * @returns undefined where it is not known.
   */
  usualCost?(channelId: number, model: string): number | undefined;
}

/**
 * Why a channel was chosen: it is where the conversation is warm, the cheapest or the fastest of its priority, or it was tried to
 * learn how fast it is now.
 */
export type ChosenBy = "conversation" | "cheapest" | "fastest" | "exploring";

/** One try at one channel. Times are milliseconds. */
export interface AttemptRecord {
  channelId: number;
  /** "ok", or what went wrong: an UpstreamErrorKind, "internal", or how the request ended meanwhile. */
  outcome: string;
  /** HTTP status of the upstream, 0 for none. */
  status: number;
  /** After the request's begin. */
  startedMs: number;
  firstByteMs: number | undefined;
  durationMs: number;
  /** What the channel's overrides did to it, by name; absent where they did nothing. */
  overrides?: readonly string[];
  /** Why this channel was chosen; absent where it was by priority and weight. */
  chosenBy?: ChosenBy;
  /** The model, where it is not the one that the client asked for. */
  fallbackModel?: string;
}

/** The trace that a request belongs to, where requests are traced. */
export interface RequestTrace {
  /**
   * The header `traceparent` for an upstream; undefined where upstreams are told nothing.
   * @param attempt the first is 0.
   */
  upstreamHeader(attempt: number): string | undefined;
  /** Told once what became of the request. @param quota what was charged; undefined where nothing was. */
  ended(record: RequestRecord | ChargeRecord, quota: number | undefined): void;
}

/** A model of a request that could not answer, and in whose place another one was asked. */
export interface ReplacedModel {
  /** As its upstream was asked for it last; "" where none was. */
  model: string;
  /** Why it could not answer. */
  refusal: GatewayErrorCode;
  /** How many of the request's attempts were over by then. */
  attempts: number;
  /** The model that was asked in its place, as clients call it. */
  by: string;
}

/** How a request went, whether or not it is charged. */
export interface RequestRecord {
  requestId: string;
  key: ApiKey;
  /** The API that the client speaks. */
  protocol: ClientProtocolName;
  /** What was asked for: "chat", or the name of an operation. */
  operation: string;
  /** The group by which it went, at whose price it is charged. */
  group: string;
  /** The channel that was tried last, 0 when none was. */
  channelId: number;
  /** The model that the client asked for. */
  requestedModel: string;
  /**
   * The one that the upstream was asked for, which is the one that is charged; "" when no channel was found, also where that is so of
   * the last model that was to answer in place of another one.
   */
  model: string;
  /** Models that failed before another one was asked, in their order; absent for none, as nearly always. */
  replaced?: readonly ReplacedModel[] | undefined;
  /** The client asked for a stream. */
  isStream: boolean;
  end: RequestEnd;
  /**
   * Why it was refused; undefined where it was not. Of several models it is why the last one could not answer, whatever the client is
   * told.
   */
  refusal?: GatewayErrorCode | undefined;
  /** What its client was told in place of an answer; undefined where it was told nothing. */
  told?: ToldRefusal | undefined;
  /** Milliseconds since the epoch. */
  startedAtMs: number;
  /** Milliseconds from the begin to the end of the answer. */
  durationMs: number;
  /** Milliseconds to the first byte of a stream. */
  firstByteMs: number | undefined;
  attempts: readonly AttemptRecord[];
  /** undefined where it is not traced. */
  trace: RequestTrace | undefined;
}

/** Everything about a settled request that is stored. */
export interface ChargeRecord extends RequestRecord {
  quota: number;
  promptTokens: number;
  completionTokens: number;
  /** What the upstream told, also of the classes within the two above. */
  usage: Usage;
  promptSource: CountSource;
  completionSource: CountSource;
  /** What the price asked for and the user's balance could not cover. */
  shortfall: number;
  /** The part of `quota` that was taken from the key, 0 for one without a limit of its own. */
  takenFromKey: number;
  /** The part of `quota` that a key with a limit did not have. */
  keyShortfall: number;
  priceVersion: number;
  /** The arithmetic in one line; behind the units, where these are no tokens. */
  formula: string;
  formulaUnits: LogPhrase | undefined;
  /** What the charge was made of, so that it can be priced again. */
  use: PricedUse;
  /** What the log line says. */
  content: readonly LogPhrase[];
  /** What the upstream asks for the answer; undefined where that is not known. Never told to the payer. */
  cost: Cost | undefined;
  /** The price rule that held. */
  rule: AppliedRule | undefined;
}

export interface ChargeStore {
  /** Notes a request that came to nothing. No caller waits for it, and a crash may lose it: it cost nothing. */
  noteFailure(record: RequestRecord): void;
  /** Notes a request of a known key that was refused before it began, like a failure. */
  noteRefused(record: RequestRecord): void;
  /**
   * Stores a charge; several at once are stored together.
   * @param done called when it survives the end of the process, or with the error that prevented it. Then the charge was
   * taken back, or, when it is for something that was delivered, it is kept and stored as soon as possible.
   * @param isDelivered the client was given something of the answer.
   */
  commit(record: ChargeRecord, done: (error: Error | undefined) => void, isDelivered: boolean): void;
}

/** A hold, or why there is none. "token-exhausted": it is known that nothing at all is left of the key's quota. */
export type HoldOutcome = Hold | LeaseRefusal | "token-exhausted";

/** Where quota is set aside for what an answer may cost: the balances in memory, or what this node leases of them. */
export interface Holds {
  /**
   * Sets quota aside on the user and on the key, on both or on neither.
   * @param least what must be there. @param most what the answer may cost at worst; as much of it is set aside as is there.
   * @returns a promise only where the database has to be asked. A caller that does not wait for it any more releases what comes.
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
  /** What every answer to it tells of the limits. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be called once, when the request has ended. */
  leave(): void;
}

export interface RequestLimiter {
  /**
   * Lets a request in, or says why not.
   * @param asked for; its `promptTokens` is an estimate of the prompt, taken only where something is limited.
   * @param limitHeaders how its client is told where it stands.
   * @param groups by which the request may go: their limits hold.
   * @returns undefined for a request that nothing limits; a promise only for one that is limited, where several nodes count
   * together: it is answered within about a second, whatever happens to the counting node.
   */
  enter(
    key: ApiKey,
    asked: { readonly promptTokens: number },
    limitHeaders: LimitHeaders,
    groups: readonly string[],
  ): LimitPass | Refusal | undefined | Promise<LimitPass | Refusal>;
}

/** Where limits of channels and their keys are counted, and how long requests wait for a place there. */
export interface UpstreamBounds {
  readonly rates: Rates;
  /** How many requests may wait (option UpstreamQueueLength), 0 for none; of several nodes on each. */
  queueLength(): number;
  /** How long one may wait; milliseconds (option UpstreamQueueSeconds). */
  queueMs(): number;
  /** A request has waited in the queue. @param isServed whether it found a place. */
  waited(waitMs: number, isServed: boolean): void;
}

/** Which channel key served a conversation last, as all nodes together know it. */
export interface SharedConversations {
  /**
   * @param session names a conversation, partly in its request's own words.
   * @returns the id of a channel key; undefined where it is not known. A promise is answered within some tens of milliseconds and
   * never rejects; without one there is no node to be asked now.
   */
  find(session: string): Promise<string | undefined> | undefined;
  /** Tells the others. No caller waits for it, and it may be lost. */
  remember(session: string, entryId: string): void;
}

/**
 * What a count is for. Of a charge it is the same however busy the gateway is, so it waits for its turn; who only wants to know
 * gets an estimate in time.
 */
export type CountPurpose = "charge" | "information";

export interface TokenCounter {
  /**
   * Counts the tokens of a text as the model's tokenizer would. Never fails: at worst it estimates.
   * @param userId for whom; no user's texts wait behind all of another's.
   */
  count(
    model: string,
    text: string,
    done: (tokens: number) => void,
    userId: number,
    purpose: CountPurpose,
  ): void;
}

/** What may answer in place of models that cannot (option ModelFallbacks). */
export interface Fallbacks {
  /** @returns undefined for a model that has no list. */
  of(model: string): FallbackList | undefined;
}

/** Why a request ends without an answer. */
export interface Refusal extends ToldRefusal {
  /** Whole seconds after which another try makes sense, where it is not what holds for all refusals of this code. */
  retryAfterSeconds?: number;
  /** What the answer tells besides, such as where the client stands with its limits. */
  headers?: Readonly<Record<string, string>>;
}

/** What a request takes of the memory for what clients send, beside its user's other requests and those of all. */
export interface RequestMemory {
  /** More is to be kept, in bytes. @returns why it may not be; always, once it was given back. */
  take(bytes: number): Refusal | undefined;
  /**
   * Counts what is held of its answer: what waits for the client, and the text that is kept for counting. Never refused,
   * because it is there already: others are.
   * @param bytes all that is held now. @returns whether that is within the bounds.
   */
  hold(bytes: number): boolean;
  /** Keeps it beyond the client's connection. @returns what gives it back, once; more calls do nothing. */
  keep(): () => void;
}

/** Puts a refusal into the status and the sentence that the client gets. */
export type Describe = (refusal: Refusal) => ClientError;

export type TextEncoding = "utf8" | "latin1";

/** The client's side of the connection: what the engine uses of node:http's ServerResponse. */
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
  /** The connection has closed: that comes once, and to listen once would cost more. */
  on(event: "close", listener: () => void): unknown;
  once(event: "drain", listener: () => void): unknown;
}

/**
 * What the operator's log says of a failure: words of the upstream or of the system, or what the gateway found, with the
 * answer's HTTP status where there was one.
 */
export type FailureDetail = string | (UpstreamFault & { readonly status?: number });

/** What went wrong below HTTP. */
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
  /** Its scheme says how: a POST (http, https), or a WebSocket whose first message is the body (ws, wss). */
  origin: string;
  path: string;
  headers: Record<string, string>;
  /** Several pieces are sent one after another, so that a large body need not be copied to change a part of it. */
  body: Uint8Array | string | readonly Uint8Array[];
  /** Only over a WebSocket: tells whether a message is the last one. */
  isLastMessage?: ((data: string) => boolean) | undefined;
  /** What the channel's overrides did to it, by name. */
  applied?: readonly string[];
  /** Fields of the client's request that are left out, because its protocol has no place for them. */
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
  /** Limits per key, user and group; without it nothing is limited. */
  limiter?: RequestLimiter;
  /** Limits of channels and their keys; without it they are counted in this process, and no caller waits. */
  upstreamBounds?: UpstreamBounds;
  /** Decision of the site about fields that an upstream's protocol has no place for; "ignore" without it. */
  unsupportedFields?(): UnsupportedFields;
  /** What may answer in place of a model; without it only what clients list. */
  fallbacks?: Fallbacks | undefined;
  /** What other nodes know of conversations; without it each process knows its own. */
  conversations?: SharedConversations | undefined;
  /**
   * Fetches an image or a document from a public address.
   * @param maxBytes a larger one is refused.
   * @param memory is asked for room for what arrives.
   * @throws MemoryRefused, or an Error whose message says why it cannot be had, in words for a client.
   */
  fetchMedia(
    url: string,
    maxBytes: number,
    signal: AbortSignal,
    memory: Pick<RequestMemory, "take">,
  ): Promise<FetchedMedia>;
  /** How long an upstream may send nothing but what keeps a connection alive; milliseconds, absent for no limit. */
  quietMs?: number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** What an operator should read about a failed attempt; never called for a request that went well. */
  reportFailure(event: { requestId: string; channelId: number; kind: string; detail: FailureDetail }): void;
}

/** What signing needs from the outside: time, chance, and a connection to the issuer of tokens. */
export type AuthTools = Pick<RelayPorts, "transport" | "now" | "random">;

/** What became of a request that was to be authorised. */
export type Authorization =
  | { request: UpstreamRequest }
  /** The issuer of tokens could not be reached. */
  | { failure: TransportFailure }
  /** The issuer of tokens refused: its answer, to be read like one of the upstream's own. */
  | { refusal: { status: number; body: Buffer } };

/** Adds a channel's credential to its requests, where fixed headers are not enough: it signs them, or fetches tokens. */
export interface Authorizer {
  /** @param done called once, maybe at once. */
  authorize(request: UpstreamRequest, tools: AuthTools, done: (authorization: Authorization) => void): void;
  /**
   * The upstream refused what was added. Throws away what is remembered.
   * @returns whether the next try could go better: something had been remembered.
   */
  renew?(): boolean;
}
