import type { LimitHeaders } from "@tollgate/contract/relay/limits";

/**
 * The header names of OpenAI's libraries, which others know too; a reset is a duration ("12s"):
 * https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
 */
export const openaiLimitHeaders: LimitHeaders = (standings, restMs) => {
  const headers: Record<string, string> = {};
  const reset = `${Math.ceil(restMs / 1000)}s`;
  for (const kind of ["requests", "tokens"] as const) {
    const standing = standings[kind];
    if (!standing) continue;
    headers[`x-ratelimit-limit-${kind}`] = String(standing.limit);
    headers[`x-ratelimit-remaining-${kind}`] = String(Math.max(0, standing.remaining));
    headers[`x-ratelimit-reset-${kind}`] = reset;
  }
  return headers;
};
