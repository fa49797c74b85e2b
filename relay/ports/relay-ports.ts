import type { FallbackList } from "@tollgate/contract/management/model-fallbacks";
import type { TimeLimits } from "@tollgate/contract/management/time-limits";
import type { UnsupportedFields } from "@tollgate/contract/management/unsupported-fields";
import type { ErrorRewrite, UpstreamSaying } from "@tollgate/contract/relay/error";
import type { ChargeStore, Holds, Pricing, TokenCounter } from "./charges";
import type { Directory } from "./directory";
import type { RequestLimiter, RequestMemory, UpstreamBounds } from "./limits";
import type { AuthTools, FailureDetail } from "./transport";

/*
 * The ports of the engine: everything it needs from the outside. The composition root provides them; tests provide
 * small ones.
 */

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

/** Fallbacks for models that cannot answer (option ModelFallbacks). */
export interface Fallbacks {
  /** @returns undefined for a model that has no list. */
  of(model: string): FallbackList | undefined;
}

/** An image or a document as data. */
export interface FetchedMedia {
  /** Base64 without a prefix. */
  data: string;
  mediaType: string;
}

export interface RelayPorts extends AuthTools {
  directory: Directory;
  pricing: Pricing;
  holds: Holds;
  charges: ChargeStore;
  tokenCounter: TokenCounter;
  /** Limits per key, user and group; without it no limits apply. */
  limiter?: RequestLimiter;
  /** Limits of channels and their keys; without it they are counted in this process, and no caller waits. */
  upstreamBounds?: UpstreamBounds;
  /** The site's decision about fields that an upstream's protocol cannot express; "ignore" without it. */
  unsupportedFields?(): UnsupportedFields;
  /** Fallback models; without it only those that clients list. */
  fallbacks?: Fallbacks | undefined;
  /** What clients are told of an upstream's error (option ErrorRules); undefined without a rule for it. */
  rewriteError?(said: UpstreamSaying): ErrorRewrite | undefined;
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
  /** Time limits of a group's requests at channels without their own (option GroupTimeLimits). */
  timeLimitsOf?(group: string): TimeLimits | undefined;
  /** Reports a failed attempt to the operator; never called for a successful request. */
  reportFailure(event: { requestId: string; channelId: number; kind: string; detail: FailureDetail }): void;
}
