import { asksForPresence } from "@tollgate/contract/resource/endpoint";
import { cookiesOf } from "@tollgate/demo/api-client";
import { addUser } from "@tollgate/demo/build-world";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appCode, waitForFreshCode } from "../../authenticator";
import { type Credentials, callApi, signIn, succeed } from "./client";
import { changeStoredData } from "./database";

/* Calls that give away money, secrets or other people's data, in a browser that was left open. */

const PASSWORD = "password-1";

let server: ServerProcess;
/** Sessions that began sixteen minutes ago. */
const old = { root: "", app: "" };
let accessToken: string;
let secret: string;
let userId: number;
/** An administrator. */
let deputyId: number;

beforeAll(async () => {
  const dataDir = createDataDir();
  const first = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
  const root = await signIn(first.url, "root", "123456");
  const user = await addUser(root, (name, password) => signIn(first.url, name, password), "owner", {
    password: PASSWORD,
  });
  userId = user.id;
  deputyId = (await addUser(root, (name, password) => signIn(first.url, name, password), "deputy")).id;
  await succeed(root.api("POST", "/api/user/manage", { username: "deputy", action: "promote" }));
  accessToken = await succeed<string>(root.api("GET", "/api/user/token"));
  await waitForFreshCode();
  secret = (await succeed<{ secret: string }>(user.api("POST", "/api/user/2fa/setup"))).secret;
  await succeed(user.api("POST", "/api/user/2fa/enable", { code: appCode(secret, -1) }));
  old.root = root.cookie;
  old.app = user.cookie;
  await first.stop();
  changeStoredData(dataDir, "UPDATE sessions SET created_time = created_time - ?", 960);
  server = await startServer({ dataDir, env: { LOG_LEVEL: "error", CRITICAL_RATE_LIMIT: "30" } });
});

afterAll(() => server?.stop());

const call = (method: string, path: string, body: unknown, credentials: Credentials) =>
  callApi(server.url, method, path, body, credentials);

const PROVIDER = {
  ...{ slug: "acme", name: "Acme", issuer: "https://id.example.com", client_id: "c", client_secret: "s" },
};

/** A call that is asked for presence has told nothing else. */
const NEEDED = { success: false, message: expect.stringContaining("请先确认是你本人"), needs: "presence" };

const confirm = (body: object, cookie: string) => call("POST", "/api/user/confirm", body, { cookie });

const ASKING = DECLARED_ENDPOINTS.filter(asksForPresence).map(({ method, path }) => [method, path] as const);

