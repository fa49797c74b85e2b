/** One limit as it stands: how much of it is left. */
export interface Standing {
  limit: number;
  /** Below 0 where more was used than was known when it was let in. */
  remaining: number;
}

/** Where a client stands with its limits; undefined where nothing is limited. */
export interface Standings {
  requests: Standing | undefined;
  tokens: Standing | undefined;
}

/**
 * Headers with a client's remaining limits, under the names that its library knows.
 * @param restMs until the counter starts again. @param nowMs milliseconds since the epoch.
 */
export type LimitHeaders = (standings: Standings, restMs: number, nowMs: number) => Record<string, string>;
