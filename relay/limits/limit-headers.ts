import { MINUTE_MS } from "./minute-meter";

/** One limit as it stands: what is left of how much until when. */
export interface Standing {
  limit: number;
  remaining: number;
}

/** What the headers tell; undefined where nothing is limited. */
export interface Standings {
  requests: Standing | undefined;
  tokens: Standing | undefined;
}

/** Milliseconds until the next minute of the clock. */
export const untilNextMinuteMs = (nowMs: number): number => MINUTE_MS - (nowMs % MINUTE_MS);

const inSeconds = (ms: number): number => Math.ceil(ms / 1000);

type Names = (kind: "requests" | "tokens") => { limit: string; remaining: string; reset: string };

const openaiNames: Names = (kind) => ({
  limit: `x-ratelimit-limit-${kind}`,
  remaining: `x-ratelimit-remaining-${kind}`,
  reset: `x-ratelimit-reset-${kind}`,
});

const anthropicNames: Names = (kind) => ({
  limit: `anthropic-ratelimit-${kind}-limit`,
  remaining: `anthropic-ratelimit-${kind}-remaining`,
  reset: `anthropic-ratelimit-${kind}-reset`,
});

/**
 * The headers that tell a client where it stands, under the names that its library knows:
 * https://platform.openai.com/docs/guides/rate-limits#rate-limits-in-headers (a reset is a span, "12s") and
 * https://docs.anthropic.com/en/api/rate-limits#response-headers (a reset is a moment).
 */
export const limitHeaders = (
  standings: Standings,
  isAnthropic: boolean,
  nowMs: number,
): Record<string, string> => {
  const headers: Record<string, string> = {};
  const restMs = untilNextMinuteMs(nowMs);
  const reset = isAnthropic
    ? new Date(nowMs + restMs).toISOString().replace(/\.\d+Z$/, "Z")
    : `${inSeconds(restMs)}s`;
  const names = isAnthropic ? anthropicNames : openaiNames;
  for (const kind of ["requests", "tokens"] as const) {
    const standing = standings[kind];
    if (!standing) continue;
    const name = names(kind);
    headers[name.limit] = String(standing.limit);
    headers[name.remaining] = String(Math.max(0, standing.remaining));
    headers[name.reset] = reset;
  }
  return headers;
};

/** Whole seconds to wait, at least one. @param ms until trying again is worth while. */
export const waitSeconds = (ms: number): number => Math.max(1, inSeconds(ms));
