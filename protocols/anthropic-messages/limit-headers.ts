import type { LimitHeaders } from "@tollgate/contract/relay/limits";

/** A reset is a moment: https://docs.anthropic.com/en/api/rate-limits#response-headers */
export const limitHeaders: LimitHeaders = (standings, restMs, nowMs) => {
  const headers: Record<string, string> = {};
  const reset = new Date(nowMs + restMs).toISOString().replace(/\.\d+Z$/, "Z");
  for (const kind of ["requests", "tokens"] as const) {
    const standing = standings[kind];
    if (!standing) continue;
    headers[`anthropic-ratelimit-${kind}-limit`] = String(standing.limit);
    headers[`anthropic-ratelimit-${kind}-remaining`] = String(Math.max(0, standing.remaining));
    headers[`anthropic-ratelimit-${kind}-reset`] = reset;
  }
  return headers;
};
