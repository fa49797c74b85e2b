import { callApi } from "@tollgate/demo/api-client";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const CONSOLE = "https://console.example.com";
const FOREIGN = "https://evil.example";

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ env: { ALLOWED_ORIGINS: CONSOLE } });
});

afterAll(async () => {
  await server?.stop();
});

const preflight = (origin: string) =>
  callApi("OPTIONS", `${server.url}/api/user/login`, undefined, {
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    },
  });

const credentials = { username: "root", password: "123456" };
const logIn = (headers: Record<string, string>) =>
  callApi("POST", `${server.url}/api/user/login`, credentials, { headers });

describe("a console on an allowed origin", () => {
  it("may send JSON with cookies", async () => {
    const { status, headers } = await preflight(CONSOLE);
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe(CONSOLE);
    expect(headers.get("access-control-allow-credentials")).toBe("true");
    expect(headers.get("access-control-allow-methods")).toMatch(/GET.*POST.*PUT.*DELETE/);
    expect(headers.get("access-control-allow-headers")?.toLowerCase()).toContain("content-type");
  });

  it("may read answers and failures alike", async () => {
    for (const path of ["/api/status", "/api/user/self", "/api/nothing"]) {
      const { headers } = await callApi("GET", server.url + path, undefined, {
        headers: { origin: CONSOLE },
      });
      expect(headers.get("access-control-allow-origin")).toBe(CONSOLE);
      expect(headers.get("vary")).toBe("Origin");
    }
  });

  it("is given a cookie that reaches it from another site, and can end that session", async () => {
    const crossSite = { origin: CONSOLE, "sec-fetch-site": "cross-site" };
    const { headers } = await logIn(crossSite);
    const [cookie = ""] = headers.getSetCookie();
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/Secure/);
    expect(cookie).toMatch(/Partitioned/);
    expect(cookie).toMatch(/SameSite=None/);
    const session = { cookie: cookie.split(";")[0] ?? "", headers: crossSite };
    expect((await server.api("GET", "/api/user/self", undefined, session)).body.success).toBe(true);
    const left = await server.api("GET", "/api/user/logout", undefined, session);
    expect(left.headers.getSetCookie()[0]).toMatch(/SameSite=None/);
    expect((await server.api("GET", "/api/user/self", undefined, session)).status).toBe(401);
  });
});

describe("every other page", () => {
  it("is told nothing, and may change nothing", async () => {
    const asked = await preflight(FOREIGN);
    expect(asked.headers.get("access-control-allow-origin")).toBeNull();
    const answered = await logIn({ origin: FOREIGN, "sec-fetch-site": "cross-site" });
    expect(answered.status).toBe(403);
    expect(answered.headers.get("access-control-allow-origin")).toBeNull();
    expect(answered.headers.getSetCookie()).toEqual([]);
  });

  it("is given the cookie of this site alone", async () => {
    const [cookie = ""] = (await logIn({})).headers.getSetCookie();
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).not.toMatch(/Secure|Partitioned/);
  });
});

describe("a program that names an origin", () => {
  const write = (credentials: { cookie?: string; token?: string }) =>
    server.api(
      "PUT",
      "/api/user/self",
      { display_name: "Root" },
      {
        ...credentials,
        headers: { origin: "chrome-extension://abcdef", "sec-fetch-site": "cross-site" },
      },
    );

  it("may write with an access token, which no page can know, but not with a cookie", async () => {
    const login = await logIn({});
    const cookie = login.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const made = await server.api("GET", "/api/user/token", undefined, { cookie });
    const token = String(made.body.data);
    expect((await write({ token })).status).toBe(200);
    expect((await write({ token })).body.success).toBe(true);
    expect((await write({ cookie })).status).toBe(403);
    // A browser that sends its cookie acts with it, whatever else it sends.
    expect((await write({ cookie, token })).status).toBe(403);
    expect((await write({ cookie: "session=ended", token })).body.success).toBe(true);
    expect((await write({ token: "wrong" })).body.success).not.toBe(true);
    expect((await write({ cookie: "session=ended" })).status).toBe(401);
  });
});
