import type { SignInProviderRecord } from "@tollgate/contract/records/sign-in-provider-record";
import type { ExternalAccount } from "@tollgate/contract/sign-in/exchange-code";
import { JSON_BOUNDS, scanJson } from "@tollgate/protocols/shared/json/scan-json";
import { askText } from "@tollgate/relay/transport/guarded-fetch";
import type { Configuration, CustomFetch } from "openid-client";
import * as z from "zod/mini";

/*
 * OpenID Connect with the authorization code and PKCE (Core 1.0, section 3.1; RFC 7636; RFC 9700). `openid-client` checks
 * issuer, audience, expiry, nonce and signature of the ID token; this file says where it may ask, and reads the claims.
 */

/** For a whole answer. */
const TIMEOUT_MS = 5_000;
/** Far more than a discovery document or a set of keys has. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** What a provider says of a person. */
export interface ProviderAccount extends ExternalAccount {
  /** A verified address; "" without one. */
  email: string;
  /** The values of the provider's group claim. */
  groups: readonly string[];
}

/** Why a provider names no account. */
export type ProviderFault = "unreachable" | "refused" | "untrusted" | "nobody";

/** A sign-in that a browser has begun. */
export interface BegunSignIn {
  /** Where people are sent back to. */
  back: string;
  state: string;
  /** Both are made from the state, and known to this installation alone. */
  verifier: string;
  nonce: string;
}

type Asked = Pick<SignInProviderRecord, "issuer" | "clientId" | "clientSecret">;

/** Whether an address is this machine's: the only one that may be asked without TLS. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);

/** Whether a provider may be asked at an address. */
export const isProviderAddress = (url: URL): boolean =>
  url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url));

/** Asks through the outbound guard, and notes when there is no answer. Redirects are not followed. */
const createFetch = (): { fetch: CustomFetch; isDown(): boolean } => {
  let isDown = false;
  const unreachable = (): Error => {
    isDown = true;
    return new Error("unreachable");
  };
  return {
    isDown: () => isDown,
    async fetch(url, { method, headers, body }) {
      if (!isProviderAddress(new URL(url))) throw unreachable();
      const answer = await askText(url, {
        method: method === "POST" ? "POST" : "GET",
        headers,
        ...(body === undefined || body === null ? {} : { body: String(body) }),
        reach: "guarded",
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
      });
      if (answer?.text === undefined || answer.status >= 500) throw unreachable();
      const type = answer.headers.get("content-type") ?? "";
      // Deep or wide beyond bounds; a signed answer is a token, and no JSON.
      if (type.includes("json") && scanJson(Buffer.from(answer.text), JSON_BOUNDS))
        throw new Error("unreadable");
      return new Response(answer.text, { status: answer.status, headers: { "content-type": type } });
    },
  };
};

/** Reads the provider's own description. @throws as `openid-client` does, where it is missing or not the issuer's. */
const discover = async (asked: Asked, fetch: CustomFetch): Promise<Configuration> => {
  // Loaded by the first call: many gateways never need it.
  const client = await import("openid-client");
  const issuer = new URL(asked.issuer);
  const { clientSecret: secret } = asked;
  return client.discovery(
    issuer,
    asked.clientId,
    {},
    (server, ...rest) => {
      const offered = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
      const isPosted = offered.includes("client_secret_post") || !offered.includes("client_secret_basic");
      const authenticate =
        secret === ""
          ? client.None()
          : isPosted
            ? client.ClientSecretPost(secret)
            : client.ClientSecretBasic(secret);
      authenticate(server, ...rest);
    },
    {
      // Signatures are checked as well as the connection from which a token came.
      execute: [
        client.enableNonRepudiationChecks,
        ...(isLoopback(issuer) ? [client.allowInsecureRequests] : []),
      ],
      [client.customFetch]: fetch,
      timeout: TIMEOUT_MS / 1000,
    },
  );
};

/** Whether an issuer describes itself as OpenID Connect asks for. */
export const answersAsIssuer = async (asked: Asked): Promise<boolean> => {
  try {
    const {
      authorization_endpoint: consent,
      token_endpoint: tokens,
      jwks_uri: keys,
    } = (await discover(asked, createFetch().fetch)).serverMetadata();
    return [consent, tokens, keys].every((url) => url !== undefined && isProviderAddress(new URL(url)));
  } catch {
    return false;
  }
};

/** The address of a provider's consent page, or the reason why it cannot be made. */
export const consentAddress = async (
  provider: SignInProviderRecord,
  { back, state, verifier, nonce }: BegunSignIn,
): Promise<URL | ProviderFault> => {
  const { fetch, isDown } = createFetch();
  try {
    const config = await discover(provider, fetch);
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
    const address = buildAuthorizationUrl(config, {
      redirect_uri: back,
      scope: provider.scopes,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    return isProviderAddress(address) ? address : "untrusted";
  } catch {
    return isDown() ? "unreachable" : "untrusted";
  }
};

const texts = z.catch(
  z.union([
    z.array(z.string()),
    z.pipe(
      z.string(),
      z.transform((text: string) => [text]),
    ),
  ]),
  [],
);
const shownName = z.catch(z.string(), "");

const readAccount = (
  provider: SignInProviderRecord,
  subject: string,
  token: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>>,
): ProviderAccount => {
  // Address and verification from one source: the other one may speak of another address.
  const mail = "email" in token ? token : more;
  const names = ["name", "preferred_username", "nickname"].map((claim) =>
    shownName.parse(token[claim] ?? more[claim]).trim(),
  );
  const { groupClaim } = provider;
  return {
    subject,
    displayName: names.find((name) => name !== "") ?? `${provider.name} User`,
    email: mail.email_verified === true ? shownName.parse(mail.email) : "",
    groups: groupClaim === "" ? [] : texts.parse(token[groupClaim] ?? more[groupClaim]),
  };
};

/** Whether the ID token leaves out what the site wants to know, so that the provider is asked for it. */
const isIncomplete = ({ scopes, groupClaim }: SignInProviderRecord, token: object): boolean =>
  (scopes.split(" ").includes("email") && !("email" in token)) ||
  (groupClaim !== "" && !(groupClaim in token)) ||
  !("name" in token);

/**
 * Exchanges a code for the account that it stands for.
 * @param iss the issuer that the browser brought (RFC 9207); undefined for none.
 */
export const identifyByCode = async (
  provider: SignInProviderRecord,
  { back, state, verifier, nonce }: BegunSignIn,
  code: string,
  iss: string | undefined,
): Promise<ProviderAccount | ProviderFault> => {
  const { fetch, isDown } = createFetch();
  const { authorizationCodeGrant, fetchUserInfo, ResponseBodyError } = await import("openid-client");
  try {
    const config = await discover(provider, fetch);
    const callback = new URL(back);
    callback.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString();
    const tokens = await authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const token = tokens.claims();
    if (!token) return "nobody";
    const asks = isIncomplete(provider, token) && config.serverMetadata().userinfo_endpoint !== undefined;
    const more = asks ? await fetchUserInfo(config, tokens.access_token, token.sub) : {};
    return readAccount(provider, token.sub, token, more);
  } catch (error) {
    if (isDown()) return "unreachable";
    return error instanceof ResponseBodyError ? "refused" : "untrusted";
  }
};
