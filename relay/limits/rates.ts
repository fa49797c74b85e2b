import type { Limits } from "@tollgate/contract/management/limits";

/** The kind of subject that is counted. */
export type Scope = "key" | "user" | "group";

/** Subjects counted by the minute: also an upstream's channel, and each of its keys. */
export type RateScope = Scope | "channel" | "channel-key";

/** A subject whose rates apply to a request. */
export interface RateSubject {
  readonly scope: RateScope;
  /** The number of a key, a user or a channel, the name of a group, the id of a channel's key. */
  readonly id: number | string;
  readonly limits: Pick<Limits, "rpm" | "tpm" | "concurrency">;
}

/** One subject's usage in the current minute, including the admitted request itself. */
export interface MinuteUse {
  readonly requests: number;
  readonly tokens: number;
}

/** The same, with the running requests. */
export interface RateUse extends MinuteUse {
  readonly active: number;
}

/**
 * How a request leaves: "counted" replaces its estimate by the counts of `add`, "uncounted" keeps the estimate, because
 * the real usage is unknown, and "unsent" removes the request from the count.
 */
export type LeaveKind = "counted" | "uncounted" | "unsent";

export type Leave = (kind?: LeaveKind) => void;

export type RateFault = "requests-limited" | "tokens-limited" | "concurrency-limited";

/** The answer to a request, with the time of the clock that counts. */
export interface RateAnswer {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** One per subject, in their order. */
  readonly uses: readonly MinuteUse[];
  readonly outcome: RateOutcome;
}

export type RateOutcome =
  /** Must be called once, when the request has ended. */
  | { readonly leave: Leave }
  /** Index of the refusing subject; `fault` is undefined when the subject was barred. */
  | { readonly refusedBy: number; readonly fault: RateFault | undefined };

/**
 * Requests and tokens per minute of the clock, and running requests: counted in memory, or by several nodes together.
 */
export interface Rates {
  /**
   * Checks the subjects in their order, and counts for all of them if none refuses; a refused request counts nowhere.
   * @param promptTokens an estimate of the prompt, counted until the request ends.
   * @param barred index of the subject that refuses in any case: those before it are still checked.
   */
  enter(
    subjects: readonly RateSubject[],
    promptTokens: number,
    barred?: number,
  ): RateAnswer | Promise<RateAnswer>;
  /** Counts used tokens, if a limit applies to the subject. */
  add(scope: RateScope, id: number | string, tokens: number): void;
  /** Current usage of the subjects: on all nodes when these count together, else on this one. Counts nothing. */
  look(subjects: readonly RateSubject[]): readonly RateUse[] | Promise<readonly RateUse[]>;
}
