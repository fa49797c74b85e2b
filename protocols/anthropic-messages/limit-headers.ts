import { type LimitHeaders, namedStandings } from "@tollgate/contract/relay/limits";

/** A reset is a moment: https://docs.anthropic.com/en/api/rate-limits#response-headers */
export const limitHeaders: LimitHeaders = (standings, minuteRestMs, nowMs) => {
  const headers: Record<string, string> = {};
  const momentIn = (restMs: number): string => new Date(nowMs + restMs).toISOString().replace(/\.\d+Z$/, "Z");
  for (const [name, { limit, remaining }, restMs] of namedStandings(standings, minuteRestMs)) {
    headers[`anthropic-ratelimit-${name}-limit`] = String(limit);
    headers[`anthropic-ratelimit-${name}-remaining`] = String(Math.max(0, remaining));
    if (restMs !== undefined) headers[`anthropic-ratelimit-${name}-reset`] = momentIn(restMs);
  }
  return headers;
};
