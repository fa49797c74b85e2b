import { cookiesOf } from "@tollgate/demo/api-client";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, signIn, succeed } from "./client";
import { EXTRA_STATUS_FLAGS, EXTRA_STATUS_TEXTS, EXTRA_USER_FIELDS } from "./extra-methods";
import { type ManagementWorld, PASSWORD, type Person, startManagementWorld } from "./management-world";
import { type StandIn, startStandIn } from "./stand-in";

/*
 * The contract's section 9, item by item: what a console or a script written for one-api relies on. Where another file
 * of this folder looks closer, this one shows the one thing that must not be missing.
 */

type Fields = Record<string, unknown>;

let world: ManagementWorld;
let upstream: FakeUpstream;
let github: StandIn;
let owner: Person;
let channelId: number;

const ask = async (person: Person, model: string, authorization?: string) => {
  const token = authorization ?? `Bearer sk-${(await addApiKey(person)).key}`;
  const body = { model, messages: [{ role: "user", content: "hi" }], max_tokens: 5 };
  return callApi(world.url, "POST", "/v1/chat/completions", body, { token });
};

const typesOf = (value: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, typeof member]));

const fields = (type: string, names: string): Record<string, string> =>
  Object.fromEntries((names === "" ? [] : names.split(" ")).map((name) => [name, type]));

beforeAll(async () => {
  [upstream, github] = await Promise.all([
    startFakeUpstream(),
    startStandIn(({ method }) => ({
      body: method === "POST" ? { access_token: "t" } : { id: 1, login: "x" },
    })),
  ]);
  world = await startManagementWorld({ GITHUB_URL: github.url, GITHUB_API_URL: github.url });
  channelId = await addChannel(world.root, {
    base_url: upstream.url,
    models: "gpt-3.5-turbo,gpt-4,unlisted-model,tiny-model,free-model",
  });
  owner = await world.newUser({ quota: 10_000_000 });
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
  await github?.close();
});

describe("Envelope, HTTP 200 for business errors, 401 only when unauthenticated, both slash forms", () => {
  it("answers success, message and perhaps data", async () => {
    const answer = await callApi(world.url, "GET", "/api/notice");
    expect(answer.body).toEqual({ success: true, message: "", data: "" });
    const nothing = await owner.api("PUT", "/api/user/self", {});
    expect(nothing.body).toEqual({ success: true, message: "" });
  });

  it("answers 200 to a low role and to a banned user, 401 only to a guest", async () => {
    expect((await owner.api("GET", "/api/channel/")).status).toBe(200);
    expect(
      (await callApi(world.url, "GET", "/api/user/self", undefined, await world.callers.banned!())).status,
    ).toBe(200);
    expect((await callApi(world.url, "GET", "/api/user/self")).status).toBe(401);
  });

  it.each([
    ["GET", "/api/channel/test/9/"],
    ["DELETE", "/api/channel/999/"],
    ["DELETE", "/api/token/999/"],
    ["DELETE", "/api/redemption/999/"],
    ["GET", "/api/channel/update_balance/999/"],
    ["GET", "/api/log/self/?p=0"],
    ["GET", "/api/user"],
    ["GET", "/api/option"],
    ["GET", "/api/group"],
  ])("serves the console's %s %s without a redirect", async (method, path) => {
    expect((await world.root.api(method, path)).status).toBe(200);
  });
});

describe("Cookie `session` and raw or `Bearer` access token; cookie wins", () => {
  it("takes all of them", async () => {
    const token = await succeed<string>(owner.api("GET", "/api/user/token"));
    const who = async (credentials: { cookie?: string; token?: string }) =>
      (await callApi(world.url, "GET", "/api/user/self", undefined, credentials)).body.data;
    for (const each of [{ cookie: owner.cookie }, { token }, { token: `Bearer ${token}` }]) {
      expect(await who(each)).toMatchObject({ id: owner.id });
    }
    expect(await who({ cookie: world.user.cookie, token })).toMatchObject({ id: world.user.id });
  });
});

