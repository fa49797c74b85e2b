import { type LimitHeaders, namedStandings } from "@tollgate/contract/relay/limits";

/**
 * The header names of OpenAI's libraries, which others know too; a reset is a duration ("12s"):
 * https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers
 */
export const openaiLimitHeaders: LimitHeaders = (standings, minuteRestMs) => {
  const headers: Record<string, string> = {};
  for (const [name, { limit, remaining }, restMs] of namedStandings(standings, minuteRestMs)) {
    headers[`x-ratelimit-limit-${name}`] = String(limit);
    headers[`x-ratelimit-remaining-${name}`] = String(Math.max(0, remaining));
    if (restMs !== undefined) headers[`x-ratelimit-reset-${name}`] = `${Math.ceil(restMs / 1000)}s`;
  }
  return headers;
};
