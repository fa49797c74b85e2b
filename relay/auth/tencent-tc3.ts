import { createHash, createHmac } from "node:crypto";
import type { Authorizer } from "../ports/transport";
import { bodyBytes } from "./body-bytes";
import { createSigner } from "./create-signer";

const SERVICE = "hunyuan";
const SIGNED_HEADERS = "content-type;host;x-tc-action";

const hexSha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** The signed parts of a request. */
export interface Tc3Input {
  secretId: string;
  secretKey: string;
  host: string;
  action: string;
  contentType: string;
  body: string | Uint8Array;
  /** Unix seconds. */
  timestamp: number;
}

/** TC3-HMAC-SHA256, the value of `Authorization`: https://cloud.tencent.com/document/api/1729/101843 */
export const signTc3 = (input: Tc3Input): string => {
  const { secretId, secretKey, host, action, contentType, body, timestamp } = input;
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10);
  const headers = `content-type:${contentType}\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`;
  const canonical = `POST\n/\n\n${headers}\n${SIGNED_HEADERS}\n${hexSha256(body)}`;
  const scope = `${date}/${SERVICE}/tc3_request`;
  const key = hmac(hmac(hmac(`TC3${secretKey}`, date), SERVICE), "tc3_request");
  const text = `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${hexSha256(canonical)}`;
  const signature = hmac(key, text).toString("hex");
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`;
};

/** @param host the vendor's own host, which is signed even behind a proxy. */
export const createTencentTc3Signer = (secretId: string, secretKey: string, host: string): Authorizer =>
  createSigner((request, { now }) => {
    const timestamp = Math.floor(now() / 1000);
    const { headers, body } = request;
    const authorization = signTc3({
      secretId,
      secretKey,
      host,
      action: headers["x-tc-action"] ?? "",
      contentType: headers["content-type"] ?? "",
      body: bodyBytes(body),
      timestamp,
    });
    return { ...request, headers: { ...headers, "x-tc-timestamp": String(timestamp), authorization } };
  });
