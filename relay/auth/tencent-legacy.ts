import { createHmac } from "node:crypto";
import {
  type JsonRecord,
  readArray,
  readRecord,
  readString,
} from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import type { Authorizer } from "../ports/transport";
import { bodyBytes } from "./body-bytes";
import { createSigner } from "./create-signer";

const LIFETIME_SECONDS = 86_400;

/** The signature covers the vendor's own address, even behind a proxy. */
const SIGNED_ADDRESS = "hunyuan.cloud.tencent.com/hyllm/v1/chat/completions";

/** The messages as they are signed: as JSON, but with their texts as they are, unescaped. */
const renderMessages = (messages: unknown): string => {
  const rendered = readArray(messages)
    .map(readRecord)
    .map(({ role, content }) => `{"role":"${readString(role)}","content":"${readString(content)}"}`);
  return `[${rendered.join(",")}]`;
};

/** Signs a whole body of Hunyuan's first API (HMAC-SHA1 of its fields in the order of their names). */
export const signTencentLegacy = (secretKey: string, body: JsonRecord): string => {
  const fields: JsonRecord = { ...body, messages: renderMessages(body.messages) };
  const text = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join("&");
  return createHmac("sha1", secretKey).update(`${SIGNED_ADDRESS}?${text}`).digest("base64");
};

const randomId = (random: () => number): string =>
  Array.from({ length: 4 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");

/** Adds account, times and an id to the body, and signs it. */
export const createTencentLegacySigner = (appId: string, secretId: string, secretKey: string): Authorizer =>
  createSigner((request, { now, random }) => {
    const timestamp = Math.floor(now() / 1000);
    const body = {
      app_id: Number(appId),
      secret_id: secretId,
      timestamp,
      expired: timestamp + LIFETIME_SECONDS,
      query_id: randomId(random),
      ...readRecord(parseJson(Buffer.from(bodyBytes(request.body)).toString("utf8"))),
    };
    const authorization = signTencentLegacy(secretKey, body);
    return { ...request, headers: { ...request.headers, authorization }, body: JSON.stringify(body) };
  });
