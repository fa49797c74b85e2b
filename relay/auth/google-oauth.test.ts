import { generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Authorization, UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { createGoogleOauth } from "./google-oauth";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const START_MS = 1_767_225_600_500;

const REQUEST: UpstreamRequest = {
  origin: "https://us-central1-aiplatform.googleapis.com",
  path: "/v1/projects/p/locations/us-central1/publishers/google/models/m:generateContent",
  headers: { accept: "application/json" },
  body: "{}",
};

/** A key's authorizer, the questions it asks for tokens, and a clock. */
const setUp = () => {
  const asked: { request: UpstreamRequest; receiver: UpstreamReceiver }[] = [];
  const clock = { now: START_MS };
  const tools = {
    transport: {
      send: (request: UpstreamRequest, receiver: UpstreamReceiver) => asked.push({ request, receiver }),
      close: async () => {},
    },
    now: () => clock.now,
    random: () => 0,
  };
  const authorizer = createGoogleOauth("gateway@p.iam.gserviceaccount.com", PEM, "key-1");
  const results: Authorization[] = [];
  const authorize = (request = REQUEST): void =>
    authorizer.authorize(request, tools, (result) => results.push(result));
  const answer = (status: number, body: unknown): void => {
    const receiver = asked.at(-1)?.receiver;
    receiver?.onHeaders(status, {}, () => {});
    receiver?.onData(Buffer.from(JSON.stringify(body)));
    receiver?.onEnd();
  };
  return { asked, clock, authorize, answer, results };
};

const parse = (part: string | undefined): unknown =>
  JSON.parse(Buffer.from(part ?? "", "base64url").toString());

describe("the access token of a service account", () => {
  it("is asked for at Google with a signed assertion, and sent as a bearer", () => {
    const { asked, authorize, answer, results } = setUp();
    authorize();
    expect(asked[0]?.request).toMatchObject({
      origin: "https://oauth2.googleapis.com",
      path: "/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const form = new URLSearchParams(String(asked[0]?.request.body));
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [header, claims, signature] = (form.get("assertion") ?? "").split(".");
    expect(parse(header)).toEqual({ alg: "RS256", typ: "JWT", kid: "key-1" });
    expect(parse(claims)).toEqual({
      iss: "gateway@p.iam.gserviceaccount.com",
      scope: "https://www.googleapis.com/auth/cloud-platform",
      aud: "https://oauth2.googleapis.com/token",
      iat: 1_767_225_600,
      exp: 1_767_229_200,
    });
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify("RSA-SHA256", signed, publicKey, Buffer.from(signature ?? "", "base64url"))).toBe(true);
    answer(200, { access_token: "ya29.one", expires_in: 3599, token_type: "Bearer" });
    const headers = { accept: "application/json", authorization: "Bearer ya29.one" };
    expect(results).toEqual([{ request: { ...REQUEST, headers } }]);
  });

  it("is kept, and refreshed ten minutes before it expires", () => {
    const { asked, clock, authorize, answer } = setUp();
    authorize();
    answer(200, { access_token: "one", expires_in: 3599 });
    clock.now = START_MS + 2_998_000;
    authorize();
    expect(asked).toHaveLength(1);
    clock.now = START_MS + 2_999_000;
    authorize();
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["/vertex/v1/projects/p/locations/global/publishers/google/models/m:predict", "/vertex/token"],
    ["/v1beta1/projects/p/locations/global/endpoints/openapi/chat/completions", "/token"],
  ])("is asked for below a proxy in front of the API (%s)", (path, tokenPath) => {
    const { asked, authorize } = setUp();
    authorize({ ...REQUEST, origin: "http://proxy.test", path, proxy: "http://way.test" });
    expect(asked[0]?.request).toMatchObject({
      origin: "http://proxy.test",
      path: tokenPath,
      proxy: "http://way.test",
    });
  });

  it("that Google refuses says that the key is refused, not the request", () => {
    const { authorize, answer, results } = setUp();
    authorize();
    answer(400, { error: "invalid_grant", error_description: "Invalid JWT Signature." });
    expect(results).toMatchObject([{ refusal: { status: 401 } }]);
  });
});
