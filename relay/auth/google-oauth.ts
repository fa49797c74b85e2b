import { sign } from "node:crypto";
import type { Authorizer, UpstreamRequest } from "../ports/transport";
import { fetchToken } from "./fetch-token";
import { createTokenAuthorizer } from "./token-cache";

const ORIGIN = "https://oauth2.googleapis.com";
const PATH = "/token";
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
/** The most that Google grants. */
const LIFETIME_SECONDS = 3600;
const MARGIN_SECONDS = 600;

const base64Url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/**
 * A service account's assertion for an access token: a JWT signed with RS256
 * (https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests).
 * @param privateKey PEM.
 * @param nowMs milliseconds since the epoch.
 */
export const signGoogleAssertion = (
  email: string,
  privateKey: string,
  keyId: string,
  nowMs: number,
): string => {
  const iat = Math.floor(nowMs / 1000);
  const header = base64Url({ alg: "RS256", typ: "JWT", kid: keyId });
  const claims = base64Url({
    iss: email,
    scope: SCOPE,
    aud: ORIGIN + PATH,
    iat,
    exp: iat + LIFETIME_SECONDS,
  });
  const signature = sign("RSA-SHA256", Buffer.from(`${header}.${claims}`), privateKey);
  return `${header}.${claims}.${signature.toString("base64url")}`;
};

/**
 * The address of Google's token endpoint. The address in the key file is ignored, so that a key file cannot redirect
 * the request. A proxy in front of the API serves both, under its own path prefix.
 */
const tokenAddress = ({ origin, path }: UpstreamRequest): Pick<UpstreamRequest, "origin" | "path"> =>
  new URL(origin).hostname.endsWith(".googleapis.com")
    ? { origin: ORIGIN, path: PATH }
    : { origin, path: path.slice(0, Math.max(path.search(/\/v1(?:beta1)?\/projects\//), 0)) + PATH };

/**
 * The access token of a Google service account, sent as a bearer token.
 * @param privateKey PEM.
 */
export const createGoogleOauth = (email: string, privateKey: string, keyId: string): Authorizer =>
  createTokenAuthorizer(
    (request, tools, done) => {
      const body = new URLSearchParams({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        assertion: signGoogleAssertion(email, privateKey, keyId, tools.now()),
      }).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
      fetchToken({ ...request, ...tokenAddress(request), headers, body }, tools, done);
    },
    (request, token) => ({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }),
    MARGIN_SECONDS,
  );
