import { describe, expect, it } from "vitest";
import type { Authorizer, AuthTools, UpstreamRequest } from "../ports/transport";
import { createSigV4Signer, signSigV4 } from "./aws-sigv4";
import { createSparkUrlSigner, signSparkPath } from "./spark-url";
import { createTencentLegacySigner, signTencentLegacy } from "./tencent-legacy";
import { createTencentTc3Signer, signTc3 } from "./tencent-tc3";
import { createZhipuJwt, signZhipuToken } from "./zhipu-jwt";

/*
 * Worked examples of each signature. The one of iFlytek is published by the vendor; the others were worked out once,
 * from the vendors' descriptions.
 */

const NOW_MS = 1_700_000_000_000;

const REQUEST: UpstreamRequest = { origin: "https://x.test", path: "/", headers: {}, body: "{}" };

const sign = (authorizer: Authorizer, request: Partial<UpstreamRequest>, now = NOW_MS): UpstreamRequest => {
  const tools: AuthTools = {
    transport: { send: () => expect.unreachable(), close: async () => {} },
    now: () => now,
    random: () => 0.5,
  };
  let signed: UpstreamRequest | undefined;
  authorizer.authorize({ ...REQUEST, ...request }, tools, (authorization) => {
    if ("request" in authorization) signed = authorization.request;
  });
  if (!signed) throw new Error("nothing was signed");
  return signed;
};

describe("Zhipu's token", () => {
  const ID = "0123456789abcdef0123456789abcdef";
  const SECRET = "S3cr3tS3cr3tS3cr";
  const TOKEN =
    "eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.eyJhcGlfa2V5IjoiMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYiLCJleHAiOjE3MDAwODY0MDAwMDAsInRpbWVzdGFtcCI6MTcwMDAwMDAwMDAwMH0.gyxeUIBQV7dHaj3oBEdXgqxPIMLVfY6wvnc9ZQOu2bE";

  it("is as worked out", () => {
    expect(signZhipuToken(ID, SECRET, NOW_MS)).toBe(TOKEN);
  });

  it("travels without a scheme, and again until shortly before its end", () => {
    const authorizer = createZhipuJwt(ID, SECRET);
    expect(sign(authorizer, {}).headers).toEqual({ authorization: TOKEN });
    expect(sign(authorizer, {}, NOW_MS + 22 * 3_600_000).headers.authorization).toBe(TOKEN);
    expect(sign(authorizer, {}, NOW_MS + 24 * 3_600_000).headers.authorization).not.toBe(TOKEN);
  });
});

describe("Tencent's first signature", () => {
  const [APP_ID, SECRET_ID, SECRET_KEY] = [
    "1250000000",
    "AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE",
    "Gu5t9xGARNpq86cd98joQYCN3EXAMPLE",
  ] as const;
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "Hello" },
    { role: "user", content: "1+1=?" },
  ];

  it("is as worked out", () => {
    const body = {
      app_id: 1_250_000_000,
      secret_id: SECRET_ID,
      timestamp: 1_700_000_000,
      expired: 1_700_086_400,
      query_id: "test-query-id-0001",
      temperature: 0.8,
      top_p: 1,
      stream: 1,
      messages,
    };
    expect(signTencentLegacy(SECRET_KEY, body)).toBe("0NsIHYtJG3DTO8LwYLdDfyi+krU=");
  });

  it("covers fields added to the body", () => {
    const authorizer = createTencentLegacySigner(APP_ID, SECRET_ID, SECRET_KEY);
    const body = JSON.stringify({ temperature: 0.8, top_p: 1, stream: 1, messages });
    const signed = sign(authorizer, { body });
    const sent = JSON.parse(String(signed.body));
    expect(sent).toMatchObject({
      app_id: 1_250_000_000,
      secret_id: SECRET_ID,
      timestamp: 1_700_000_000,
      expired: 1_700_086_400,
      query_id: "80000000800000008000000080000000",
    });
    expect(signed.headers.authorization).toBe(signTencentLegacy(SECRET_KEY, sent));
  });
});

