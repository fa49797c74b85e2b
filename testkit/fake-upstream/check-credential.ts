import { createHash, createHmac } from "node:crypto";
import { FAKE_KEYS } from "./credentials";
import type { Arrival } from "./endpoint";

/*
 * The checks of each vendor, written from its description and apart from the code that signs: a mistake in one of them
 * does not hide behind the same mistake in the other.
 */

/** Maximum clock difference of a signature. */
const MAX_SKEW_SECONDS = 300;

const isRecent = (unixSeconds: number): boolean =>
  Math.abs(Date.now() / 1000 - unixSeconds) < MAX_SKEW_SECONDS;

const partsOf = (key: string, separator: string): [string, string, string] => {
  const [a = "", b = "", c = ""] = key.split(separator);
  return [a, b, c];
};

const expectHeader = (arrival: Arrival, name: string, value: string): string =>
  arrival.headers[name] === value ? "" : `${name} is ${arrival.headers[name]}`;

/** Accepts all requests, for endpoints without a vendor: many tests send no key. */
export const takeAnybody = (): string => "";

export const checkBearer =
  (key: string) =>
  (arrival: Arrival): string =>
    expectHeader(arrival, "authorization", `Bearer ${key}`);

/** Azure refuses requests that carry both kinds of credential. */
export const checkAzure = (arrival: Arrival): string => {
  if (arrival.headers.authorization !== undefined) return "there is an authorization beside the api-key";
  if (!arrival.query.has("api-version") && !arrival.path.includes("/openai/v1/")) return "no api-version";
  return expectHeader(arrival, "api-key", FAKE_KEYS.azure);
};

export const checkGoogleKey = (arrival: Arrival): string =>
  expectHeader(arrival, "x-goog-api-key", FAKE_KEYS.plain);

/** https://open.bigmodel.cn/dev/api/http-call/http-auth */
export const checkZhipuToken = ({ headers }: Arrival): string => {
  const [id, secret] = partsOf(FAKE_KEYS.zhipu, ".");
  const [header = "", claims = "", signature = ""] = (headers.authorization ?? "").split(".");
  const expected = createHmac("sha256", secret).update(`${header}.${claims}`).digest("base64url");
  if (signature !== expected) return "the token's signature is wrong";
  const parse = (text: string) =>
    JSON.parse(Buffer.from(text, "base64url").toString()) as Record<string, unknown>;
  const { alg, sign_type } = parse(header);
  const { api_key, exp, timestamp } = parse(claims);
  if (alg !== "HS256" || sign_type !== "SIGN" || api_key !== id) return "the token is for somebody else";
  const isCurrent = Number(exp) > Date.now() && isRecent(Number(timestamp) / 1000);
  return isCurrent ? "" : "the token is not current";
};

/** https://ai.baidu.com/ai-doc/REFERENCE/Ck3dwjhhu */
export const checkBaiduToken =
  (isIssued: (token: string) => boolean) =>
  ({ query }: Arrival): string =>
    isIssued(query.get("access_token") ?? "") ? "" : "Access token invalid or no longer valid";

/** Google's access tokens: https://cloud.google.com/docs/authentication/rest */
export const checkIssuedBearer =
  (isIssued: (token: string) => boolean) =>
  ({ headers }: Arrival): string =>
    isIssued(headers.authorization?.replace(/^Bearer /, "") ?? "")
      ? ""
      : "Request had invalid authentication credentials.";

/** Vertex wants the version in the body and the model in the address alone: https://docs.anthropic.com/en/api/claude-on-vertex-ai */
export const checkVertexMessage = ({ path, body }: Arrival): string => {
  if (body.anthropic_version !== "vertex-2023-10-16") return "anthropic_version: Field required";
  if (body.model !== undefined) return "model: Extra inputs are not permitted";
  const isStream = path.endsWith(":streamRawPredict");
  return (body.stream === true) === isStream ? "" : "stream does not fit the address";
};

