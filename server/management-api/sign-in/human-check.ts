import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieReach } from "../../http/cookie-reach";
import { areEqualTexts } from "../../http/equal-texts";
import type { Services } from "../services";

/** Validity of a passed check: long enough to fetch a mailed code and to type it. */
const VALID_SECONDS = 600;

const COOKIE_NAME = "human";

/** Requires a Turnstile token if the option is on. */
export interface HumanCheck {
  /**
   * A token is valid for one check, while registering takes two calls (the code, then the form): a passed check is
   * remembered in the browser for ten minutes, for calls from the same address, as an unforgeable keyed hash. The
   * contract's server remembers it for thirty days.
   * @param token the query parameter `turnstile`.
   * @throws Failure when a check is required and the token is missing or refused.
   */
  pass(token: string, request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

export const createHumanCheck = ({
  options,
  turnstile,
  secrets,
  addresses,
  allowedOrigins,
  now,
}: Pick<
  Services,
  "options" | "turnstile" | "secrets" | "addresses" | "allowedOrigins" | "now"
>): HumanCheck => {
  const passFor = (untilTime: number, address: string): string =>
    `${untilTime}.${secrets.hash(`${COOKIE_NAME}\n${untilTime}\n${address}`)}`;

  const isPassed = (cookie: string, address: string): boolean => {
    const untilTime = Number.parseInt(cookie, 10);
    const isInTime = untilTime > now() && untilTime <= now() + VALID_SECONDS;
    return isInTime && areEqualTexts(cookie, passFor(untilTime, address));
  };

  return {
    async pass(token, request, reply) {
      if (!options.isOn("TurnstileCheckEnabled")) return;
      const address = addresses.of(request.raw);
      if (isPassed(request.cookies[COOKIE_NAME] ?? "", address)) return;
      await turnstile.check(token, address);
      reply.setCookie(COOKIE_NAME, passFor(now() + VALID_SECONDS, address), {
        path: "/api",
        httpOnly: true,
        ...cookieReach(request.raw, allowedOrigins, addresses.isHttps(request.raw)),
        maxAge: VALID_SECONDS,
      });
    },
  };
};