describe("TC3-HMAC-SHA256", () => {
  const body = '{"Model":"hunyuan-turbos-latest","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}';
  const input = {
    secretId: "AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE",
    secretKey: "Gu5t9xGARNpq86cd98joQYCN3EXAMPLE",
    host: "hunyuan.tencentcloudapi.com",
    action: "ChatCompletions",
    contentType: "application/json; charset=utf-8",
    body,
    timestamp: 1_700_000_000,
  };
  const prefix =
    "TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2023-11-14/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=";

  it.each([
    ["application/json; charset=utf-8", "12865d268bc7f2e8d1df5cdfe4c1e0fcc95a778bd5659ba9de9e0835da5851cb"],
    ["application/json", "2d463af4be90062d10b4bffa2784e9897d87479c5722bdfca1ded59a68a5b6fd"],
  ])("is as worked out for %s", (contentType, signature) => {
    expect(signTc3({ ...input, contentType })).toBe(prefix + signature);
  });

  it("is added with its time", () => {
    const headers = { "content-type": input.contentType, "x-tc-action": "ChatCompletions" };
    const signed = sign(createTencentTc3Signer(input.secretId, input.secretKey, input.host), {
      headers,
      body,
    });
    expect(signed.headers).toEqual({
      ...headers,
      "x-tc-timestamp": "1700000000",
      authorization: `${prefix}12865d268bc7f2e8d1df5cdfe4c1e0fcc95a778bd5659ba9de9e0835da5851cb`,
    });
  });
});

describe("iFlytek's signed address", () => {
  const HOST = "spark-api.xf-yun.com";

  it("is as the vendor works it out", () => {
    const path = signSparkPath(
      "/v1.1/chat",
      HOST,
      "addd2272b6d8b7c8abdd79531420ca3b",
      "MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi",
      "Fri, 05 May 2023 10:43:39 GMT",
    );
    const query = new URLSearchParams(path.slice(path.indexOf("?")));
    expect(query.get("authorization")).toBe(
      "YXBpX2tleT0iYWRkZDIyNzJiNmQ4YjdjOGFiZGQ3OTUzMTQyMGNhM2IiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zdCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iejVnSGR1M3B4VlY0QURNeWs0Njd3T1dEUTlxNkJRelIzbmZNVGpjL0RhUT0i",
    );
  });

  it("is as worked out, whole", () => {
    const signer = createSparkUrlSigner(
      "0123456789abcdef0123456789abcdef",
      "c3BhcmstYXBpLXNlY3JldC1leGFtcGxl",
      HOST,
    );
    expect(sign(signer, { path: "/v3.5/chat" }).path).toBe(
      "/v3.5/chat?authorization=YXBpX2tleT0iMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zdCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iMnpXMThUNlpYank1Z0FxaE9jRExwL1hGYkJWYlVDK1A3a29URnRhRkRGWT0i&date=Tue%2C+14+Nov+2023+22%3A13%3A20+GMT&host=spark-api.xf-yun.com",
    );
  });
});

describe("AWS Signature Version 4", () => {
  const keys = {
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
  };
  const PATH = "/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/converse";
  const BODY = '{"messages":[{"role":"user","content":[{"text":"hi"}]}],"inferenceConfig":{"maxTokens":16}}';
  const HOST = "bedrock-runtime.us-east-1.amazonaws.com";

  it("is as AWS's own suite has it (get-vanilla)", () => {
    const date = "20150830T123600Z";
    const headers = { host: "example.amazonaws.com", "x-amz-date": date };
    const request = { ...keys, service: "service", method: "GET", path: "/", headers, body: "", date };
    expect(signSigV4(request)).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    );
  });

  it("is added with its time, as worked out", () => {
    const signer = createSigV4Signer("bedrock", keys, HOST);
    const headers = { "content-type": "application/json" };
    const signed = sign(signer, { path: PATH, headers, body: BODY });
    expect(signed.headers).toEqual({
      ...headers,
      "x-amz-content-sha256": "5903c58ae9037766e41ea3e3ef4368cbac6b3f82d1c1f15a67ac4a7520b79d7f",
      "x-amz-date": "20231114T221320Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20231114/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=02d14c6b3c7ec13d5ec3b6aa66215a11b9185a93aa9525990ec5a612ee339fe9",
    });
  });

  it("covers the token of temporary credentials", () => {
    const signer = createSigV4Signer("bedrock", { ...keys, sessionToken: "session" }, HOST);
    const { headers } = sign(signer, { path: PATH, headers: {}, body: BODY });
    expect(headers["x-amz-security-token"]).toBe("session");
    expect(headers.authorization).toContain("x-amz-date;x-amz-security-token,");
  });
});