const hmacSha256 = (key: string | Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();
const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

/** https://cloud.tencent.com/document/api/1729/101843 */
export const checkTc3 = ({ headers, rawBody }: Arrival): string => {
  const [, secretId, secretKey] = partsOf(FAKE_KEYS.hunyuan, "|");
  const found =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/(\w+)\/tc3_request, SignedHeaders=([\w;-]+), Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    );
  if (!found) return "the authorization cannot be read";
  const [, id, date = "", service = "", signedHeaders = "", signature] = found;
  const timestamp = String(headers["x-tc-timestamp"]);
  if (id !== secretId) return "the secret id is unknown";
  if (!isRecent(Number(timestamp))) return "the signature expired";
  const action = String(headers["x-tc-action"]);
  const isKnown = action === "ChatCompletions" || action === "GetEmbedding";
  if (!isKnown || headers["x-tc-version"] !== "2023-09-01") return "no action";
  // Behind a proxy the vendor still sees its own name.
  const seen: Record<string, unknown> = { ...headers, host: "hunyuan.tencentcloudapi.com" };
  const canonicalHeaders = signedHeaders
    .split(";")
    .map((name) => `${name}:${String(seen[name]).trim().toLowerCase()}\n`)
    .join("");
  const canonical = ["POST", "/", "", canonicalHeaders, signedHeaders, sha256(rawBody)].join("\n");
  const scope = `${date}/${service}/tc3_request`;
  const signingKey = hmacSha256(hmacSha256(hmacSha256(`TC3${secretKey}`, date), service), "tc3_request");
  const expected = hmacSha256(signingKey, `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${sha256(canonical)}`);
  return expected.toString("hex") === signature ? "" : "the signature is wrong";
};

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
export const checkSigV4 = ({ path, headers, rawBody }: Arrival): string => {
  const [accessKeyId, secret, region] = partsOf(FAKE_KEYS.bedrock, "|");
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/bedrock\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    );
  if (!found) return "the authorization cannot be read";
  const [, id, day = "", signedRegion, signedHeaders = "", signature] = found;
  if (id !== accessKeyId || signedRegion !== region) return "the security token is invalid";
  const date = String(headers["x-amz-date"]);
  const at = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");
  if (!isRecent(Date.parse(at) / 1000)) return "Signature expired";
  // Behind a proxy the vendor still sees its own name.
  const seen: Record<string, unknown> = { ...headers, host: `bedrock-runtime.${region}.amazonaws.com` };
  const lines = signedHeaders.split(";").map((name) => `${name}:${String(seen[name])}\n`);
  const canonical = ["POST", path.replaceAll("%", "%25"), "", lines.join(""), signedHeaders, sha256(rawBody)];
  const text = [
    "AWS4-HMAC-SHA256",
    date,
    `${day}/${region}/bedrock/aws4_request`,
    sha256(canonical.join("\n")),
  ];
  const key = hmacSha256(
    hmacSha256(hmacSha256(hmacSha256(`AWS4${secret}`, day), region), "bedrock"),
    "aws4_request",
  );
  return hmacSha256(key, text.join("\n")).toString("hex") === signature ? "" : "the signature does not match";
};

/** Hunyuan's first API: HMAC-SHA1 over the fields of the body. */
export const checkTencentLegacy = ({ headers, body }: Arrival): string => {
  const [appId, secretId, secretKey] = partsOf(FAKE_KEYS.hunyuan, "|");
  const { app_id, secret_id, timestamp, expired, query_id, messages } = body;
  if (app_id !== Number(appId) || secret_id !== secretId) return "the account is unknown";
  if (!isRecent(Number(timestamp)) || Number(expired) <= Number(timestamp)) return "the signature expired";
  if (typeof query_id !== "string" || query_id.length < 8) return "no query id";
  const rendered = (messages as { role: string; content: string }[])
    .map(({ role, content }) => `{"role":"${role}","content":"${content}"}`)
    .join(",");
  const names = [
    "app_id",
    "expired",
    "messages",
    "query_id",
    "secret_id",
    "stream",
    "temperature",
    "timestamp",
    "top_p",
  ];
  const text = names.map((name) => `${name}=${name === "messages" ? `[${rendered}]` : body[name]}`).join("&");
  const expected = createHmac("sha1", secretKey)
    .update(`hunyuan.cloud.tencent.com/hyllm/v1/chat/completions?${text}`)
    .digest("base64");
  return headers.authorization === expected ? "" : "the signature is wrong";
};

/** https://www.xfyun.cn/doc/spark/general_url_authentication.html */
export const checkSparkUrl = (path: string, query: URLSearchParams): string => {
  const [, secret, key] = partsOf(FAKE_KEYS.spark, "|");
  const date = query.get("date") ?? "";
  const host = query.get("host") ?? "";
  if (!isRecent(Date.parse(date) / 1000))
    return "HMAC signature cannot be verified, a valid date is required";
  if (host !== "spark-api.xf-yun.com") return "HMAC signature cannot be verified: the host is another";
  const authorization = Buffer.from(query.get("authorization") ?? "", "base64").toString();
  const signature = createHmac("sha256", secret)
    .update(`host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`)
    .digest("base64");
  const expected = `api_key="${key}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`;
  return authorization === expected ? "" : "HMAC signature does not match";
};
