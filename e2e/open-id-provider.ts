import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A person at the provider: the claims about them. */
export interface ProviderPerson {
  sub: string;
  [claim: string]: unknown;
}

/** A real OpenID Connect provider in this process, whose person consents without being asked. */
export interface OpenIdProvider {
  /** Its issuer. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** Who signs in at it next. */
  person: ProviderPerson;
  /** Answers each request with an error meanwhile. */
  isDown: boolean;
  close(): Promise<void>;
}

const CLIENT = { clientId: "tollgate", clientSecret: "open-id-client-secret" };

const SCOPES = ["openid", "email", "profile"];

/** @param callbacks where it may send people back to. */
export const startOpenIdProvider = async (callbacks: readonly string[]): Promise<OpenIdProvider> => {
  let answer = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503).end();
  };
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const state: OpenIdProvider = {
    ...{ url, ...CLIENT, person: { sub: "nobody" }, isDown: false },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const known = new Map<string, ProviderPerson>();
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [...callbacks],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => known.get(accountId) ?? { sub: accountId },
    }),
    async loadExistingGrant(context) {
      const { client, session } = context.oidc;
      if (!client || !session?.accountId) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(SCOPES.join(" "));
      await grant.save();
      return grant;
    },
    cookies: { keys: ["keeps tests alone together"] },
    ttl: { Session: 1, Interaction: 60, Grant: 60, AccessToken: 60, AuthorizationCode: 60, IdToken: 60 },
  });
  const serve = provider.callback();
  answer = (request, response) => {
    if (state.isDown) response.writeHead(503, { "content-type": "text/html" }).end("<h1>down</h1>");
    else if (request.url?.startsWith("/interaction/")) {
      const { sub } = state.person;
      known.set(sub, state.person);
      void provider.interactionFinished(request, response, { login: { accountId: sub, remember: false } });
    } else void serve(request, response);
  };
  return state;
};

/**
 * Visits a provider's page as a browser does, until it sends the person back.
 * @returns the query with which they come back.
 */
export const consentAt = async (address: string, callback: string): Promise<URLSearchParams> => {
  const cookies = new Map<string, string>();
  let next = new URL(address);
  for (let step = 0; step < 10; step += 1) {
    const answer = await fetch(next, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`the provider answers ${answer.status}: ${await answer.text()}`);
    next = new URL(location, next);
    if (next.href.startsWith(callback)) return next.searchParams;
  }
  throw new Error("the provider redirects in circles");
};
