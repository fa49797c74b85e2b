import { type ApiAnswer, cookiesOf } from "@tollgate/demo/api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appCode, waitForFreshCode } from "../../authenticator";
import { callApi, saveOptions, succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, startManagementWorld } from "./management-world";
import { type StandIn, startStandIn } from "./stand-in";

let world: ManagementWorld;
let github: StandIn;
let wechat: StandIn;
let turnstile: StandIn;
/** Who GitHub says signed in; undefined for an answer without a user. */
let githubUser: Record<string, unknown> | undefined;
let isGithubDown = false;
const usedTokens = new Set<string>();

const OCTO = { id: 583231, login: "octocat", name: "The Octocat", email: "octo@example.com" };

beforeAll(async () => {
  githubUser = OCTO;
  github = await startStandIn(({ path, body }) => {
    if (isGithubDown) return { status: 500, body: "<h1>down</h1>" };
    if (path === "/login/oauth/access_token") {
      return JSON.parse(body).code === "good"
        ? { body: { access_token: "github-grant", token_type: "bearer" } }
        : { body: { error: "bad_verification_code" } };
    }
    return { body: githubUser ?? { message: "Bad credentials" } };
  });
  wechat = await startStandIn(({ path, headers }) => {
    if (headers.authorization !== "wechat-secret") return { status: 401, body: { success: false } };
    const code = new URL(path, "http://x").searchParams.get("code");
    return code?.startsWith("good")
      ? { body: { success: true, message: "", data: `wechat-${code}` } }
      : { body: { success: false, message: "<b>internal words</b>", data: "" } };
  });
  turnstile = await startStandIn(({ body }) => {
    const form = new URLSearchParams(body);
    const token = form.get("response") ?? "";
    if (token === "broken") return { body: "<h1>no JSON</h1>" };
    const isGood = token.startsWith("human") && !usedTokens.has(token);
    // Cloudflare takes each token once.
    usedTokens.add(token);
    return { body: { success: isGood && form.get("secret") === "turnstile-secret" } };
  });
  world = await startManagementWorld({
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.url,
    TURNSTILE_URL: turnstile.url,
  });
  world.secrets.push("github-secret", "wechat-secret", "turnstile-secret", "github-grant");
});

afterAll(async () => {
  await world?.stop();
  for (const standIn of [github, wechat, turnstile]) await standIn?.close();
});

/** Asks for a state and comes back from GitHub with it. */
const comeBack = async (code: string, cookie = ""): Promise<ApiAnswer> => {
  const asked = await callApi(world.url, "GET", "/api/oauth/state", undefined, { cookie });
  const both = [cookie, cookiesOf(asked)].filter((each) => each !== "").join("; ");
  return callApi(world.url, "GET", `/api/oauth/github?code=${code}&state=${asked.body.data}`, undefined, {
    cookie: both,
  });
};

