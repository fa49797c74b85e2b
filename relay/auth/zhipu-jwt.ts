import { createHmac } from "node:crypto";
import type { Authorizer } from "../ports/transport";
import { createSigner } from "./create-signer";

const LIFETIME_MS = 24 * 3_600_000;
/** A token is used again until it is this old. */
const REUSE_MS = LIFETIME_MS - 3_600_000;

const base64Url = (text: string): string => Buffer.from(text).toString("base64url");

/**
 * Zhipu's token: a JWT with times in milliseconds and an extra header
 * (https://open.bigmodel.cn/dev/api/http-call/http-auth), which no library supports.
 * @param nowMs milliseconds since the epoch.
 */
export const signZhipuToken = (id: string, secret: string, nowMs: number): string => {
  const header = base64Url(JSON.stringify({ alg: "HS256", sign_type: "SIGN" }));
  const claims = base64Url(JSON.stringify({ api_key: id, exp: nowMs + LIFETIME_MS, timestamp: nowMs }));
  const signature = createHmac("sha256", secret).update(`${header}.${claims}`).digest("base64url");
  return `${header}.${claims}.${signature}`;
};

/** The third API takes the token without "Bearer". */
export const createZhipuJwt = (id: string, secret: string): Authorizer => {
  let token = "";
  let signedAt = Number.NEGATIVE_INFINITY;
  return createSigner((request, { now }) => {
    if (now() - signedAt > REUSE_MS) {
      signedAt = now();
      token = signZhipuToken(id, secret, signedAt);
    }
    return { ...request, headers: { ...request.headers, authorization: token } };
  });
};
