import { createHmac } from "node:crypto";
import type { Authorizer } from "../ports/transport";
import { createSigner } from "./create-signer";

/** The signed fields. */
const SIGNED = ["host", "date", "request-line"].join(" ");

/**
 * The path with iFlytek's signature for a WebSocket upgrade:
 * https://www.xfyun.cn/doc/spark/general_url_authentication.html
 * @param date in the format of RFC 1123.
 */
export const signSparkPath = (
  path: string,
  host: string,
  apiKey: string,
  apiSecret: string,
  date: string,
): string => {
  const text = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`;
  const signature = createHmac("sha256", apiSecret).update(text).digest("base64");
  const authorization = Buffer.from(
    `api_key="${apiKey}", algorithm="hmac-sha256", headers="${SIGNED}", signature="${signature}"`,
  ).toString("base64");
  return `${path}?${new URLSearchParams({ authorization, date, host })}`;
};

/** @param host the vendor's own host, which is signed even behind a proxy. */
export const createSparkUrlSigner = (apiKey: string, apiSecret: string, host: string): Authorizer =>
  createSigner((request, { now }) => ({
    ...request,
    path: signSparkPath(request.path, host, apiKey, apiSecret, new Date(now()).toUTCString()),
  }));