describe("`p` 0-based, 10 per page, id descending, [] not null; searches unpaged", () => {
  it("pages keys", async () => {
    const person = await world.newUser();
    for (let i = 0; i < 11; i += 1) await addApiKey(person, { name: "page" });
    const page = async (p: number) => succeed<{ id: number }[]>(person.api("GET", `/api/token/?p=${p}`));
    const [first, second] = [await page(0), await page(1)];
    expect([first.length, second.length, await page(2)]).toEqual([10, 1, []]);
    const ids = [...first, ...second].map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(await succeed(person.api("GET", "/api/token/search?keyword=page"))).toHaveLength(11);
    expect(await succeed(person.api("GET", "/api/token/search?keyword=none"))).toEqual([]);
    expect(await succeed(person.api("GET", "/api/log/self?p=7"))).toEqual([]);
  });
});

describe('All object fields present with the types of 1.0; nullable channel fields served as ""/0', () => {
  it("user", async () => {
    expect(typesOf(await succeed<Fields>(owner.api("GET", "/api/user/self")))).toEqual({
      ...fields("number", "id role status quota used_quota request_count inviter_id"),
      ...fields("string", "username password display_name email github_id wechat_id verification_code"),
      ...fields("string", "access_token group aff_code"),
      ...fields("string", EXTRA_USER_FIELDS.join(" ")),
    });
  });

  it("channel", async () => {
    expect(typesOf(await succeed<Fields>(world.root.api("GET", `/api/channel/${channelId}`)))).toEqual({
      ...fields("number", "id type status weight created_time test_time response_time balance"),
      ...fields("number", "balance_updated_time used_quota priority key_count dead_key_count"),
      ...fields("string", "key name base_url other models group model_mapping proxy"),
      // Ours, at its end.
      ...fields("number", "closed_until used_requests"),
      ...fields("string", "calendar tag test_model"),
      skip_tests: "boolean",
    });
  });

  it("token", async () => {
    const [token] = await succeed<Fields[]>(world.user.api("GET", "/api/token/?p=0"));
    expect(typesOf(token!)).toEqual({
      ...fields(
        "number",
        "id user_id status created_time accessed_time expired_time remain_quota used_quota",
      ),
      ...fields("string", "key name"),
      unlimited_quota: "boolean",
    });
    expect(token).toMatchObject({ key: expect.not.stringMatching(/^sk-/), expired_time: -1 });
  });

  it("redemption", async () => {
    await succeed(world.admin.api("POST", "/api/redemption/", { name: "shape", quota: 1, count: 1 }));
    const [code] = await succeed<Fields[]>(world.admin.api("GET", "/api/redemption/?p=0"));
    expect(typesOf(code!)).toEqual({
      ...fields("number", "id user_id status quota created_time redeemed_time count"),
      ...fields("string", "key name"),
      // Ours, at its end.
      ...fields("number", "expired_time max_uses used_count used_user_id"),
    });
  });

  it("log", async () => {
    expect((await ask(owner, "gpt-3.5-turbo")).status).toBe(200);
    const [log] = await succeed<Fields[]>(owner.api("GET", "/api/log/self/?p=0"));
    expect(typesOf(log!)).toEqual({
      ...fields("number", "id user_id created_at type quota prompt_tokens completion_tokens channel"),
      ...fields("string", "content username token_name model_name"),
      // Ours, at its end.
      ...fields("number", "duration_ms first_byte_ms status times token_id"),
      ...fields("string", "request_id channel_name code"),
      ...fields("boolean", "is_stream"),
    });
  });

  it("status", async () => {
    expect(typesOf(await succeed<Fields>(callApi(world.url, "GET", "/api/status")))).toEqual({
      ...fields("number", "start_time quota_per_unit"),
      ...fields(
        "boolean",
        "email_verification github_oauth wechat_login turnstile_check display_in_currency",
      ),
      ...fields(
        "string",
        "version github_client_id system_name logo footer_html wechat_qrcode server_address",
      ),
      ...fields("string", "turnstile_site_key top_up_link chat_link"),
      ...fields("boolean", EXTRA_STATUS_FLAGS.join(" ")),
      ...fields("string", EXTRA_STATUS_TEXTS.join(" ")),
      // Ours: which pages there are.
      ...fields("string", "model_status price_page system_slogan list_extras"),
      ...fields("boolean", "payments list_queries key_page playground invoices tickets"),
    });
  });
});

