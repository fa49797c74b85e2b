import { BLANK_USER } from "@tollgate/testkit/contract-double/stored-rows";
import { createDataDir, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Credentials, callApi, saveOptions, signIn, succeed } from "./client";
import { changeStoredData } from "./database";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, PASSWORD, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";

let world: ManagementWorld;

const self = (credentials: Credentials) =>
  callApi(world.url, "GET", "/api/user/self", undefined, credentials);

beforeAll(async () => {
  world = await startManagementWorld();
  const accessToken = await succeed<string>(world.user.api("GET", "/api/user/token"));
  world.callers["user by raw token"] = () => ({ token: accessToken });
  world.callers["user by bearer token"] = () => ({ token: `Bearer ${accessToken}` });
  world.callers["wrong token"] = () => ({ token: "0123456789abcdef0123456789abcdef" });
  world.callers["empty token"] = () => ({ token: "Bearer " });
  world.callers["user with a wrong token beside"] = () => ({ cookie: world.user.cookie, token: "nonsense" });
  world.callers["forged cookie"] = () => ({ cookie: "session=forged" });
});

afterAll(() => world?.stop());

describeRows("who somebody is", () => world, [
  ...["user by raw token", "user by bearer token", "user with a wrong token beside"].map(
    (who): Row => ({
      who,
      method: "GET",
      path: "/api/user/self",
      success: true,
      data: { id: "{userId}", username: "user", password: "", verification_code: "" },
    }),
  ),
  ...["wrong token", "empty token"].map(
    (who): Row => ({
      who,
      method: "GET",
      path: "/api/user/self",
      success: false,
      says: "access token 无效",
    }),
  ),
  {
    who: "forged cookie",
    method: "GET",
    path: "/api/user/self",
    status: 401,
    success: false,
    says: "未登录",
  },
  {
    title: "a token has its owner's rights and no more",
    who: "user by raw token",
    method: "GET",
    path: "/api/user/",
    success: false,
    says: "权限不足",
  },
]);

const login = (body: unknown, says: string): Row => ({
  who: "guest",
  method: "POST",
  path: "/api/user/login",
  body,
  success: false,
  says,
});

const WRONG = "用户名或密码错误，或用户已被封禁";

describeRows("signing in is refused, always with the same words", () => world, [
  login({ username: "user", password: "wrong-password" }, WRONG),
  login({ username: "nobody", password: PASSWORD }, WRONG),
  login({ username: "banned", password: PASSWORD }, WRONG),
  login({ username: "USER", password: PASSWORD }, WRONG),
  login({ username: "user ", password: PASSWORD }, WRONG),
  login({ username: "user", password: "x".repeat(60_000) }, WRONG),
  login({ username: "' OR 1=1 --", password: "' OR 1=1 --" }, WRONG),
  login({ username: "", password: PASSWORD }, "无效的参数"),
  login({ username: "user", password: "" }, "无效的参数"),
  login({ username: "user" }, "无效的参数"),
  login({ username: ["user"], password: PASSWORD }, "无效的参数"),
  login({ username: "user", password: { $ne: 1 } }, "无效的参数"),
]);

const edit = (body: unknown, more: Partial<Row>): Row => ({
  who: "user",
  method: "PUT",
  path: "/api/user/self",
  body,
  success: false,
  ...more,
});

describeRows("one's own account", () => world, [
  edit({ username: "thirteen-long" }, { says: /输入不合法|无效的参数/ }),
  edit({ username: "a b" }, { says: "空白或控制字符" }),
  edit({ username: "root" }, { says: "用户名已被占用" }),
  edit({ username: 7 }, { says: "无效的参数" }),
  edit({ display_name: "x".repeat(21) }, { says: /输入不合法|无效的参数/ }),
  edit({ password: "1234567" }, { says: /密码长度|无效的参数/ }),
  edit({ password: "x".repeat(21) }, { says: /密码长度|无效的参数/ }),
  edit({ display_name: "half", password: "short" }, { says: /密码长度|无效的参数/ }),
  edit({ username: "a\u0000" }, { says: "无效的参数" }),
  edit({ username: "", display_name: "", password: "" }, { title: "empty stays", success: true }),
  edit({ username: null, display_name: null, password: null }, { title: "null stays", success: true }),
  edit(
    {
      id: 1,
      role: 100,
      status: 1,
      quota: 1e9,
      used_quota: 0,
      request_count: 0,
      group: "svip",
      email: "stolen@example.com",
      github_id: "1",
      wechat_id: "w",
      access_token: "0123456789abcdef0123456789abcdef",
      aff_code: "ABCD",
      inviter_id: 1,
      verification_code: "",
    },
    { title: "nothing but names and password can be changed", success: true },
  ),
  edit(
    { display_name: "👋".repeat(20) },
    { title: "names count characters", success: true, changes: ["users"] },
  ),
  edit(
    { display_name: "<b>x</b>" },
    { title: "a name may look like markup", success: true, changes: ["users"] },
  ),
  {
    who: "user",
    method: "GET",
    path: "/api/user/self/",
    success: true,
    data: { display_name: "<b>x</b>", role: 1, quota: 0, group: "default" },
  },
]);

