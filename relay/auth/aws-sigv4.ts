import { createHash, createHmac } from "node:crypto";
import type { Authorizer } from "../ports/transport";
import { bodyBytes } from "./body-bytes";
import { createSigner } from "./create-signer";

const hexSha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** Percent-encodes everything except letters, digits and -._~ */
const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The signed parts of a request. */
export interface SigV4Input {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  service: string;
  method: string;
  /** The path sent to the upstream, without a query. */
  path: string;
  /** Names in lower case; all of them are signed. */
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  /** "20231114T221320Z" */
  date: string;
}

/** AWS Signature Version 4, the value of `Authorization`: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
export const signSigV4 = (input: SigV4Input): string => {
  const { accessKeyId, secretAccessKey, region, service, method, path, headers, body, date } = input;
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]?.trim().replace(/\s+/g, " ")}\n`).join("");
  // Every part of the path is encoded once more than it is sent.
  const uri = path.split("/").map(encodeStrictly).join("/");
  const canonical = [method, uri, "", lines, names.join(";"), hexSha256(body)].join("\n");
  const day = date.slice(0, 8);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [region, service, "aws4_request"].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day));
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hexSha256(canonical)}`).toString("hex");
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
};

/** Credentials for signing requests. */
export interface SigV4Credentials extends Pick<SigV4Input, "accessKeyId" | "secretAccessKey" | "region"> {
  /** Present for temporary credentials; "" for others. */
  sessionToken?: string;
}

/** @param host the vendor's own host, which is signed even behind a proxy. */
export const createSigV4Signer = (
  service: string,
  { sessionToken = "", ...credentials }: SigV4Credentials,
  host: string,
): Authorizer =>
  createSigner((request, { now }) => {
    const body = bodyBytes(request.body);
    const date = new Date(now()).toISOString().replace(/[-:]|\.\d+/g, "");
    const added = {
      "x-amz-content-sha256": hexSha256(body),
      "x-amz-date": date,
      ...(sessionToken === "" ? {} : { "x-amz-security-token": sessionToken }),
    };
    const authorization = signSigV4({
      ...credentials,
      service,
      method: "POST",
      path: request.path,
      headers: { "content-type": request.headers["content-type"] ?? "", host, ...added },
      body,
      date,
    });
    return { ...request, headers: { ...request.headers, ...added, authorization } };
  });
