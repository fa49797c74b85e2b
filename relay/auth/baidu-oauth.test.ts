import { describe, expect, it } from "vitest";
import type { Authorization, UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { createBaiduOauth } from "./baidu-oauth";

const REQUEST: UpstreamRequest = {
  origin: "https://aip.baidubce.com",
  path: "/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions",
  headers: {},
  body: "{}",
};

/** A key's authorizer, the questions it asks for tokens, and a clock. */
const setUp = () => {
  const asked: { request: UpstreamRequest; receiver: UpstreamReceiver }[] = [];
  const clock = { now: 0 };
  const tools = {
    transport: {
      send: (request: UpstreamRequest, receiver: UpstreamReceiver) => asked.push({ request, receiver }),
      close: async () => {},
    },
    now: () => clock.now,
    random: () => 0,
  };
  const authorizer = createBaiduOauth("api-key", "secret/key");
  const results: Authorization[] = [];
  const authorize = (request = REQUEST): void =>
    authorizer.authorize(request, tools, (result) => results.push(result));
  const answer = (status: number, body: unknown): void => {
    const receiver = asked.at(-1)?.receiver;
    receiver?.onHeaders(status, {}, () => {});
    receiver?.onData(Buffer.from(typeof body === "string" ? body : JSON.stringify(body)));
    receiver?.onEnd();
  };
  return { asked, clock, authorizer, authorize, answer, results };
};

const pathOf = (result: Authorization | undefined): string | undefined =>
  result && "request" in result ? result.request.path : undefined;

describe("Baidu's access token", () => {
  it("is fetched with key and secret, and put into the address", () => {
    const { asked, authorize, answer, results } = setUp();
    authorize();
    expect(asked[0]?.request).toMatchObject({
      origin: "https://aip.baidubce.com",
      path: "/oauth/2.0/token?grant_type=client_credentials&client_id=api-key&client_secret=secret%2Fkey",
    });
    answer(200, { access_token: "24.abc", expires_in: 2_592_000 });
    expect(pathOf(results[0])).toBe(`${REQUEST.path}?access_token=24.abc`);
  });

  it("is asked for where the API is, on the same way, also below a proxy's path", () => {
    const { asked, authorize } = setUp();
    const path = `/baidu${REQUEST.path}`;
    authorize({ ...REQUEST, origin: "http://proxy.test", path, proxy: "http://way.test" });
    expect(asked[0]?.request).toMatchObject({ origin: "http://proxy.test", proxy: "http://way.test" });
    expect(asked[0]?.request.path).toMatch(/^\/baidu\/oauth\/2\.0\/token\?/);
  });

  it("is fetched once for all waiting requests, kept, and refreshed before it expires", () => {
    const { asked, clock, authorize, answer, results } = setUp();
    authorize();
    authorize();
    expect(asked).toHaveLength(1);
    answer(200, { access_token: "one", expires_in: 10_000 });
    expect(results.map(pathOf)).toEqual([
      `${REQUEST.path}?access_token=one`,
      `${REQUEST.path}?access_token=one`,
    ]);
    clock.now = 5_000_000;
    authorize();
    expect(asked).toHaveLength(1);
    clock.now = 6_500_000;
    authorize();
    expect(asked).toHaveLength(2);
  });

  it("is refreshed once the upstream refuses it", () => {
    const { asked, authorizer, authorize, answer } = setUp();
    expect(authorizer.renew?.()).toBe(false);
    authorize();
    answer(200, { access_token: "one", expires_in: 10_000 });
    expect(authorizer.renew?.()).toBe(true);
    authorize();
    // Another request, sent with the old one, is refused while the new one is on its way.
    expect(authorizer.renew?.()).toBe(true);
    authorize();
    expect(asked).toHaveLength(2);
  });

  it.each([
    [401, { error: "invalid_client", error_description: "unknown client id" }, 401],
    [200, { error: "invalid_client", error_description: "unknown client id" }, 401],
    [400, { error: "invalid_grant", error_description: "account not found" }, 401],
    [200, "<html>", 502],
    [503, "", 503],
  ])("that is refused (%i %j) hands the refusal on, and is asked for again", (status, body, handedOn) => {
    const { asked, authorize, answer, results } = setUp();
    authorize();
    answer(status, body);
    expect(results[0]).toMatchObject({ refusal: { status: handedOn } });
    authorize();
    expect(asked).toHaveLength(2);
  });

  it("that cannot be fetched is a failure of the network", () => {
    const { asked, authorize, results } = setUp();
    authorize();
    asked[0]?.receiver.onFailure({ kind: "timeout", detail: "late" });
    expect(results).toEqual([{ failure: { kind: "timeout", detail: "late" } }]);
  });
});