describe("GitHub", () => {
  it("is asked only with the state that this browser was given", async () => {
    const asked = await callApi(world.url, "GET", "/api/oauth/state");
    expect(asked.body.data).toMatch(/^[0-9A-Za-z]{12,}$/);
    const cookie = cookiesOf(asked);
    const tryState = (state: string, cookies: string) =>
      callApi(world.url, "GET", `/api/oauth/github?code=good&state=${state}`, undefined, { cookie: cookies });
    for (const answer of [
      await tryState("", cookie),
      await tryState("wrong", cookie),
      await tryState(String(asked.body.data), ""),
      await tryState("", "oauth_state="),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        403,
        { success: false, message: "state is empty or not same" },
      ]);
    }
    expect(github.requests).toEqual([]);
  });

  it("is not asked with the state of another session, or of none", async () => {
    const { cookie } = world.user;
    const [ofGuest, ofUser] = await Promise.all([
      callApi(world.url, "GET", "/api/oauth/state"),
      callApi(world.url, "GET", "/api/oauth/state", undefined, { cookie }),
    ]);
    const comeWith = (asked: ApiAnswer, session: string) =>
      callApi(world.url, "GET", `/api/oauth/github?code=good&state=${asked.body.data}`, undefined, {
        cookie: [session, cookiesOf(asked)].filter((each) => each !== "").join("; "),
      });
    for (const answer of [
      await comeWith(ofGuest, cookie),
      await comeWith(ofUser, world.other.cookie),
      await comeWith(ofUser, ""),
      await comeWith({ ...ofGuest, body: { ...ofGuest.body, data: "x" } }, ""),
    ])
      expect([answer.status, answer.body.message]).toEqual([403, "state is empty or not same"]);
    expect(github.requests).toEqual([]);
  });

  it("is off until it is switched on", async () => {
    expect((await comeBack("good")).body.message).toBe("管理员未开启通过 GitHub 登录以及注册");
    await saveOptions(world.root, {
      GitHubClientId: "github-id",
      GitHubClientSecret: "github-secret",
      GitHubOAuthEnabled: "true",
    });
  });

  it("registers a newcomer, and signs the same person in the next time under whatever name", async () => {
    const first = await comeBack("good");
    expect(first.body).toMatchObject({
      success: true,
      message: "",
      data: { role: 1, display_name: "The Octocat" },
    });
    const user = first.body.data as { id: number; username: string };
    expect(user.username).toMatch(/^g\w{1,11}$/);
    expect(cookiesOf(first)).toContain("session=");
    expect(JSON.parse(github.requests.find(({ method }) => method === "POST")?.body ?? "{}")).toEqual({
      client_id: "github-id",
      client_secret: "github-secret",
      code: "good",
    });
    expect(github.requests.at(-1)?.headers.authorization).toBe("Bearer github-grant");
    githubUser = { ...OCTO, login: "renamed", name: "Renamed" };
    const second = await comeBack("good");
    expect(second.body.data).toMatchObject({ id: user.id });
    // Another person who took the old login name over is another person.
    githubUser = { ...OCTO, id: 999, email: "octo@example.com", name: null };
    const stranger = await comeBack("good");
    expect((stranger.body.data as { id: number }).id).not.toBe(user.id);
    expect(stranger.body.data).toMatchObject({ display_name: "GitHub User" });
    const owners = world.stored.all("SELECT id FROM users WHERE email = 'octo@example.com'");
    expect(owners).toHaveLength(1);
  });

  it("takes a state once", async () => {
    const used = await comeBack("good");
    expect(used.headers.getSetCookie().join()).toMatch(/oauth_state=;/);
  });

  it("is bound to the signed-in user with the one message that clients look at", async () => {
    githubUser = { ...OCTO, id: 4711, email: null };
    expect((await comeBack("good", world.user.cookie)).body).toEqual({ success: true, message: "bind" });
    expect(await succeed(world.user.api("GET", "/api/user/self"))).toMatchObject({ github_id: "4711" });
    const again = await comeBack("good", world.other.cookie);
    expect(again.body).toEqual({ success: false, message: "该 GitHub 账户已被绑定" });
    expect((await comeBack("good")).body.data).toMatchObject({ id: world.user.id });
  });

  it("is bound to one of two concurrent users, and again to the same user", async () => {
    githubUser = { ...OCTO, id: 4713, email: null };
    const people = [await world.newUser(), await world.newUser()];
    const answers = await Promise.all(people.map(({ cookie }) => comeBack("good", cookie)));
    expect(answers.map(({ body }) => body.message).sort()).toEqual(["bind", "该 GitHub 账户已被绑定"]);
    const winner = people[answers.findIndex(({ body }) => body.message === "bind")];
    expect((await comeBack("good", winner?.cookie)).body).toEqual({ success: true, message: "bind" });
    expect(world.stored.all("SELECT user_id FROM identities WHERE subject = '4713'")).toHaveLength(1);
  });

  it("is not bound to a user who is banned", async () => {
    githubUser = { ...OCTO, id: 4712, email: null };
    const cookie = (await world.callers.banned!()).cookie;
    const answer = await comeBack("good", cookie);
    expect(answer.body).toMatchObject({ success: false, message: "用户已被封禁" });
    expect(world.stored.all("SELECT user_id FROM identities WHERE subject = '4712'")).toEqual([]);
  });

  it("does not let a banned user in", async () => {
    githubUser = { ...OCTO, id: 4711 };
    await succeed(world.root.api("POST", "/api/user/manage", { username: "user", action: "disable" }));
    const answer = await comeBack("good");
    expect(answer.body.message).toBe("用户已被封禁");
    expect(cookiesOf(answer)).not.toContain("session=");
    await succeed(world.root.api("POST", "/api/user/manage", { username: "user", action: "enable" }));
  });

  it("lets a user with a second factor in by that alone with a code", async () => {
    await waitForFreshCode();
    githubUser = { ...OCTO, id: 90_210, email: null };
    const newcomer = await comeBack("good");
    const asUser = (path: string, body: unknown, cookie = cookiesOf(newcomer)) =>
      callApi(world.url, "POST", path, body, { cookie });
    const { secret } = await succeed<{ secret: string }>(asUser("/api/user/2fa/setup", undefined));
    await succeed(asUser("/api/user/2fa/enable", { code: appCode(secret, -1) }));
    const begun = await comeBack("good");
    expect(begun.body).toMatchObject({ success: true, data: { require_2fa: true, needs_setup: false } });
    expect(cookiesOf(begun)).not.toContain("session=");
    const done = await asUser("/api/user/login/2fa", { code: appCode(secret) }, cookiesOf(begun));
    expect(done.body).toMatchObject({
      success: true,
      data: { id: (newcomer.body.data as { id: number }).id },
    });
    await succeed(asUser("/api/user/2fa/disable", { code: appCode(secret, 1) }, cookiesOf(done)));
  });

  it("returns a sentence and creates no account when it is down, rejects the code or returns no user", async () => {
    const before = world.stored.all("SELECT id FROM users").length;
    expect((await comeBack("bad")).body.message).toBe("无法连接至 GitHub 服务器，请稍后重试！");
    expect((await comeBack("")).body.message).toBe("无效的参数");
    githubUser = undefined;
    expect((await comeBack("good")).body.message).toBe("返回值非法，用户字段为空，请稍后重试！");
    isGithubDown = true;
    expect((await comeBack("good")).body.message).toBe("无法连接至 GitHub 服务器，请稍后重试！");
    isGithubDown = false;
    expect(world.stored.all("SELECT id FROM users").length).toBe(before);
  });

  it("registers no user while registration is off", async () => {
    await saveOptions(world.root, { RegisterEnabled: "false" });
    githubUser = { ...OCTO, id: 31337, email: null };
    expect((await comeBack("good")).body.message).toBe("管理员关闭了新用户注册");
    githubUser = { ...OCTO, id: 4711, email: null };
    expect((await comeBack("good")).body.success).toBe(true);
    await saveOptions(world.root, { RegisterEnabled: "true" });
  });
});