describe("an account", () => {
  it("signs in with the fields that the contract names, and nothing else", async () => {
    const person = await world.newUser({ quota: 777 });
    const answer = await callApi(world.url, "POST", "/api/user/login/", {
      username: person.username,
      password: PASSWORD,
    });
    expect(answer.body.data).toEqual({
      ...BLANK_USER,
      id: person.id,
      username: person.username,
      display_name: person.username,
      role: 1,
      status: 1,
    });
  });

  it("is signed out on the server, not only in the browser", async () => {
    const person = await world.newUser();
    expect((await person.api("GET", "/api/user/logout")).body).toEqual({ success: true, message: "" });
    expect((await person.api("GET", "/api/user/self")).status).toBe(401);
  });

  it("keeps its session over a restart-proof id, not over the name", async () => {
    const person = await world.newUser();
    await succeed(person.api("PUT", "/api/user/self", { username: "other-name" }));
    expect((await person.api("GET", "/api/user/self")).body.data).toMatchObject({ username: "other-name" });
    await expect(signIn(world.url, person.username, PASSWORD)).rejects.toThrow(WRONG);
    await signIn(world.url, "other-name", PASSWORD);
  });

  it("that changes its password stays signed in here and is signed out everywhere else", async () => {
    const person = await world.newUser();
    const elsewhere = await signIn(world.url, person.username, PASSWORD);
    await succeed(person.api("PUT", "/api/user/self", { password: "password-2" }));
    expect((await elsewhere.api("GET", "/api/user/self")).status).toBe(401);
    expect((await person.api("GET", "/api/user/self")).status).toBe(200);
    await expect(signIn(world.url, person.username, PASSWORD)).rejects.toThrow(WRONG);
    await signIn(world.url, person.username, "password-2");
  });

  it("has an access token of 32 hex characters that a new one replaces at once", async () => {
    const person = await world.newUser();
    const first = await succeed<string>(person.api("GET", "/api/user/token"));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect((await person.api("GET", "/api/user/self")).body.data).toMatchObject({ access_token: first });
    const second = await succeed<string>(person.api("GET", "/api/user/token"));
    expect((await self({ token: first })).body.message).toContain("access token 无效");
    expect((await self({ token: second })).body.data).toMatchObject({ id: person.id });
    // No other user ever sees it.
    for (const path of [
      `/api/user/${person.id}`,
      "/api/user/?p=0",
      `/api/user/search?keyword=${person.username}`,
    ]) {
      expect((await world.root.api("GET", path)).text).not.toContain(second);
    }
  });

  it("has an invite code that stays", async () => {
    const code = await succeed<string>(world.root.api("GET", "/api/user/aff"));
    expect(code).toMatch(/^[0-9A-Za-z]{4,32}$/);
    expect(await succeed(world.root.api("GET", "/api/user/aff/"))).toBe(code);
  });

  it("that deletes itself is gone with everything it could sign in with", async () => {
    const person = await world.newUser();
    const accessToken = await succeed<string>(person.api("GET", "/api/user/token"));
    await succeed(person.api("POST", "/api/token/", { name: "n" }));
    await succeed(person.api("DELETE", "/api/user/self"));
    expect((await person.api("GET", "/api/user/self")).status).toBe(401);
    expect((await self({ token: accessToken })).body.message).toContain("access token 无效");
    await expect(signIn(world.url, person.username, PASSWORD)).rejects.toThrow(WRONG);
    expect(world.stored.all("SELECT id FROM tokens WHERE user_id = ?", person.id)).toEqual([]);
  });

  it("cannot sign in with a password while that is switched off", async () => {
    await saveOptions(world.root, { PasswordLoginEnabled: "false" });
    await expect(signIn(world.url, "user", PASSWORD)).rejects.toThrow("管理员关闭了密码登录");
    await saveOptions(world.root, { PasswordLoginEnabled: "true" });
    await signIn(world.url, "user", PASSWORD);
  });

  it("is told in its language", async () => {
    const answer = await callApi(
      world.url,
      "GET",
      "/api/user/self",
      undefined,
      {},
      { "accept-language": "en-US,en;q=0.9" },
    );
    expect(answer.body.message).toMatch(/not signed in/);
    expect(answer.status).toBe(401);
  });
});

