import cookie from "@fastify/cookie";
import fastify from "fastify";
import { beforeEach, describe, expect, it } from "vitest";
import { readAllowedOrigins } from "../../http/allowed-origins";
import { createClientAddresses } from "../../http/client-address";
import { createOauthState } from "./oauth-state";

let seconds: number;

const oauthState = createOauthState({
  secrets: {
    hash: (text: string) => Buffer.from(text).toString("base64url"),
    seal: String,
    sealForFile: String,
    openFromFile: String,
    open: String,
  },
  addresses: createClientAddresses("", () => {}),
  allowedOrigins: readAllowedOrigins(""),
  now: () => seconds,
});

const app = fastify();
await app.register(cookie);
type Asked = { Querystring: { state?: string; method?: string } };
app.get<Asked>("/begin", async (request, reply) => oauthState.begin(request.query.method, request, reply));
app.get<Asked>("/check", async (request) => {
  oauthState.check(request.query.state, request.query.method, request);
  return "good";
});
app.get("/end", async (request, reply) => oauthState.end(request, reply));

const begin = async (cookies: Record<string, string> = {}, method = "") => {
  const { body: state, cookies: set } = await app.inject({ url: `/begin${method}`, cookies });
  return { state, kept: set[0]?.value ?? "", set: set[0] };
};

const check = async (state: string | undefined, cookies: Record<string, string>): Promise<number> =>
  (await app.inject({ url: "/check", query: state === undefined ? {} : { state }, cookies })).statusCode;

beforeEach(() => {
  seconds = 1_000_000;
});

describe("the state of a sign-in", () => {
  it("is good for the browser that asked, with the same session, for ten minutes", async () => {
    const guest = await begin();
    const user = await begin({ session: "a" });
    expect(guest.state).toMatch(/^[0-9A-Za-z]{24}$/);
    expect(guest.set).toMatchObject({ path: "/api/oauth", httpOnly: true, sameSite: "Lax", maxAge: 600 });
    seconds += 599;
    expect(await check(guest.state, { oauth_state: guest.kept })).toBe(200);
    expect(await check(user.state, { oauth_state: user.kept, session: "a" })).toBe(200);
    seconds += 1;
    expect(await check(guest.state, { oauth_state: guest.kept })).toBe(403);
  });

  it("is not another session's: a code that was asked for by one person binds nothing to another", async () => {
    const guest = await begin();
    const user = await begin({ session: "a" });
    expect(await check(guest.state, { oauth_state: guest.kept, session: "a" })).toBe(403);
    expect(await check(user.state, { oauth_state: user.kept, session: "b" })).toBe(403);
    expect(await check(user.state, { oauth_state: user.kept })).toBe(403);
  });

  it("is not another method's, which may send people back to an address that is not its own", async () => {
    const one = await begin({}, "?method=one");
    const ofContract = await begin();
    const checkFor = async (url: string, oauth_state: string) =>
      (await app.inject({ url, cookies: { oauth_state } })).statusCode;
    expect(await checkFor(`/check?method=one&state=${one.state}`, one.kept)).toBe(200);
    expect(await checkFor(`/check?method=other&state=${one.state}`, one.kept)).toBe(403);
    expect(await checkFor(`/check?state=${one.state}`, one.kept)).toBe(403);
    expect(await checkFor(`/check?method=one&state=${ofContract.state}`, ofContract.kept)).toBe(403);
  });

  it("cannot be made, mixed or stretched by who can plant a cookie", async () => {
    const [one, other] = [await begin(), await begin()];
    const [until = "", hash = ""] = one.kept.split(".");
    for (const [state, kept] of [
      [one.state, other.kept],
      [one.state, one.state],
      [one.state, ""],
      ["", ""],
      ["", one.kept],
      [undefined, one.kept],
      [one.state, hash],
      [one.state, `${Number(until) - 1}.${hash}`],
      [one.state, `${Number(until) + 60}.${hash}`],
      [one.state, `${until}.${hash}x`],
      [`${one.state}\n`, one.kept],
    ] as const)
      expect([state, kept, await check(state, { oauth_state: kept })]).toEqual([state, kept, 403]);
  });

  it("ends with its cookie", async () => {
    const { cookies } = await app.inject("/end");
    expect(cookies).toMatchObject([{ name: "oauth_state", value: "", path: "/api/oauth" }]);
    expect(Number(cookies[0]?.expires)).toBe(0);
  });
});
