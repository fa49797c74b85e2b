import { createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type StandIn, startStandIn } from "./stand-in";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const { publicKey, privateKey } = pair();
const stranger = pair().privateKey;

const signed = (alg: string, claims: unknown, sign: (text: string) => string): string => {
  const text = `${encode({ alg, kid: "1", typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${sign(text)}`;
};
const byRsa = (key: KeyObject) => (text: string) =>
  createSign("RSA-SHA256").update(text).sign(key, "base64url");

/** How an ID token is signed: rightly, not at all, with a public key as a secret, or by another key. */
const SIGNATURES = {
  right: (claims: unknown) => signed("RS256", claims, byRsa(privateKey)),
  none: (claims: unknown) => signed("none", claims, () => ""),
  "public key": (claims: unknown) =>
    signed("HS256", claims, (text) =>
      createHmac("sha256", publicKey.export({ type: "spki", format: "pem" }))
        .update(text)
        .digest("base64url"),
    ),
  secret: (claims: unknown) =>
    signed("HS256", claims, (text) => createHmac("sha256", "liar-secret").update(text).digest("base64url")),
  stranger: (claims: unknown) => signed("RS256", claims, byRsa(stranger)),
} as const;

/** What the provider answers next. */
export interface Lie {
  signature: keyof typeof SIGNATURES;
  /** Replace the right claims; undefined leaves one out. */
  claims: Record<string, unknown>;
  /** Replace parts of its description. */
  metadata: Record<string, unknown>;
  userinfo: Record<string, unknown>;
  /** In place of the answer with the tokens. */
  tokens: { status?: number; body: unknown } | undefined;
}

export const HONEST: Lie = { signature: "right", claims: {}, metadata: {}, userinfo: {}, tokens: undefined };

/** A provider that signs whatever a test wants. @param nonceOf the nonce of the sign-in under way. */
export const startLyingProvider = async (
  nonceOf: () => string,
): Promise<StandIn & { lie: Lie; clientId: string }> => {
  const now = () => Math.floor(Date.now() / 1000);
  const standIn = await startStandIn(({ path }) => {
    const { url, lie, clientId } = liar;
    if (path === "/.well-known/openid-configuration")
      return {
        body: {
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          jwks_uri: `${url}/keys`,
          userinfo_endpoint: `${url}/userinfo`,
          response_types_supported: ["code"],
          id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
          ...lie.metadata,
        },
      };
    if (path === "/keys")
      return {
        body: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] },
      };
    if (path === "/userinfo") return { body: { sub: "1", ...lie.userinfo } };
    const right = { iss: url, aud: clientId, sub: "1", nonce: nonceOf(), iat: now(), exp: now() + 60 };
    const token = SIGNATURES[lie.signature]({
      ...right,
      name: "Liar",
      email: "liar@example.com",
      ...lie.claims,
    });
    return lie.tokens ?? { body: { access_token: "liar-grant", token_type: "Bearer", id_token: token } };
  });
  const liar = Object.assign(standIn, { lie: HONEST, clientId: "liar-client" });
  return liar;
};