describe("S9: an access token", () => {
  const isRefused = (message: string | undefined): boolean =>
    /请(先)?重新登录|请登录后修改/.test(message ?? "");

  it("binds nothing, deletes nothing and changes neither name nor password of its owner", async () => {
    const person = await world.newUser();
    const token = await succeed<string>(person.api("GET", "/api/user/token"));
    const refusals: (string | undefined)[] = [];
    for (const [method, path, body] of [
      ["GET", "/api/oauth/email/bind?email=thief@example.com&code=000000"],
      ["GET", "/api/oauth/wechat/bind?code=good-1"],
      ["DELETE", "/api/user/self"],
      ["PUT", "/api/user/self", { password: "password-2" }],
      ["PUT", "/api/user/self", { username: "thief" }],
    ] as const) {
      refusals.push((await callApi(world.url, method, path, body, { token })).body.message);
    }
    expect(refusals.filter((message) => !isRefused(message))).toEqual([]);
    // What takes no account over goes on.
    const { body } = await callApi(world.url, "PUT", "/api/user/self", { display_name: "Me" }, { token });
    expect(body.success).toBe(true);
    await signIn(world.url, person.username, PASSWORD);
  });

  it("of root changes neither its own access nor who can sign in", async () => {
    const token = await succeed<string>(world.root.api("GET", "/api/user/token"));
    const put = async (path: string, body: unknown) =>
      (await callApi(world.url, "PUT", path, body, { token })).body;
    for (const change of [{ password: "password-2" }, { username: "thief" }])
      expect(isRefused((await put("/api/user/", { id: 1, ...change })).message)).toBe(true);
    for (const key of ["SMTPServer", "SMTPToken", "ServerAddress", "WeChatServerAddress"])
      expect(isRefused((await put("/api/option/", { key, value: "thief" })).message)).toBe(true);
    expect((await put("/api/user/", { id: 1, display_name: "Root" })).success).toBe(true);
    expect((await put("/api/option/", { key: "RetryTimes", value: "0" })).success).toBe(true);
    await signIn(world.url, "root", "123456");
  });

  it("does not outlive the password that it was made under", async () => {
    const person = await world.newUser();
    const token = await succeed<string>(person.api("GET", "/api/user/token"));
    await succeed(person.api("PUT", "/api/user/self", { password: "password-2" }));
    expect((await self({ token })).body.message).toContain("access token 无效");
    const next = await succeed<string>(person.api("GET", "/api/user/token"));
    await succeed(world.root.api("PUT", "/api/user/", { id: person.id, password: "password-3" }));
    expect((await self({ token: next })).body.message).toContain("access token 无效");
  });
});

describe("one's own password", () => {
  it("needs the current password for a new one, or a sign-in a short while ago", async () => {
    const dataDir = createDataDir();
    const first = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    const fresh = await signIn(first.url, "root", "123456");
    await succeed(fresh.api("PUT", "/api/user/self", { password: "password-1" }));
    const accessToken = await succeed<string>(fresh.api("GET", "/api/user/token"));
    await first.stop();
    // The same session, sixteen minutes later.
    changeStoredData(dataDir, "UPDATE sessions SET created_time = created_time - ?", 960);
    const second = await startServer({ dataDir, env: { LOG_LEVEL: "error" } });
    const change = async (body: Record<string, string>, credentials: { cookie?: string; token?: string }) =>
      (await callApi(second.url, "PUT", "/api/user/self", body, credentials)).body.message;
    const old = { cookie: fresh.cookie };
    expect(await change({ password: "password-2" }, old)).toContain("请重新登录");
    expect(await change({ password: "password-2" }, { token: accessToken })).toContain("请重新登录");
    expect(await change({ password: "password-2", original_password: "wrong-one" }, old)).toBe(
      "当前密码错误",
    );
    // S9: what else hands the account over waits for a sign-in as well.
    const ask = async (method: string, path: string, body?: unknown) =>
      (await callApi(second.url, method, path, body, old)).body.message;
    expect(await change({ username: "other" }, old)).toContain("请重新登录");
    expect(await ask("PUT", "/api/user/", { id: 1, password: "password-2" })).toContain("请重新登录");
    expect(await ask("GET", "/api/oauth/email/bind?email=a@example.com&code=1")).toContain(
      "请先确认是你本人",
    );
    expect(await ask("GET", "/api/oauth/wechat/bind?code=a")).toContain("请先确认是你本人");
    await signIn(second.url, "root", "password-1");
    expect(await change({ display_name: "Root" }, old)).toBe("");
    expect(await change({ password: "password-2", original_password: "password-1" }, old)).toBe("");
    await signIn(second.url, "root", "password-2");
    await second.stop();
  });
});