describe("Option values strings; unknown keys storable; the keys that the console needs always present", () => {
  it("lists them", async () => {
    await saveOptions(world.root, { SomethingNew: "kept" });
    const list = await succeed<{ key: string; value: unknown }[]>(world.root.api("GET", "/api/option/"));
    expect(list.every(({ value }) => typeof value === "string")).toBe(true);
    const options = Object.fromEntries(list.map(({ key, value }) => [key, String(value)]));
    expect(options).toMatchObject({ SomethingNew: "kept", ServerAddress: "", WeChatServerAddress: "" });
    expect(options.EmailDomainWhitelist?.split(",")).toContain("gmail.com");
    expect(JSON.parse(options.ModelRatio ?? "")).toMatchObject({ "gpt-4": 15 });
    expect(JSON.parse(options.GroupRatio ?? "")).toMatchObject({ default: 1 });
  });
});

describe("PATCH-like channel PUT; token, redemption and user PUT; null absent; unknown ignored; numbers strict", () => {
  it("channel: the console's toggles and its whole object", async () => {
    const put = (body: Fields) =>
      succeed<Fields>(world.root.api("PUT", "/api/channel/", { id: channelId, ...body }));
    expect(await put({ status: 2 })).toMatchObject({ status: 2, name: "upstream", base_url: upstream.url });
    expect(await put({ status: 1 })).toMatchObject({ status: 1 });
    expect(await put({ priority: 0 })).toMatchObject({ priority: 0 });
    const whole = await succeed<Fields>(world.root.api("GET", `/api/channel/${channelId}`));
    expect(await put({ ...whole, groups: ["default"], weight: null })).toEqual(whole);
  });

  it("token, redemption and user: the console's whole objects", async () => {
    const [token] = await succeed<Fields[]>(world.user.api("GET", "/api/token/?p=0"));
    expect(await succeed(world.user.api("PUT", "/api/token/", { ...token, unknown: 1 }))).toEqual(token);
    const [code] = await succeed<Fields[]>(world.admin.api("GET", "/api/redemption/?p=0"));
    expect(await succeed(world.admin.api("PUT", "/api/redemption/", { ...code, count: null }))).toEqual(code);
    const user = await succeed<Fields>(world.admin.api("GET", `/api/user/${world.user.id}`));
    await succeed(world.admin.api("PUT", "/api/user/", { ...user, quota: 5 }));
    expect(await succeed(world.admin.api("GET", `/api/user/${world.user.id}`))).toEqual({
      ...user,
      quota: 5,
    });
    const self = await succeed<Fields>(world.user.api("GET", "/api/user/self"));
    await succeed(world.user.api("PUT", "/api/user/self", { ...self, display_name: "New" }));
    expect(await succeed(world.user.api("GET", "/api/user/self"))).toEqual({ ...self, display_name: "New" });
  });

  it("status_only answers the object", async () => {
    const [token] = await succeed<{ id: number }[]>(world.user.api("GET", "/api/token/?p=0"));
    for (const status of [2, 1]) {
      const put = world.user.api("PUT", "/api/token/?status_only=true", { id: token?.id, status });
      expect(await succeed(put)).toMatchObject({ status });
    }
  });

  it("a number sent as text is refused", async () => {
    const answer = await world.user.api("POST", "/api/token/", { name: "n", remain_quota: "5" });
    expect([answer.status, answer.body.success]).toEqual([200, false]);
  });
});

describe("`data` of login, manage, top-up, redemption creation, delete-disabled, delete-logs; `time`, `balance`", () => {
  it("is as specified", async () => {
    const login = await callApi(world.url, "POST", "/api/user/login", {
      username: "other",
      password: PASSWORD,
    });
    expect(login.body.data).toMatchObject({
      id: world.other.id,
      username: "other",
      display_name: "other",
      role: 1,
      status: 1,
    });
    const manage = await world.root.api("POST", "/api/user/manage", { username: "other", action: "promote" });
    expect(manage.body.data).toMatchObject({ role: 10, status: 1 });
    await succeed(world.root.api("POST", "/api/user/manage", { username: "other", action: "demote" }));
    const made = await world.admin.api("POST", "/api/redemption/", { name: "top", quota: 77, count: 2 });
    expect(made.body.data).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
    const [key] = made.body.data as string[];
    expect((await world.other.api("POST", "/api/user/topup", { key })).body.data).toBe(77);
    expect((await world.admin.api("DELETE", "/api/channel/disabled")).body.data).toBe(0);
    expect((await world.admin.api("DELETE", "/api/log/?target_timestamp=1000")).body.data).toBe(0);
    const tested = await world.admin.api("GET", `/api/channel/test/${channelId}/`);
    expect(tested.body).toMatchObject({ success: true, time: expect.any(Number) });
    const balance = await world.admin.api("GET", `/api/channel/update_balance/${channelId}/`);
    expect(balance.body).toMatchObject({ success: true, balance: expect.any(Number) });
    const models = await world.admin.api("GET", "/api/channel/models");
    expect(models.body.data).toContainEqual(
      expect.objectContaining({ id: "gpt-3.5-turbo", object: "model" }),
    );
    expect((await world.admin.api("GET", "/api/group/")).body.data).toEqual(
      expect.arrayContaining(["default"]),
    );
  });

  it("deleting a user may answer nothing or an envelope, never a failure", async () => {
    const person = await world.newUser();
    expect((await world.admin.api("DELETE", `/api/user/${person.id}`)).body).toEqual({
      success: true,
      message: "",
    });
  });
});

