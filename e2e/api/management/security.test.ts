import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { createDataDir, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, signIn, succeed } from "./client";
import { changeStoredData, openStoredData } from "./database";
import { describeRows } from "./describe-rows";
import { EXTRA_CALLS } from "./extra-methods";
import { type ManagementWorld, PASSWORD, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

describe("every answer to a browser", () => {
  it.each([
    "/api/status",
    "/api/user/self",
    "/api/nothing",
    "/",
    "/channel/edit/1",
    "/logo.png",
    "/assets/none.js",
  ])("%s may run, frame and be framed by nothing foreign", async (path) => {
    const { headers } = await callApi(world.url, "GET", path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("server")).toBeNull();
  });

  it("of /api is never cached, and tells its request id in the contract's form", async () => {
    for (const path of ["/api/status", "/api/user/self", "/api/nothing"]) {
      const { headers } = await callApi(world.url, "GET", path);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-oneapi-request-id")).toMatch(/^\d{14}\d{1,9}[0-9A-Za-z]{8}$/);
      expect(headers.get("content-type")).toContain("application/json");
    }
  });

  it("of /api can be read by no other site's page", async () => {
    const { headers } = await callApi(
      world.url,
      "GET",
      "/api/status",
      undefined,
      {},
      { origin: "https://evil.example" },
    );
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });
});

describe("the session cookie", () => {
  it("lasts 30 days, out of reach of scripts and of other sites' forms", async () => {
    const { headers } = await callApi(world.url, "POST", "/api/user/login", {
      username: "user",
      password: PASSWORD,
    });
    const [cookie = ""] = headers.getSetCookie();
    expect(cookie).toMatch(/^session=[\w-]{43}; /);
    expect(cookie).toContain("HttpOnly");
    expect(cookie).toContain("SameSite=Lax");
    expect(cookie).toContain("Path=/");
    expect(cookie).toContain("Max-Age=2592000");
  });

  it("comes with one that remembers the device, where people sign in only", async () => {
    const { headers } = await callApi(world.url, "POST", "/api/user/login", {
      username: "user",
      password: PASSWORD,
    });
    const [, cookie = ""] = headers.getSetCookie();
    expect(cookie).toMatch(/^device=[A-Za-z\d]{22}\.[\w-]{43}; /);
    expect(cookie).toContain("HttpOnly");
    expect(cookie).toContain("SameSite=Lax");
    expect(cookie).toContain("Path=/api/user/login");
    // It signs no user in.
    const device = { cookie: cookie.split(";")[0] ?? "" };
    expect((await callApi(world.url, "GET", "/api/user/self", undefined, device)).status).toBe(401);
  });

  it("is taken back at the end", async () => {
    const person = await world.newUser();
    const { headers } = await person.api("GET", "/api/user/logout");
    expect(headers.getSetCookie().join()).toMatch(/^session=;.*(Max-Age=0|1970)/);
  });
});

const FOREIGN = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "http://127.0.0.1" },
  { origin: "nonsense" },
];

