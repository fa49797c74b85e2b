import { generateKeyPairSync, type KeyObject, verify } from "node:crypto";

/** A service account that Google knows: its key file, and the other half of its key. */
interface ServiceAccount {
  file: Record<string, string>;
  publicKey: KeyObject;
}

let account: ServiceAccount | undefined;

const serviceAccount = (): ServiceAccount => {
  if (account) return account;
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const email = "gateway@fake-project.iam.gserviceaccount.com";
  account = {
    publicKey,
    file: {
      type: "service_account",
      project_id: "fake-project",
      private_key_id: "fake-key-id",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      client_email: email,
      client_id: "100000000000000000000",
      auth_uri: "https://accounts.google.com/o/oauth2/auth",
      token_uri: "https://oauth2.googleapis.com/token",
    },
  };
  return account;
};

/** The key file as Google writes it, on several lines. The key is made again in each process. */
export const serviceAccountFile = (): string => JSON.stringify(serviceAccount().file, null, 2);

const parse = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, "base64url").toString()) as Record<string, unknown>;

/**
 * Checks a request for an access token like Google
 * (https://developers.google.com/identity/protocols/oauth2/service-account), independent of the signing code.
 * @param form the body.
 * @returns the fault, "" for none.
 */
export const checkAssertion = (form: URLSearchParams): string => {
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer")
    return "unsupported grant type";
  const { file, publicKey } = serviceAccount();
  const [header = "", claims = "", signature = "", ...more] = (form.get("assertion") ?? "").split(".");
  if (more.length > 0 || claims === "") return "Invalid JWT";
  const { alg, kid } = parse(header);
  const { iss, scope, aud, iat, exp } = parse(claims);
  if (alg !== "RS256" || kid !== file.private_key_id) return "Invalid JWT: unknown key";
  if (iss !== file.client_email) return "Invalid grant: account not found";
  if (aud !== file.token_uri) return "Invalid JWT: Failed audience check";
  if (scope !== "https://www.googleapis.com/auth/cloud-platform") return "Invalid scope";
  const now = Date.now() / 1000;
  const isShortLived =
    Number(iat) <= now + 60 &&
    Number(exp) > now &&
    Number(exp) - Number(iat) <= 3600 &&
    Number(iat) > now - 60;
  if (!isShortLived) return "Invalid JWT: Token must be a short-lived token and in a reasonable timeframe";
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${header}.${claims}`),
    publicKey,
    Buffer.from(signature, "base64url"),
  );
  return isSigned ? "" : "Invalid JWT Signature.";
};
