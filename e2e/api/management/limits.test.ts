import { cookiesOf } from "@tollgate/demo/api-client";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterEach, describe, expect, it } from "vitest";
import { callApi, signIn, succeed } from "./client";
import { changeStoredData } from "./database";

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

describe("S17, P2: the keys of a user", () => {
  it("have a limit, and so has the answer of a search", async () => {
    const dataDir = createDataDir();
    server = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    const before = await signIn(server.url, "root", "123456");
    await succeed(before.api("POST", "/api/token/", { name: "mine" }));
    const answer = await before.api("GET", "/api/token/search?keyword=mine");
    expect(answer.headers.get("x-result-limit")).toBeNull();
    await server.stop();
    changeStoredData(
      dataDir,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO tokens (user_id, key_hash, key_sealed, status, name, created_time, accessed_time, expired_time)
       SELECT user_id, 'hash-' || n.i, key_sealed, status, name, created_time, accessed_time, expired_time
       FROM tokens, n`,
      1000,
    );
    server = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    const root = await signIn(server.url, "root", "123456");
    const refused = await root.api("POST", "/api/token/", { name: "one more" });
    expect(refused.body).toEqual({
      success: false,
      message: "令牌数量已达上限（1000 个），请先删除不用的令牌",
    });
    const found = await root.api("GET", "/api/token/search?keyword=mine");
    expect(found.body.data).toHaveLength(1000);
    expect(found.headers.get("x-result-limit")).toBe("1000");
    for (const { id } of (found.body.data as { id: number }[]).slice(0, 2))
      await succeed(root.api("DELETE", `/api/token/${id}`));
    const answers = await Promise.all(
      ["a", "b", "c"].map((name) => root.api("POST", "/api/token/", { name })),
    );
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(1);
  });
});

describe("a search of administrators", () => {
  it("returns the newest matches first, and says whether there are more", async () => {
    const dataDir = createDataDir();
    server = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    const before = await signIn(server.url, "root", "123456");
    const redemption = { name: "many", quota: 1, count: 1 };
    const channel = { type: 8, name: "many", key: "k", base_url: "http://127.0.0.1:9", models: "m" };
    await succeed(before.api("POST", "/api/redemption/", redemption));
    await succeed(before.api("POST", "/api/channel/", channel));
    await succeed(before.api("POST", "/api/user/", { username: "many", password: "12345678" }));
    const few = await before.api("GET", "/api/user/search?keyword=many");
    expect(few.headers.get("x-result-limit")).toBeNull();
    expect(few.body.data).toHaveLength(1);
    await server.stop();
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)";
    for (const copy of [
      `INSERT INTO redemptions (user_id, key_hash, key_sealed, status, name, quota, created_time)
       SELECT user_id, 'hash-' || n.i, key_sealed, status, name, quota, created_time FROM redemptions, n`,
      `INSERT INTO channels (type, key_sealed, status, name, created_time, base_url, models)
       SELECT type, key_sealed, 2, name, created_time, base_url, models FROM channels, n`,
      `INSERT INTO users (username, password_hash, created_time)
       SELECT username || n.i, '', created_time FROM users, n WHERE username = 'many'`,
    ])
      changeStoredData(dataDir, `${numbers} ${copy}`);
    server = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    const root = await signIn(server.url, "root", "123456");
    for (const kind of ["redemption", "channel", "user"]) {
      const found = await root.api("GET", `/api/${kind}/search?keyword=many`);
      const rows = found.body.data as { id: number }[];
      expect(rows, kind).toHaveLength(5_000);
      expect(found.headers.get("x-result-limit"), kind).toBe("5000");
      expect(rows[0]?.id, kind).toBeGreaterThan(rows.at(-1)?.id ?? Number.POSITIVE_INFINITY);
      const few = await root.api("GET", `/api/${kind}/search?keyword=many&limit=3`);
      expect(few.body.data, kind).toEqual(rows.slice(0, 3));
      expect(few.headers.get("x-result-limit"), kind).toBe("3");
      for (const unfit of ["0", "-1", "x", "9999999"]) {
        const all = await root.api("GET", `/api/${kind}/search?keyword=many&limit=${unfit}`);
        expect(all.body.data, `${kind} ${unfit}`).toHaveLength(5_000);
      }
    }
  });
});

describe("S9: an access token", () => {
  it("guesses its owner's password no faster than a stranger", async () => {
    const url = await start({
      CRITICAL_RATE_LIMIT: "4",
      TRUSTED_PROXIES: "127.0.0.1",
      INITIAL_ROOT_PASSWORD: "roots-own-password",
    });
    const root = await signIn(url, "root", "roots-own-password");
    const token = await succeed<string>(root.api("GET", "/api/user/token"));
    const guess = async (address: string) => {
      const body = { password: "password-2", original_password: "wrong-one" };
      return (await callApi(url, "PUT", "/api/user/self", body, { token }, from(address))).status;
    };
    expect(await repeat(4, () => guess("203.0.113.9"))).toEqual([200, 200, 200, 200]);
    expect(await guess("203.0.113.9")).toBe(429);
  });
});

describe("S11: the right password", () => {
  const PASSWORD = "roots-own-password";

  it("is let in from a known device, and from where root is signed in, however often strangers guess wrong", async () => {
    const url = await start({
      CRITICAL_RATE_LIMIT: "4",
      TRUSTED_PROXIES: "127.0.0.1",
      INITIAL_ROOT_PASSWORD: PASSWORD,
    });
    const logIn = (password: string, address: string, cookie?: string) =>
      callApi(
        url,
        "POST",
        "/api/user/login",
        { username: "root", password },
        cookie === undefined ? {} : { cookie },
        from(address),
      );
    const signedIn = await logIn(PASSWORD, "203.0.113.1");
    expect(signedIn.body.success).toBe(true);
    const device = cookiesOf(signedIn).split("; ")[1] ?? "";
    expect(device).toMatch(/^device=/);

    for (let i = 0; i < 8; i += 1) await logIn(`guess-${i}`, `198.51.100.${i % 2}`);
    // From another address, the owner cannot be told from a guesser.
    expect((await logIn(PASSWORD, "192.0.2.1")).status).toBe(429);
    expect((await logIn(PASSWORD, "192.0.2.1", "device=forged")).status).toBe(429);
    expect((await logIn(PASSWORD, "192.0.2.1", device)).body.success).toBe(true);
    expect((await logIn(PASSWORD, "203.0.113.1")).body.success).toBe(true);
    // Behind a proxy that is not configured, strangers and root share an address and its limit.
    for (let i = 0; i < 8; i += 1) await logIn(`guess-${i}`, "203.0.113.1");
    expect((await logIn(PASSWORD, "203.0.113.1")).status).toBe(429);
    expect((await logIn(PASSWORD, "203.0.113.1", device)).body.success).toBe(true);
    // Guesses on the device itself count as well.
    for (let i = 0; i < 8; i += 1) await logIn(`guess-${i}`, "192.0.2.2", device);
    expect((await logIn(PASSWORD, "192.0.2.2", device)).status).toBe(429);
  });
});

describe("S3: names as long as a body may be", () => {
  it("are refused like any other wrong one, before they are counted or hashed", async () => {
    const url = await start({ CRITICAL_RATE_LIMIT: "4" });
    const login = (username: string, password: string) =>
      callApi(url, "POST", "/api/user/login", { username, password });
    const wrong = await login("root", "wrong-password");
    for (let i = 0; i < 20; i += 1) {
      const [name, password] = [`${i}${"x".repeat(60_000)}`, "password-1"];
      const answer = i % 2 === 0 ? await login(name, password) : await login("root", name);
      expect([answer.status, answer.text]).toEqual([200, wrong.text]);
    }
  });
});

describe("S3: addresses of one IPv6 network", () => {
  it("are one caller", async () => {
    const url = await start({ GLOBAL_API_RATE_LIMIT: "3", TRUSTED_PROXIES: "127.0.0.1" });
    const calls = [
      "2001:db8::1",
      "[2001:db8::2]:80",
      "2001:db8:0:0:ffff::3",
      "2001:db8::4",
      "2001:db8:0:1::1",
    ];
    const statuses: number[] = [];
    for (const address of calls) statuses.push(await status(url, "/api/status", from(address)));
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
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
    // Until the oldest call is 20 minutes old.
    expect(Number(refused.headers.get("retry-after"))).toSatisfy((wait) => wait > 1100 && wait <= 1200);
    const password = await callApi(url, "POST", "/api/user/login", { username: "root", password: "123456" });
    expect(Number(password.headers.get("retry-after"))).toSatisfy((wait) => wait > 1100 && wait <= 1200);
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