describe("a session from more than a quarter of an hour ago", () => {
  it("has many such calls", () => {
    expect(ASKING.length).toBeGreaterThan(15);
    expect(ASKING.map(([, path]) => path)).toEqual(
      expect.arrayContaining(["/api/user/token", "/api/user/export", "/api/log/export"]),
    );
  });

  it.each(ASKING)("is asked for presence before %s %s, and an access token is not", async (method, path) => {
    const at = path.replaceAll(/:\w+/g, "987654");
    const body = method === "GET" ? undefined : {};
    expect((await call(method, at, body, { cookie: old.root })).body).toEqual(NEEDED);
    // The owner of a program's token sees whatever the call says.
    if (path !== "/api/user/token")
      expect((await call(method, at, body, { token: accessToken })).body).not.toHaveProperty("needs");
  });

  it.each([
    ["another person's password", "PUT", "/api/user/", { password: "password-9" }],
    ["another person's role", "PUT", "/api/user/", { role: 10 }],
    ["a management key", "POST", "/api/user/management-key", { name: "k", permissions: ["own:read"] }],
    ["a sign-in provider", "POST", "/api/sign-in-provider/", PROVIDER],
    ["the value of a redemption code", "PUT", "/api/redemption/", { id: 1, quota: 900 }],
    ["another person's quota", "PUT", "/api/user/", { quota: 1000 }],
    ["many deletions", "POST", "/api/user/batch", { ids: [2], action: "delete" }],
    [
      "quota of many persons",
      "POST",
      "/api/user/batch",
      { ids: [2], action: "add-quota", quota: 5, reason: "r", operation: "operation-0123456789" },
    ],
    ["a promotion", "POST", "/api/user/manage", { username: "owner", action: "promote" }],
    ["a deletion", "POST", "/api/user/manage", { username: "owner", action: "delete" }],
    [
      "an option that opens accounts",
      "PUT",
      "/api/option/",
      { key: "SecondFactorRequired", value: "everyone" },
    ],
  ])("is asked before %s", async (_, method, path, body) => {
    expect((await call(method, path, { id: userId, ...body }, { cookie: old.root })).body).toEqual(NEEDED);
  });

  it("is asked before another administrator's set of permissions", async () => {
    const body = { id: deputyId, permission_set: "support" };
    expect((await call("PUT", "/api/user/", body, { cookie: old.root })).body).toEqual(NEEDED);
  });

  it("does not see its access token, which would pass everywhere", async () => {
    const own = async (credentials: Credentials) =>
      (await call("GET", "/api/user/self", undefined, credentials)).body.data as { access_token: string };
    expect((await own({ cookie: old.root })).access_token).toBe("");
    expect((await own({ token: accessToken })).access_token).toBe(accessToken);
    const fresh = await signIn(server.url, "root", "123456");
    expect((await own({ cookie: fresh.cookie })).access_token).toBe(accessToken);
  });

  it("is not asked before what can be taken back, nor by a form that changes no right and no money", async () => {
    const form = { id: userId, display_name: "Owner", quota: 7, original_quota: 7, role: 1 };
    await succeed(call("PUT", "/api/user/", form, { cookie: old.root }));
    for (const action of ["disable", "enable"])
      await succeed(call("POST", "/api/user/manage", { username: "owner", action }, { cookie: old.root }));
  });
});

describe("confirming one's presence", () => {
  it("takes the password of a user without a second factor, for this session alone", async () => {
    expect((await confirm({ password: "wrong" }, old.root)).body).toMatchObject({
      success: false,
      field: "password",
    });
    expect((await confirm({ password: "" }, old.root)).body).toMatchObject({ success: false });
    const confirmed = await confirm({ password: "123456" }, old.root);
    expect(confirmed.body).toMatchObject({ success: true });
    const presence = cookiesOf(confirmed);
    expect(presence).toMatch(/^presence=/);
    const cookie = `${old.root}; ${presence}`;
    expect((await call("GET", "/api/user/export?check=true", undefined, { cookie })).body.success).toBe(true);
    for (const action of ["promote", "demote"])
      await succeed(call("POST", "/api/user/manage", { username: "owner", action }, { cookie }));
    // The proof belongs to one session: another one's owner may be elsewhere.
    const mixed = `${old.app}; ${presence}`;
    expect((await call("GET", "/api/user/token", undefined, { cookie: mixed })).body).toEqual(NEEDED);
  });

  it("takes a code of a user with a second factor, once, and not the password", async () => {
    const cookie = old.app;
    expect((await confirm({ password: PASSWORD }, cookie)).body).toMatchObject({
      success: false,
      field: "code",
    });
    await waitForFreshCode();
    const code = appCode(secret, 1);
    const confirmed = await confirm({ code }, cookie);
    expect(confirmed.body).toMatchObject({ success: true });
    expect((await confirm({ code }, cookie)).body).toMatchObject({ success: false });
  });

  it("is refused to guests and access tokens, and after too many guesses", async () => {
    expect((await call("POST", "/api/user/confirm", { password: "123456" }, {})).status).toBe(401);
    const byToken = await call("POST", "/api/user/confirm", { password: "123456" }, { token: accessToken });
    expect(byToken.body).toMatchObject({ success: false });
    expect(cookiesOf(byToken)).toBe("");
    let status = 200;
    for (let tries = 0; tries < 60 && status === 200; tries += 1)
      status = (await confirm({ password: "guess" }, old.root)).status;
    expect(status).toBe(429);
  });
});
