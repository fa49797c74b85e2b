import type { Authorization, Authorizer, AuthTools, UpstreamRequest } from "../ports/transport";
import type { TokenOutcome } from "./fetch-token";

type Waiting = (outcome: TokenOutcome) => void;

/**
 * An authorizer that caches its token until shortly before it expires, and fetches it once for all waiting requests.
 * @param fetch fetches a new token.
 * @param apply adds a token to a request.
 * @param marginSeconds time before expiry at which a token is discarded; at most half of its life.
 */
export const createTokenAuthorizer = (
  fetch: (request: UpstreamRequest, tools: AuthTools, done: Waiting) => void,
  apply: (request: UpstreamRequest, token: string) => UpstreamRequest,
  marginSeconds: number,
): Authorizer => {
  let kept: { token: string; until: number } | undefined;
  let waiting: Waiting[] | undefined;

  const receive = (outcome: TokenOutcome, now: number): void => {
    if ("token" in outcome) {
      const { token, lifetimeSeconds } = outcome;
      const usableSeconds = lifetimeSeconds - Math.min(marginSeconds, lifetimeSeconds / 2);
      kept = { token, until: now + usableSeconds * 1000 };
    }
    const informed = waiting ?? [];
    waiting = undefined;
    for (const tell of informed) tell(outcome);
  };

  return {
    authorize(request, tools, done) {
      if (kept && kept.until > tools.now()) {
        done({ request: apply(request, kept.token) });
        return;
      }
      const finish = (outcome: TokenOutcome): void => {
        const authorization: Authorization =
          "token" in outcome ? { request: apply(request, outcome.token) } : outcome;
        done(authorization);
      };
      if (waiting) {
        waiting.push(finish);
        return;
      }
      waiting = [finish];
      fetch(request, tools, (outcome) => receive(outcome, tools.now()));
    },
    renew() {
      // A request that is refused while a new one is being fetched was refused for the old one.
      const isHopeful = kept !== undefined || waiting !== undefined;
      kept = undefined;
      return isHopeful;
    },
  };
};
