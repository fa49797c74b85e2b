import type { Authorizer } from "../ports/transport";
import { fetchToken } from "./fetch-token";
import { createTokenAuthorizer } from "./token-cache";

const MARGIN_SECONDS = 3600;

/**
 * Baidu's access token (https://ai.baidu.com/ai-doc/REFERENCE/Ck3dwjhhu): fetched with key and secret from the API's
 * own origin, so that a proxy in front of it serves both; it is sent in the address.
 */
export const createBaiduOauth = (apiKey: string, secretKey: string): Authorizer =>
  createTokenAuthorizer(
    ({ path: asked, ...request }, tools, done) => {
      const query = new URLSearchParams({
        grant_type: "client_credentials",
        client_id: apiKey,
        client_secret: secretKey,
      });
      // A proxy may serve the whole API under its own path prefix.
      const path = `${asked.slice(0, Math.max(asked.indexOf("/rpc/2.0/"), 0))}/oauth/2.0/token?${query}`;
      const headers = { "content-type": "application/json", accept: "application/json" };
      fetchToken({ ...request, path, headers, body: "{}" }, tools, done);
    },
    (request, token) => ({ ...request, path: `${request.path}?access_token=${encodeURIComponent(token)}` }),
    MARGIN_SECONDS,
  );
