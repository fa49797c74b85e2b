/** One limit as it stands: how much of it is left. */
export interface Standing {
  limit: number;
  /** Below 0 where more was used than was known when it was let in. */
  remaining: number;
}

/** The same, for another period. */
export interface TimedStanding extends Standing {
  /** Milliseconds until it is counted from 0 again; undefined where its period begins with the next charge. */
  restMs: number | undefined;
  /** Quota beyond a budget, for requests that another model or group answers. */
  extra?: Standing;
}

/** Where a client stands with its limits; undefined where nothing is limited. */
export interface Standings {
  requests: Standing | undefined;
  tokens: Standing | undefined;
  /** Requests of the day. */
  dailyRequests: TimedStanding | undefined;
  /** Quota of the budget that is used up first. */
  budget: TimedStanding | undefined;
}

/** The limits with a period of their own, and their names in headers. */
const TIMED = [
  ["dailyRequests", "requests-day"],
  ["budget", "budget"],
] as const;

/** Lists the limits that apply, with their names in headers and the milliseconds until they are counted from 0 again. */
export const namedStandings = (
  standings: Standings,
  restMs: number,
): [name: string, standing: Standing, restMs: number | undefined][] => {
  const named: ReturnType<typeof namedStandings> = [];
  for (const kind of ["requests", "tokens"] as const) {
    const standing = standings[kind];
    if (standing) named.push([kind, standing, restMs]);
  }
  for (const [kind, name] of TIMED) {
    const standing = standings[kind];
    if (!standing) continue;
    named.push([name, standing, standing.restMs]);
    if (standing.extra) named.push([`${name}-extra`, standing.extra, standing.restMs]);
  }
  return named;
};

/**
 * Headers with a client's remaining limits, under the names that its library knows.
 * @param restMs until the minute ends. @param nowMs milliseconds since the epoch.
 */
export type LimitHeaders = (standings: Standings, restMs: number, nowMs: number) => Record<string, string>;
