import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterEach, describe, expect, it } from "vitest";
import { callApi, signIn, succeed } from "./client";

let server: ServerProcess | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const start = async (env: Record<string, string>): Promise<string> => {
  server = await startServer({ env: { LOG_LEVEL: "error", ...env } });
  return server.url;
};

const status = async (url: string, path: string, headers: Record<string, string> = {}): Promise<number> =>
  (await callApi(url, "GET", path, undefined, {}, headers)).status;

const repeat = async (times: number, call: () => Promise<number>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) statuses.push(await call());
  return statuses;
};

const from = (address: string) => ({ "x-forwarded-for": address });

describe("the limit of one account", () => {
  it("stops guesses that come from many addresses, and only those at this account", async () => {
    const url = await start({ CRITICAL_RATE_LIMIT: "4", TRUSTED_PROXIES: "127.0.0.1" });
    const signIn = async (username: string, password: string, address: string) =>
      (await callApi(url, "POST", "/api/user/login", { username, password }, {}, from(address))).status;
    for (let i = 0; i < 8; i += 1) {
      expect(await signIn("alice", `guess-${i}`, `203.0.113.${i}`)).toBe(200);
    }
    expect(await signIn("alice", "guess-9", "203.0.113.100")).toBe(429);
    expect(await signIn("bob", "guess", "203.0.113.101")).toBe(200);
  });
});

describe("the limit of critical calls", () => {
  it("is one counter for everything with which a code or a password could be guessed", async () => {
    const url = await start({ CRITICAL_RATE_LIMIT: "7" });
    const post = async (path: string, body: unknown) => (await callApi(url, "POST", path, body)).status;
    const calls = [
      () => status(url, "/api/verification?email=x"),
      () => status(url, "/api/reset_password?email=x"),
      () => post("/api/user/reset", { email: "a@example.com", token: "x" }),
      () => status(url, "/api/oauth/state/"),
      () => status(url, "/api/oauth/wechat?code=x"),
      () => post("/api/user/register", { username: "", password: "" }),
      () => post("/api/user/login", { username: "root", password: "wrong-password" }),
    ];
    for (const call of calls) expect(await call()).toBe(200);
    for (const call of calls) expect(await call()).toBe(429);
    // Even the right password has to wait, whatever the caller says of its address.
    expect(await post("/api/user/login", { username: "root", password: "123456" })).toBe(429);
    for (const header of [
      "x-forwarded-for",
      "x-real-ip",
      "forwarded",
      "cf-connecting-ip",
      "true-client-ip",
    ]) {
      expect(await status(url, "/api/oauth/state", { [header]: "203.0.113.9" }), header).toBe(429);
    }
    expect(await status(url, "/api/status")).toBe(200);
    const refused = await callApi(url, "GET", "/api/oauth/state");
    expect(refused.body).toEqual({ success: false, message: "请求过于频繁，请稍后再试" });
    expect(refused.headers.getSetCookie()).toEqual([]);
  });

  it("is 20 in 20 minutes unless something else is set", async () => {
    const url = await start({ CRITICAL_RATE_LIMIT: "", GLOBAL_API_RATE_LIMIT: "" });
    const statuses = await repeat(21, () => status(url, "/api/oauth/state"));
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });
});

describe("the limit of all calls", () => {
  it("is 180 in 3 minutes unless something else is set", async () => {
    const url = await start({ GLOBAL_API_RATE_LIMIT: "" });
    const statuses = await repeat(181, () => status(url, "/api/status"));
    expect(statuses).toEqual([...Array(180).fill(200), 429]);
  });

  it("counts every path of /api, but neither pages, health nor the relay", async () => {
    const url = await start({ GLOBAL_API_RATE_LIMIT: "4" });
    expect(await repeat(4, () => status(url, "/api/notice"))).toEqual([200, 200, 200, 200]);
    expect(await status(url, "/api/status/")).toBe(429);
    expect(await status(url, "/api/user/self")).toBe(429);
    expect(await status(url, "/healthz")).toBe(200);
    expect(await status(url, "/readyz")).toBe(200);
    expect(await status(url, "/login")).toBe(200);
    expect(await status(url, "/v1/models")).toBe(401);
  });

  it.each(["/dashboard/billing/usage", "/v1/dashboard/billing/subscription"])(
    "counts %s, too",
    async (path) => {
      const url = await start({ GLOBAL_API_RATE_LIMIT: "2" });
      expect(await repeat(3, () => status(url, path))).toEqual([401, 401, 429]);
    },
  );
});

describe("a proxy's word", () => {
  it("about the caller is believed when the operator named the proxy", async () => {
    const url = await start({ GLOBAL_API_RATE_LIMIT: "2", TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8" });
    expect(await repeat(3, () => status(url, "/api/status", from("203.0.113.1")))).toEqual([200, 200, 429]);
    expect(await repeat(3, () => status(url, "/api/status", from("203.0.113.2")))).toEqual([200, 200, 429]);
    // What the caller itself put in front does not help, nor does a second trusted proxy behind.
    expect(await status(url, "/api/status", from("198.51.100.7, 203.0.113.1"))).toBe(429);
    expect(await status(url, "/api/status", from("203.0.113.1, 10.1.2.3"))).toBe(429);
    expect(await status(url, "/api/status", from("nonsense, 203.0.113.1"))).toBe(429);
  });

  it.each([
    ["127.0.0.1", true],
    ["10.0.0.1", false],
  ])(
    "about HTTPS marks the cookie secure when the operator named the proxy (%s)",
    async (proxies, isSecure) => {
      const url = await start({ TRUSTED_PROXIES: proxies, INITIAL_ROOT_PASSWORD: "password-1" });
      const body = { username: "root", password: "password-1" };
      const login = (headers: Record<string, string>) =>
        callApi(url, "POST", "/api/user/login", body, {}, headers);
      const { headers } = await login({ ...from("203.0.113.1"), "x-forwarded-proto": "https" });
      expect(headers.getSetCookie().join().includes("Secure")).toBe(isSecure);
      expect((await login({})).headers.getSetCookie().join()).not.toContain("Secure");
    },
  );
});

describe("redeeming", () => {
  it("is limited by wrong codes alone", async () => {
    const url = await start({ CRITICAL_RATE_LIMIT: "4" });
    const root = await signIn(url, "root", "123456");
    const keys = await succeed<string[]>(
      root.api("POST", "/api/redemption/", { name: "gift", quota: 5, count: 7 }),
    );
    const redeem = async (key: string) => {
      const { status: code, body } = await root.api("POST", "/api/user/topup", { key });
      return [code, body.success];
    };
    for (const key of keys.slice(1)) expect(await redeem(key)).toEqual([200, true]);
    for (const key of ["a", "b", "c"]) expect(await redeem(key)).toEqual([200, false]);
    // Signing in was the first of the four.
    expect((await redeem("d"))[0]).toBe(429);
    expect((await redeem(keys[0] as string))[0]).toBe(429);
  });
});