describe("WeChat", () => {
  const signInBy = (code: string) => callApi(world.url, "GET", `/api/oauth/wechat/?code=${code}`);

  it("registers and signs in by a code that is sent on as text", async () => {
    await saveOptions(world.root, {
      WeChatServerAddress: `${wechat.url}/`,
      WeChatServerToken: "wechat-secret",
      WeChatAuthEnabled: "true",
    });
    const first = await signInBy("good-1");
    expect(first.body.data).toMatchObject({ display_name: "WeChat User", role: 1 });
    expect((await signInBy("good-1")).body.data).toEqual(first.body.data);
    const tricky = "good%26x%3D1%23%2F..%2F";
    await signInBy(tricky);
    expect(wechat.requests.at(-1)?.path).toBe(`/api/wechat/user?code=${tricky}`);
  });

  it("refuses a wrong or missing code in our words", async () => {
    expect((await signInBy("bad")).body).toEqual({
      success: false,
      message: "验证码错误或已过期",
      field: "code",
    });
    expect((await signInBy("")).body.message).toBe("无效的参数");
  });

  it("registers people who come at once, each under a name of their own", async () => {
    const answers = await Promise.all(["a", "b", "c", "d"].map((each) => signInBy(`good-at-once-${each}`)));
    expect(answers.map(({ body }) => body.message)).toEqual(["", "", "", ""]);
    const names = answers.map(({ body }) => (body.data as { username: string }).username);
    expect(new Set(names).size).toBe(4);
  });

  it("registers no user for an ambiguous subject", async () => {
    const before = world.stored.all("SELECT id FROM users").length;
    for (const code of ["good%00", "good%0a1", `good-${"x".repeat(300)}`, "good%E2%80%8B"]) {
      const sentence = "返回值非法，用户字段为空，请稍后重试！";
      expect((await signInBy(code)).body).toEqual({ success: false, message: sentence });
      const bound = await world.user.api("GET", `/api/oauth/wechat/bind?code=${code}`);
      expect(bound.body.message).toBe(sentence);
    }
    expect(world.stored.all("SELECT id FROM users").length).toBe(before);
  });

  it("whose user was deleted is a newcomer again", async () => {
    const { id } = (await signInBy("good-9")).body.data as { id: number };
    await succeed(world.root.api("DELETE", `/api/user/${id}`));
    const again = (await signInBy("good-9")).body.data as { id: number };
    expect(again.id).toBeGreaterThan(id);
  });

  it("whose user was deleted gets no gift again", async () => {
    await saveOptions(world.root, { QuotaForNewUser: "5000" });
    const quotaOf = (id: number) => world.stored.all("SELECT quota FROM users WHERE id = ?", id);
    const { id } = (await signInBy("good-gift")).body.data as { id: number };
    expect(quotaOf(id)).toEqual([{ quota: 5000 }]);
    await succeed(world.root.api("DELETE", `/api/user/${id}`));
    const again = (await signInBy("good-gift")).body.data as { id: number };
    expect(quotaOf(again.id)).toEqual([{ quota: 0 }]);
    const other = (await signInBy("good-other")).body.data as { id: number };
    expect(quotaOf(other.id)).toEqual([{ quota: 5000 }]);
    await saveOptions(world.root, { QuotaForNewUser: "0" });
  });

  it("is bound once", async () => {
    const bound = await world.user.api("GET", "/api/oauth/wechat/bind?code=good-2");
    expect(bound.body).toEqual({ success: true, message: "" });
    expect(await succeed(world.user.api("GET", "/api/user/self"))).toMatchObject({
      wechat_id: "wechat-good-2",
    });
    expect((await world.other.api("GET", "/api/oauth/wechat/bind?code=good-2")).body.message).toBe(
      "该微信账户已被绑定",
    );
  });

  it("that cannot be reached gives a sentence without its address", async () => {
    await saveOptions(world.root, { WeChatServerAddress: "http://127.0.0.1:9" });
    const answer = await signInBy("good-1");
    expect(answer.body).toEqual({ success: false, message: "无法连接至微信登录服务器，请稍后重试" });
    await saveOptions(world.root, { WeChatServerAddress: wechat.url });
  });
});