/** What browsers send for a picture of another site, for one in a text of this site, and for a link in a mail. */
const LOADS = {
  "a picture of another site": { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
  "a picture of this site": {
    ...{ "sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
    accept: "image/avif,image/webp,*/*",
  },
  "a link in a mail": {
    ...{ "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
    accept: "text/html,*/*",
  },
};

describeRows("another site's page cannot act with the cookie", () => world, [
  ...(
    [
      ["POST", "/api/user/login", { username: "user", password: PASSWORD }],
      ["POST", "/api/user/register", { username: "forged", password: PASSWORD }],
      ["PUT", "/api/user/self", { display_name: "forged" }],
      ["DELETE", "/api/user/self", undefined],
      ["POST", "/api/user/", { username: "forged", password: PASSWORD }],
      ["POST", "/api/user/manage", { username: "user", action: "delete" }],
      ["DELETE", "/api/user/{userId}", undefined],
      ["POST", "/api/token/", { name: "forged" }],
      ["DELETE", "/api/token/{userApiKey}", undefined],
      ["DELETE", "/api/channel/disabled", undefined],
      ["POST", "/api/redemption/", { name: "forged", quota: 1 }],
      ["PUT", "/api/option/", { key: "Notice", value: "forged" }],
      ["DELETE", "/api/log/?target_timestamp=9999999999", undefined],
    ] as const
  ).flatMap(([method, path, body]) =>
    FOREIGN.map(
      (headers): Row => ({
        title: `from ${headers.origin}`,
        who: "root",
        method,
        path,
        body,
        headers,
        status: 403,
        success: false,
        says: "请求来源不被允许",
      }),
    ),
  ),
  // The calls that the contract has as GET, though they change something: an <img> would do.
  ...[
    "/api/user/token",
    "/api/user/logout",
    "/api/verification?email=a@example.com",
    "/api/reset_password?email=a@example.com",
    "/api/oauth/email/bind?email=a@example.com&code=1",
    "/api/oauth/github?code=a&state=b",
    "/api/oauth/wechat?code=a",
    "/api/oauth/wechat/bind?code=a",
    ...EXTRA_CALLS.map(({ path }) => path),
    "/api/channel/test",
    "/api/channel/test/1",
    "/api/channel/update_balance",
    "/api/channel/update_balance/1",
    "/api/channel/account/1",
  ].flatMap((path) =>
    Object.entries(LOADS).map(
      ([title, headers]): Row => ({
        title,
        who: "root",
        method: "GET",
        path,
        headers,
        status: 403,
        success: false,
        says: "请求来源不被允许",
      }),
    ),
  ),
]);

describe("the console's own page", () => {
  it("can act with the cookie", async () => {
    const headers = { origin: world.url, "sec-fetch-site": "same-origin" };
    expect(
      (await world.user.api("PUT", "/api/user/self", { display_name: "me" }, { headers })).body.success,
    ).toBe(true);
    expect((await world.user.api("GET", "/api/user/token", undefined, { headers })).body.success).toBe(true);
  });
});

describeRows("odd input", () => world, [
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
    "foo",
    ";",
  ].map(
    (type): Row => ({
      title: `any body is JSON, whatever its Content-Type says: ${JSON.stringify(type)}`,
      who: "user",
      method: "POST",
      path: "/api/token/",
      body: { name: "typed" },
      headers: { "content-type": type },
      success: true,
      changes: ["audit", "tokens"],
    }),
  ),
  {
    title: "names of JavaScript's own are names like others",
    who: "root",
    method: "POST",
    path: "/api/user/manage",
    body: { username: "__proto__", action: "disable" },
    success: false,
    says: "用户不存在",
  },
  { who: "root", method: "GET", path: "/api/user/__proto__", success: false, says: "记录不存在" },
  {
    who: "user",
    method: "PUT",
    path: "/api/user/self",
    body: '{"__proto__":{"role":100},"constructor":{"prototype":{"role":100}}}',
    success: true,
  },
  { who: "user", method: "GET", path: "/api/option/", success: false, says: "权限不足" },
  {
    who: "root",
    method: "PUT",
    path: "/api/option/",
    body: '{"key":"constructor","value":"x"}',
    success: true,
    changes: ["options", "audit"],
  },
  ...["/api/nothing", "/api/user/self/more", "/api//user/self", "/apifoo", "/api/", "/api"].map(
    (path): Row => ({
      title: "an unknown path has the contract's error object",
      who: "root",
      method: "GET",
      path,
      status: 404,
      shows: [`"message":"Invalid URL (GET ${path})"`, '"type":"invalid_request_error"'],
    }),
  ),
  ...["POST", "PUT", "DELETE", "PATCH"].map(
    (method): Row => ({
      title: "a method that a path does not have",
      who: "root",
      method,
      path: "/api/status",
      status: 404,
      shows: [`Invalid URL (${method} /api/status)`],
    }),
  ),
  ...["/api/user/%ZZ", "/api/%C0%80", "/api/token/search?keyword=%ZZ"].map(
    (path): Row => ({
      title: "an address that cannot be decoded tells nothing of the inside",
      who: "root",
      method: "GET",
      path,
      ...(path.includes("?") ? { success: true } : { status: 404, shows: ["Invalid URL"] }),
    }),
  ),
]);

describe("a body that is too large", () => {
  it("is refused by its announced length, before it is sent", async () => {
    const { host, hostname, port } = new URL(world.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const head = `PUT /api/option/ HTTP/1.1\r\nHost: ${host}\r\nCookie: ${world.root.cookie}\r\n`;
      const socket = connect(Number(port), hostname, () =>
        socket.write(`${head}Content-Length: 5000000\r\n\r\n`),
      );
      socket.once("data", (chunk: Buffer) => {
        socket.destroy();
        resolve(chunk.toString());
      });
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('{"success":false,"message":"');
  });
});

describe("the data folder", () => {
  /** Cost 10, as one-api writes it. */
  const BCRYPT = "$2a$10$cssGYjsjc5VXr7WYtJTq4O9cVQweU.g68kkEXgPghVWsilDLwq9Am";

  it("holds no key, token, cookie or password in clear", async () => {
    await addChannel(world.root, { key: "sk-very-secret-channel-key", base_url: "https://example.com" });
    const { key } = await addApiKey(world.user, { name: "sealed" });
    const accessToken = await succeed<string>(world.user.api("GET", "/api/user/token"));
    const bytes = readdirSync(world.server.dataDir)
      .filter((name) => name.startsWith("tollgate.db"))
      .map((name) => readFileSync(join(world.server.dataDir, name)).toString("latin1"))
      .join("");
    expect(bytes).toContain("person");
    for (const secret of [
      "sk-very-secret-channel-key",
      key,
      accessToken,
      world.user.cookie.slice(8, 51),
      PASSWORD,
    ]) {
      expect(bytes.includes(secret), secret).toBe(false);
    }
  });

  it("lets accounts of one-api in: a bcrypt hash is accepted and replaced at the next sign-in", async () => {
    const dataDir = createDataDir();
    const first = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    const root = await signIn(first.url, "root", "123456");
    await succeed(root.api("POST", "/api/user/", { username: "veteran", password: "password-9" }));
    const ended = await signIn(first.url, "veteran", "password-9");
    await succeed(ended.api("GET", "/api/user/logout"));
    const late = await signIn(first.url, "veteran", "password-9");
    await first.stop();

    changeStoredData(dataDir, "UPDATE users SET password_hash = ? WHERE username = 'veteran'", BCRYPT);
    const second = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    await expect(signIn(second.url, "veteran", "password-9")).rejects.toThrow();
    await signIn(second.url, "veteran", PASSWORD);
    const stored = openStoredData(dataDir);
    const [row] = stored.all<{ password_hash: string }>(
      "SELECT password_hash FROM users WHERE username = 'veteran'",
    );
    stored.close();
    expect(row?.password_hash).toMatch(/^\$argon2id\$/);
    await signIn(second.url, "veteran", PASSWORD);

    // A sign-in outlives the process, an ended one stays ended.
    const self = async (cookie: string) =>
      (await callApi(second.url, "GET", "/api/user/self", undefined, { cookie })).status;
    expect([await self(root.cookie), await self(late.cookie), await self(ended.cookie)]).toEqual([
      200, 200, 401,
    ]);
    await second.stop();

    changeStoredData(dataDir, "UPDATE sessions SET expires_time = 1000");
    const third = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    const { status } = await callApi(third.url, "GET", "/api/user/self", undefined, { cookie: root.cookie });
    await third.stop();
    expect(status).toBe(401);
  });
});
