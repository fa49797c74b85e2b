import type { Limits } from "@tollgate/contract/management/limits";

/** Whose use is counted. */
export type Scope = "key" | "user" | "group";

/** Whose minutes are counted: also those of an upstream's channel, and of each of its keys. */
export type RateScope = Scope | "channel" | "channel-key";

/** One of those whose rates a request meets. */
export interface RateSubject {
  readonly scope: RateScope;
  /** The number of a key, a user or a channel, the name of a group, the id of a channel's key. */
  readonly id: number | string;
  readonly limits: Pick<Limits, "rpm" | "tpm" | "concurrency">;
}

/** What one subject has used in the minute that is running, with the request that asked if it was let in. */
export interface MinuteUse {
  readonly requests: number;
  readonly tokens: number;
}

/** The same, with the requests that are under way. */
export interface RateUse extends MinuteUse {
  readonly active: number;
}

/**
 * How a request leaves: "counted" makes its estimate room for what `add` counts, "uncounted" keeps it, because no one says what
 * was used, and "unsent" counts the request no more, because nothing came of it.
 */
export type LeaveKind = "counted" | "uncounted" | "unsent";

export type Leave = (kind?: LeaveKind) => void;

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
  | { readonly leave: Leave }
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
  /** Tokens were used; counted where something of it is limited. */
  add(scope: RateScope, id: number | string, tokens: number): void;
  /** What the subjects use now: of all nodes where these count together, else of this one. Counts nothing. */
  look(subjects: readonly RateSubject[]): readonly RateUse[] | Promise<readonly RateUse[]>;
}
