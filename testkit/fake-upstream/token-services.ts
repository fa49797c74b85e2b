import { FAKE_KEYS } from "./credentials";
import type { Arrival } from "./endpoint";
import { checkAssertion } from "./service-account";

export interface JsonAnswer {
  status: number;
  body: unknown;
}

/** The services of Baidu and Google that give out access tokens. */
export interface TokenServices {
  /** Whether an access token was issued here and has not been revoked. */
  isIssued(token: string): boolean;
  /** @returns undefined for an address where no service is. */
  answer(arrival: Arrival): JsonAnswer | undefined;
  /** Lets no access token be good any more that was given out so far. */
  revoke(): void;
}

export const createTokenServices = (): TokenServices => {
  const tokens = new Set<string>();
  let serial = 0;

  const issue = (prefix: string, more: Record<string, unknown>): JsonAnswer => {
    serial += 1;
    const access_token = `${prefix}.fake-${serial}`;
    tokens.add(access_token);
    return { status: 200, body: { access_token, ...more } };
  };

  const answerForBaidu = (query: URLSearchParams): JsonAnswer => {
    const isKnown =
      query.get("grant_type") === "client_credentials" &&
      `${query.get("client_id")}|${query.get("client_secret")}` === FAKE_KEYS.baidu;
    return isKnown
      ? issue("24", { expires_in: 2_592_000 })
      : { status: 401, body: { error: "invalid_client", error_description: "unknown client id" } };
  };

  const answerForGoogle = (form: URLSearchParams): JsonAnswer => {
    const wrong = checkAssertion(form);
    return wrong === ""
      ? issue("ya29", { expires_in: 3599, token_type: "Bearer" })
      : { status: 400, body: { error: "invalid_grant", error_description: wrong } };
  };

  return {
    isIssued: (token) => tokens.has(token),
    answer: ({ path, query, rawBody }) => {
      if (path === "/oauth/2.0/token") return answerForBaidu(query);
      return path === "/vertex/token" ? answerForGoogle(new URLSearchParams(rawBody.toString())) : undefined;
    },
    revoke: () => tokens.clear(),
  };
};