describe("Turnstile", () => {
  it("is switched on", async () => {
    await saveOptions(world.root, {
      TurnstileSiteKey: "site",
      TurnstileSecretKey: "turnstile-secret",
      TurnstileCheckEnabled: "true",
    });
  });
});

describeRows(
  "Turnstile stands before",
  () => world,
  [
    { method: "GET", path: "/api/verification?email=nowhere" },
    { method: "GET", path: "/api/reset_password?email=nowhere" },
    { method: "POST", path: "/api/user/register?x=1", body: { username: "", password: "x" } },
  ].flatMap(({ path, ...call }, index) => [
    { ...call, who: "guest", path, success: false, says: "Turnstile token 为空" },
    { ...call, who: "guest", path: `${path}&turnstile=robot`, success: false, says: "Turnstile 校验失败" },
    {
      ...call,
      who: "guest",
      path: `${path}&turnstile=broken`,
      success: false,
      says: "无法完成 Turnstile 校验",
    },
    {
      ...call,
      who: "guest",
      path: `${path}&turnstile=human-${index}`,
      success: false,
      says: /无效的参数|输入不合法/,
    },
    // A token is used up by its check.
    {
      ...call,
      who: "guest",
      path: `${path}&turnstile=human-${index}`,
      success: false,
      says: "Turnstile 校验失败",
    },
    { ...call, who: "user", path, success: false, says: "Turnstile token 为空" },
  ]),
);

describe("a passed check", () => {
  const ask = (path: string, cookie = "", headers: Record<string, string> = {}) =>
    callApi(world.url, "GET", path, undefined, { cookie }, headers);

  it("holds for the next calls of the same browser, as registering with a mailed code needs it", async () => {
    const first = await ask("/api/verification?email=nowhere&turnstile=human-twice");
    expect(first.body.message).toMatch(/无效的参数|输入不合法/);
    const cookie = cookiesOf(first);
    expect(first.headers.getSetCookie().join()).toMatch(/human=.*Max-Age=600.*HttpOnly/);
    const register = await callApi(
      world.url,
      "POST",
      "/api/user/register?turnstile=human-twice",
      { username: "", password: "x" },
      { cookie },
    );
    expect(register.body.message).not.toContain("Turnstile");
    expect((await ask("/api/verification?email=nowhere&turnstile=human-twice")).body.message).toBe(
      "Turnstile 校验失败，请刷新重试！",
    );
  });

  it("cannot be made, stretched or handed on", async () => {
    const cookie = cookiesOf(await ask("/api/verification?email=nowhere&turnstile=human-thrice"));
    const [, until = "", hash = ""] = /human=(\d+)\.([\w-]+)/.exec(cookie) ?? [];
    expect(hash).not.toBe("");
    const forged = [
      `human=${until}`,
      `human=${Number(until) + 60}.${hash}`,
      `human=${until}.${hash.slice(0, -1)}`,
      `human=9999999999.${hash}`,
      "human=true",
      `human=${Number(until) - 1200}.${hash}`,
    ];
    for (const each of forged)
      expect((await ask("/api/verification?email=nowhere", each)).body.message).toBe("Turnstile token 为空");
    expect((await ask("/api/verification?email=nowhere", cookie)).body.message).not.toContain("Turnstile");
  });
});

describe("Turnstile's server", () => {
  it("is sent the secret, the response and the caller's address", () => {
    const form = new URLSearchParams(turnstile.requests.at(-1)?.body);
    expect(Object.fromEntries(form)).toMatchObject({ secret: "turnstile-secret", remoteip: "127.0.0.1" });
  });
});
