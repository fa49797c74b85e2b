import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import { OAUTH_PATH } from "@tollgate/contract/resource/served-paths";
import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieReach } from "../../http/cookie-reach";
import { areEqualTexts } from "../../http/equal-texts";
import { Failure } from "../failure";
import type { Services } from "../services";

const COOKIE_NAME = "oauth_state";
const COOKIE = { path: OAUTH_PATH, httpOnly: true } as const;

/** Time for people to give their consent. */
export const STATE_SECONDS = 600;

/**
 * The value that a sign-in method returns with the code, so that no site can send another person's browser here with a
 * code of its own: that would sign a person in to another's account, or bind another's to theirs
 * (https://www.rfc-editor.org/rfc/rfc6749#section-10.12).
 */
export interface OauthState {
  /**
   * Creates a state, for this browser and its current session.
   * @param method the method in the query of GET /api/oauth/state (`stateQueryOf`).
   */
  begin(method: string | undefined, request: FastifyRequest, reply: FastifyReply): string;
  /** @throws Failure unless this browser was given the state for the method, a short while ago and in the same session. */
  check(state: string | undefined, method: string | undefined, request: FastifyRequest): void;
  /** A state works once. */
  end(request: FastifyRequest, reply: FastifyReply): void;
}

export const createOauthState = ({
  secrets,
  addresses,
  allowedOrigins,
  now,
}: Pick<Services, "secrets" | "addresses" | "allowedOrigins" | "now">): OauthState => {
  /** The browser's cookie: keyed, so that a cookie planted by a neighbouring site is invalid. */
  const keptOf = (state: string, untilTime: number, method = "", request: FastifyRequest): string => {
    const session = request.cookies.session ?? "";
    return `${untilTime}.${secrets.hash(JSON.stringify([COOKIE_NAME, untilTime, state, method, session]))}`;
  };
  const reachOf = (request: FastifyRequest) => ({
    ...COOKIE,
    ...cookieReach(request.raw, allowedOrigins, addresses.isHttps(request.raw)),
  });
  return {
    begin(method, request, reply) {
      const state = randomAlphanumeric(24);
      const kept = keptOf(state, now() + STATE_SECONDS, method, request);
      reply.setCookie(COOKIE_NAME, kept, { ...reachOf(request), maxAge: STATE_SECONDS });
      return state;
    },
    check(state = "", method, request) {
      const kept = request.cookies[COOKIE_NAME] ?? "";
      const untilTime = Number.parseInt(kept, 10);
      const isInTime = untilTime > now() && untilTime <= now() + STATE_SECONDS;
      if (state === "" || !isInTime || !areEqualTexts(kept, keptOf(state, untilTime, method, request)))
        throw new Failure("oauth-state-invalid", {}, 403);
    },
    end(request, reply) {
      reply.clearCookie(COOKIE_NAME, reachOf(request));
    },
  };
};