describe('`message:"bind"` for GitHub binding', () => {
  it("is said", async () => {
    await saveOptions(world.root, {
      GitHubClientId: "i",
      GitHubClientSecret: "s",
      GitHubOAuthEnabled: "true",
    });
    const state = await callApi(world.url, "GET", "/api/oauth/state", undefined, { cookie: owner.cookie });
    const cookie = `${owner.cookie}; ${cookiesOf(state)}`;
    const path = `/api/oauth/github?code=c&state=${state.body.data}`;
    const answer = await callApi(world.url, "GET", path, undefined, { cookie });
    expect(answer.body).toEqual({ success: true, message: "bind" });
  });
});

describe("Token header forms of 2.1, error objects with a request id, header X-Oneapi-Request-Id", () => {
  it("takes every form, with a channel's id for administrators", async () => {
    await succeed(world.root.api("PUT", "/api/user/", { id: world.admin.id, quota: 1_000_000 }));
    const { key } = await addApiKey(world.admin);
    for (const form of [
      `Bearer sk-${key}`,
      `Bearer ${key}`,
      `sk-${key}`,
      key,
      `Bearer sk-${key}-${channelId}`,
    ]) {
      expect((await ask(world.admin, "gpt-3.5-turbo", form)).status, form).toBe(200);
    }
    const mine = (await addApiKey(owner)).key;
    const pinned = await ask(owner, "gpt-3.5-turbo", `Bearer sk-${mine}-${channelId}`);
    expect(pinned.status).toBe(403);
    expect(pinned.text).toContain("普通用户不支持指定渠道");
    const wrong = await ask(world.admin, "gpt-3.5-turbo", `Bearer sk-${key}-999`);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("无效的渠道 Id");
  });

  it("tells the id in the message and in the header", async () => {
    const answer = await ask(owner, "gpt-3.5-turbo", "Bearer sk-nonsense");
    const id = answer.headers.get("x-oneapi-request-id");
    expect(answer.status).toBe(401);
    const error = answer.body.error as Fields;
    // Clients that decode it into a text must not meet null (section 2.7).
    expect(error).toMatchObject({ type: "one_api_error", param: "" });
    expect(error.message).toMatch(/^无效的令牌/);
    expect(error.message).toContain(`(request id: ${id})`);
  });

  it("says 404 where no channel offers the model", async () => {
    const answer = await ask(owner, "gpt-4-32k");
    expect(answer.status).toBe(404);
    expect(answer.text).toContain("当前分组 default 下对于模型 gpt-4-32k 无可用渠道");
  });
});

