import type { ServerResponse } from "node:http";

/** Origin of the human check's script and frame. */
const TURNSTILE = "https://challenges.cloudflare.com";
/** Address from which the console fetches the newest release. */
const RELEASES = "https://api.github.com";

/** Allows scripts only from the console's own files; frames are for the configured home, about and chat pages. */
const contentSecurityPolicy = (scripts: string, images: string, connections: string): string =>
  [
    "default-src 'self'",
    `script-src ${scripts}`,
    "style-src 'self'",
    `img-src 'self' data: https:${images}`,
    // Sound that the playground has received.
    "media-src 'self' blob:",
    `connect-src 'self' ${RELEASES}${connections}`,
    "frame-src https: http:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Origins other than its own that a page may reach. */
export interface PageReach {
  hasTurnstile: boolean;
  /** Whether the page came unencrypted: then logos and pictures may, too. */
  isPlain: boolean;
  /** The origin of another gateway that it calls; undefined for this one alone. */
  apiOrigin?: string | undefined;
}

const policies = new Map<string, string>();

const policyFor = ({ hasTurnstile, isPlain, apiOrigin = "" }: PageReach): string => {
  const key = `${hasTurnstile} ${isPlain} ${apiOrigin}`;
  const policy =
    policies.get(key) ??
    contentSecurityPolicy(
      hasTurnstile ? `'self' ${TURNSTILE}` : "'self'",
      isPlain ? " http:" : "",
      apiOrigin === "" ? "" : ` ${apiOrigin}`,
    );
  policies.set(key, policy);
  return policy;
};

/** Headers of every answer to a browser: pages, assets and /api. */
export const setSecurityHeaders = (response: ServerResponse, reach: PageReach): void => {
  response.setHeader("Content-Security-Policy", policyFor(reach));
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "same-origin");
  response.setHeader("X-Frame-Options", "DENY");
};
