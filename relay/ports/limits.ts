import type { Limits } from "@tollgate/contract/management/limits";
import type { LimitHeaders } from "@tollgate/contract/relay/limits";
import type { Rates } from "../limits/rates";
import type { Refusal } from "./client";
import type { ApiKey } from "./directory";

/* Ports to the limits of requests, of channels and of memory. */

/** A request that limits let in and count. */
export interface LimitPass {
  /** Headers about the limits for every answer to the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be called once, when the request has ended. */
  leave(): void;
}

/** A used up budget whose requests another model or group may answer. */
export interface OverBudget {
  readonly limit: keyof Limits;
  readonly code: Refusal["code"];
  /** It refuses no request. */
  readonly isSoft: boolean;
}

export interface RequestLimiter {
  /**
   * Admits a request, or returns the refusal.
   * @param asked its `promptTokens` is an estimate of the prompt, read only when a limit applies.
   * @param limitHeaders format of the headers about limits for this client.
   * @param groups the possible groups of the request, whose limits apply.
   * @param isReplaced another model or group answers because a budget is used up: its extra quota may be spent.
   * @returns undefined for a request without limits; a promise only for a limited one when several nodes count
   * together: it resolves within about a second, whatever happens to the counting node.
   */
  enter(
    key: ApiKey,
    asked: { readonly promptTokens: number },
    limitHeaders: LimitHeaders,
    groups: readonly string[],
    isReplaced?: boolean,
  ): LimitPass | Refusal | undefined | Promise<LimitPass | Refusal>;
  /** The used up budget of a request that another model or group may answer; undefined without one. Counts nothing. */
  overBudget?(key: ApiKey, groups: readonly string[]): OverBudget | undefined;
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