describe("Quota formula of 2.5, completion ratios, fallback, rounding up, minimum 1; log text of 2.13; billing", () => {
  const spend = async (model: string): Promise<{ quota: number; log: Fields }> => {
    const read = async () => (await succeed<{ quota: number }>(owner.api("GET", "/api/user/self"))).quota;
    const before = await read();
    const answer = await ask(owner, model);
    expect(answer.status, answer.text).toBe(200);
    const [log] = await succeed<Fields[]>(owner.api("GET", "/api/log/self/?p=0"));
    return { quota: before - (await read()), log: log ?? {} };
  };

  it.each([
    ["gpt-3.5-turbo", 18],
    ["gpt-4", 345],
  ])("charges the worked example of %s", async (model, quota) => {
    expect(await spend(model)).toMatchObject({
      quota,
      log: { quota, model_name: model, channel: channelId },
    });
  });

  it("charges at least 1, and nothing where the ratio is 0", async () => {
    const ratios = { "gpt-3.5-turbo": 0.75, "gpt-4": 15, "tiny-model": 0.0001, "free-model": 0 };
    await saveOptions(world.root, {
      ModelRatio: JSON.stringify(ratios),
      CompletionRatio: '{"tiny-model":1}',
    });
    expect((await spend("tiny-model")).quota).toBe(1);
    expect((await spend("free-model")).quota).toBe(0);
  });

  it("charges an unlisted model at the fallback ratio where one is set, and refuses it otherwise", async () => {
    expect((await ask(owner, "unlisted-model")).status).toBe(403);
    await saveOptions(world.root, { FallbackModelRatio: "30" });
    expect((await spend("unlisted-model")).quota).toBe(540);
    await saveOptions(world.root, { FallbackModelRatio: "" });
  });

  it("multiplies by the group's ratio", async () => {
    await saveOptions(world.root, { GroupRatio: '{"default":2}' });
    const { quota, log } = await spend("gpt-3.5-turbo");
    await saveOptions(world.root, { GroupRatio: '{"default":1}' });
    expect(quota).toBe(35);
    expect(log.content).toContain("模型倍率 0.75，分组倍率 2.00");
  });

  it("logs the contract's text", async () => {
    const { log } = await spend("gpt-3.5-turbo");
    expect(log.content).toBe("模型倍率 0.75，分组倍率 1.00");
  });

  it("answers the billing shapes", async () => {
    const { key } = await addApiKey(owner, { remain_quota: 500_000 });
    const get = async (kind: string) =>
      (await callApi(world.url, "GET", `/v1/dashboard/billing/${kind}`, undefined, { token: key })).body;
    expect(await get("subscription")).toEqual({
      object: "billing_subscription",
      has_payment_method: true,
      soft_limit_usd: 1,
      hard_limit_usd: 1,
      system_hard_limit_usd: 1,
      access_until: 0,
    });
    expect(await get("usage")).toEqual({ object: "list", total_usage: 0 });
  });
});

describe("SPA fallback for client routes; 404 error object for unknown /api*, /v1*", () => {
  it.each([
    "/",
    "/channel/edit/1",
    "/token/add",
    "/user/reset?email=a&token=b",
    "/oauth/github?code=a",
    "/setting",
    "/chat",
  ])("%s is the console's page", async (path) => {
    const answer = await callApi(world.url, "GET", path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html; ?charset=utf-8$/);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.text).toContain('<div id="root">');
  });

  it.each(["/api/nothing", "/v1/nothing", "/apifoo", "/v1foo"])("%s is unknown", async (path) => {
    const answer = await callApi(world.url, "GET", path);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: { message: `Invalid URL (GET ${path})`, type: "invalid_request_error", param: "", code: "" },
    });
  });
});

describe("Deliberate deviations that break neither client", () => {
  it("hides access tokens, channel keys and every secret option from administrators", async () => {
    const token = await succeed<string>(owner.api("GET", "/api/user/token"));
    await saveOptions(world.root, { TurnstileSecretKey: "turnstile-hush" });
    const changed = await world.root.api("PUT", "/api/channel/", { id: channelId, key: "channel-hush" });
    const answers = [
      await world.root.api("GET", "/api/user/?p=0"),
      await world.root.api("GET", `/api/user/${owner.id}`),
      await world.root.api("GET", "/api/option/"),
      await world.root.api("GET", `/api/channel/${channelId}`),
      changed,
    ];
    for (const { text } of answers) expect(text).not.toMatch(new RegExp(`${token}|hush`));
  });

  it("answers 501 to an endpoint that is not offered, before it looks for a channel", async () => {
    const answer = await callApi(world.url, "GET", "/v1/files", undefined, { token: "nonsense" });
    expect(answer.status).toBe(501);
    expect(answer.body.error).toMatchObject({ code: "api_not_implemented" });
  });

  it("retries by itself instead of sending the client a 307", async () => {
    await addChannel(world.root, { name: "spare", base_url: upstream.url, models: "gpt-4" });
    upstream.reset();
    upstream.script({ fault: "500" }, {});
    await saveOptions(world.root, { RetryTimes: "1" });
    const answer = await ask(owner, "gpt-4");
    await saveOptions(world.root, { RetryTimes: "0" });
    expect(answer.status, answer.text).toBe(200);
    expect(upstream.requests).toHaveLength(2);
  });

  it("ends a session on the server", async () => {
    const session = await signIn(world.url, owner.username, PASSWORD);
    await session.api("GET", "/api/user/logout");
    expect((await session.api("GET", "/api/user/self")).status).toBe(401);
  });
});
