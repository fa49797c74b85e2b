import type { ServerResponse } from "node:http";

/** Where the human check's script and frame come from, when it is switched on. */
const TURNSTILE = "https://challenges.cloudflare.com";
/** Where the console asks for the newest release. */
const RELEASES = "https://api.github.com";

/** Only what the console's own files contain may run; frames are for the configured home, about and chat pages. */
const contentSecurityPolicy = (scripts: string): string =>
  [
    "default-src 'self'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data: https:",
    `connect-src 'self' ${RELEASES}`,
    "frame-src https: http:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

const PLAIN_POLICY = contentSecurityPolicy("'self'");
const TURNSTILE_POLICY = contentSecurityPolicy(`'self' ${TURNSTILE}`);

/**
 * Headers of every answer to a browser: pages, assets and /api.
 * @param hasTurnstile whether pages may load the human check.
 */
export const setSecurityHeaders = (response: ServerResponse, hasTurnstile: boolean): void => {
  response.setHeader("Content-Security-Policy", hasTurnstile ? TURNSTILE_POLICY : PLAIN_POLICY);
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "same-origin");
  response.setHeader("X-Frame-Options", "DENY");
};
