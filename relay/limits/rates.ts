import type { Limits } from "@tollgate/contract/management/limits";

/** Whose use is counted. */
export type Scope = "key" | "user" | "group";

/** One of those whose rates a request meets. */
export interface RateSubject {
  readonly scope: Scope;
  /** The number of a key or a user, the name of a group. */
  readonly id: number | string;
  readonly limits: Pick<Limits, "rpm" | "tpm" | "concurrency">;
}

/** What one subject has used in the minute that is running, with the request that asked if it was let in. */
export interface MinuteUse {
  readonly requests: number;
  readonly tokens: number;
}

export type RateFault = "requests-limited" | "tokens-limited" | "concurrency-limited";

/** What was answered to a request, by the clock that counts. */
export interface RateAnswer {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Of each subject, in their order. */
  readonly uses: readonly MinuteUse[];
  readonly outcome: RateOutcome;
}

export type RateOutcome =
  /** To be called once, when the request has ended. */
  | { readonly leave: () => void }
  /** By which of the subjects; `fault` is undefined where the subject was barred. */
  | { readonly refusedBy: number; readonly fault: RateFault | undefined };

/** Requests and tokens in a minute of the clock, and requests under way: counted in memory, or by several nodes together. */
export interface Rates {
  /**
   * Asks the subjects in their order, and counts for all of them where none refuses; a request that is refused counts nowhere.
   * @param promptTokens an estimate of the prompt, counted until the request ends.
   * @param barred which of the subjects refuses in any case: those before it are still asked.
   */
  enter(
    subjects: readonly RateSubject[],
    promptTokens: number,
    barred?: number,
  ): RateAnswer | Promise<RateAnswer>;
  /** Tokens were used by a key, user or group; counted where something of it is limited. */
  add(scope: Scope, id: number | string, tokens: number): void;
}
