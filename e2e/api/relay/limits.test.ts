import { type ClientRequest, request as startRequest } from "node:http";
import type { ApiKeyWire } from "@tollgate/contract/api/api-keys";
import type { UserWire } from "@tollgate/contract/api/user";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { keepContractRatio } from "@tollgate/testkit/keep-contract-ratio";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Account, addAccount, addChannel, addKey, type Session, signIn } from "./stage";

let upstream: FakeUpstream;
let server: ServerProcess;
let root: Session;
let account: Account;

const dataDir = createDataDir();
// A client behind a configured proxy is not on this machine, where the default password works.
const env = { TRUSTED_PROXIES: "127.0.0.1", INITIAL_ROOT_PASSWORD: "password-1" };

beforeAll(async () => {
  [upstream, server] = await Promise.all([startFakeUpstream(), startServer({ dataDir, env })]);
  root = await signIn(server.url, "root", "password-1");
  await keepContractRatio(root);
  await addChannel(root, { base_url: upstream.url, models: "gpt-3.5-turbo,gpt-4" });
  account = await addAccount(server.url, root, "limited", 100_000_000);
});

afterAll(async () => {
  await server?.stop();
  await upstream?.close();
});

interface Asked {
  status: number;
  headers: Headers;
  body: { error?: { code?: string; type?: string; message: string } };
}

const BODY = { model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }], max_tokens: 5 };

const ask = async (key: string, more: object = {}, headers: Record<string, string> = {}): Promise<Asked> => {
  const isMessages = headers["anthropic-version"] !== undefined;
  const answer = await fetch(`${server.url}/v1/${isMessages ? "messages" : "chat/completions"}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "accept-language": "en", ...headers },
    body: JSON.stringify({ ...BODY, ...more }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Asked["body"] };
};

/** A minute of the clock may end between two requests; the next one is refused then. */
const askUntilRefused = async (...request: Parameters<typeof ask>): Promise<Asked> => {
  for (let tries = 0; tries < 4; tries += 1) {
    const asked = await ask(...request);
    if (asked.status !== 200) return asked;
  }
  throw new Error("never refused");
};

it("leaves keys without limits as the contract has them, and gives their answers no headers", async () => {
  const { id, key } = await addKey(account.owner, { unlimited_quota: true });
  const token = await account.owner.data<ApiKeyWire>("GET", `/api/token/${id}`);
  expect(Object.keys(token)).toHaveLength(11);
  const { status, headers } = await ask(key);
  expect(status).toBe(200);
  expect([...headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
});

it("takes requests per minute of a key, tells where it stands, and refuses beyond in the client's protocol", async () => {
  const { id, key } = await addKey(account.owner, { unlimited_quota: true, rpm: 1, tpm: 100_000 });
  const first = await ask(key);
  expect(first.status).toBe(200);
  expect(first.headers.get("x-ratelimit-limit-requests")).toBe("1");
  expect(first.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  expect(first.headers.get("x-ratelimit-reset-requests")).toMatch(/^\d{1,2}s$/);
  expect(Number(first.headers.get("x-ratelimit-remaining-tokens"))).toBeLessThan(100_000);
  const refused = await askUntilRefused(key);
  expect(refused).toMatchObject({ status: 429, body: { error: { code: "rate_limit_exceeded" } } });
  expect(refused.body.error?.message).toMatch(/this API key.*at most 1 requests per minute/);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

  const messages = await askUntilRefused(key, {}, { "anthropic-version": "2023-06-01" });
  expect(messages).toMatchObject({
    status: 429,
    body: { type: "error", error: { type: "rate_limit_error" } },
  });
  expect(messages.headers.get("anthropic-ratelimit-requests-limit")).toBe("1");
  expect(messages.headers.get("anthropic-ratelimit-requests-reset")).toMatch(/T.*Z$/);
  expect(messages.headers.get("retry-after")).not.toBeNull();

  // What is left out stays, 0 takes away.
  await account.owner.data("PUT", "/api/token/", { id, name: "renamed" });
  expect(await account.owner.data("GET", `/api/token/${id}`)).toMatchObject({ rpm: 1, tpm: 100_000 });
  await account.owner.data("PUT", "/api/token/", { id, rpm: 0, tpm: 0 });
  expect(await account.owner.data("GET", `/api/token/${id}`)).not.toHaveProperty("rpm");
  for (let i = 0; i < 3; i += 1) expect((await ask(key)).status).toBe(200);
});

it("refuses a prompt that is larger than the limit of tokens for good: 413 in each client's protocol, nothing to wait for", async () => {
  const { key } = await addKey(account.owner, { unlimited_quota: true, tpm: 20 });
  const text = "one two three four five ".repeat(20);
  const messages = [{ role: "user", content: text }];
  const model = "gpt-3.5-turbo";
  const asked: [path: string, body: object, error: object][] = [
    [
      "/v1/chat/completions",
      { model, messages },
      { code: "request_too_large", type: "invalid_request_error" },
    ],
    ["/v1/responses", { model, input: text }, { code: "request_too_large", type: "invalid_request_error" }],
    ["/v1/messages", { model, messages, max_tokens: 5 }, { type: "request_too_large" }],
    [
      `/v1beta/models/${model}:generateContent`,
      { contents: [{ role: "user", parts: [{ text }] }] },
      { status: "INVALID_ARGUMENT" },
    ],
  ];
  for (const [path, body, error] of asked) {
    const answer = await fetch(server.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "accept-language": "en" },
      body: JSON.stringify(body),
    });
    expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 413, null]);
    const told = (await answer.json()) as Asked["body"];
    expect(told.error).toMatchObject({
      ...error,
      message: expect.stringMatching(/limit for this API key is 20 tokens per minute.*in vain/),
    });
  }
  // A shorter one finds its place.
  expect((await ask(key)).status).toBe(200);
});

it("shows and serves only the models that a key may use", async () => {
  const { id, key } = await addKey(account.owner, { unlimited_quota: true, models: "gpt-4, gone" });
  expect(await account.owner.data("GET", `/api/token/${id}`)).toMatchObject({ models: "gpt-4,gone" });
  const list = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await list.json()) as { data: { id: string }[] };
  expect(data.map((model) => model.id)).toEqual(["gpt-4"]);
  const one = await fetch(`${server.url}/v1/models/gpt-3.5-turbo`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(one.status).toBe(404);
  expect(await ask(key)).toMatchObject({ status: 403, body: { error: { code: "model_not_allowed" } } });
  expect((await ask(key, { model: "gpt-4" })).status).toBe(200);
});

it("lets a key be used from its addresses only, for whatever", async () => {
  const { id, key } = await addKey(account.owner, {
    unlimited_quota: true,
    subnet: "203.0.113.0/24, 2001:db8::/32",
  });
  const from = (address: string) => ({ "x-forwarded-for": address });
  expect((await ask(key, {}, from("203.0.113.9"))).status).toBe(200);
  expect((await ask(key, {}, from("2001:db8::1"))).status).toBe(200);
  expect(await ask(key, {}, from("198.51.100.1"))).toMatchObject({
    status: 403,
    body: { error: { code: "address_not_allowed", message: expect.stringContaining("198.51.100.1") } },
  });
  for (const path of ["/v1/models", "/dashboard/billing/usage"]) {
    const answer = await fetch(server.url + path, {
      headers: { authorization: `Bearer ${key}`, ...from("198.51.100.1") },
    });
    expect([path, answer.status]).toEqual([path, 403]);
  }
  await expect(account.owner.data("PUT", "/api/token/", { id, subnet: "home" })).rejects.toThrow("home");
  await account.owner.data("PUT", "/api/token/", { id, subnet: "" });
  expect((await ask(key, {}, from("198.51.100.1"))).status).toBe(200);
});

it("bounds a user over all of its keys, which only administrators may set", async () => {
  const person = await addAccount(server.url, root, "bounded", 1_000_000);
  const second = await addKey(person.owner, { unlimited_quota: true });
  await person.owner.data("PUT", "/api/user/self", { username: "bounded", display_name: "b", rpm: 500 });
  expect(await root.data<UserWire>("GET", `/api/user/${person.userId}`)).not.toHaveProperty("rpm");
  await root.data("PUT", "/api/user/", { id: person.userId, rpm: 1 });
  expect(await root.data("GET", `/api/user/${person.userId}`)).toMatchObject({ rpm: 1 });
  await ask(person.key);
  expect((await askUntilRefused(second.key)).body.error?.message).toContain("this user");
  await root.data("PUT", "/api/user/", { id: person.userId, rpm: 0 });
  expect((await ask(person.key)).status).toBe(200);
  expect((await ask(second.key)).status).toBe(200);
});

it("bounds a user by a plan while it lasts: parallel requests, headers, and the next plan on the same day", async () => {
  const { owner } = await addAccount(server.url, root, "planned", 100_000_000);
  const { id: plan } = await root.data<{ id: number }>("POST", "/api/plan/", {
    ...{ title: "Coding", price: 0, duration_unit: "month", duration_count: 1, quota: 1000, reset: "day" },
    ...{ beyond: "balance", rpd: 3, rpm: 1000 },
  });
  const { key } = await addKey(owner, { unlimited_quota: true });
  const { id: userId } = await owner.data<UserWire>("GET", "/api/user/self");
  const give = () =>
    root.data<{ id: number }>("POST", "/api/subscription/given", { plan_id: plan, user_id: userId });
  const first = await give();
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(key)));
  const served = answers.filter(({ status }) => status === 200);
  expect(served).toHaveLength(3);
  for (const { headers } of served) expect(headers.get("x-ratelimit-limit-requests")).toBe("1000");
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error?.message).toMatch(/requests per day of this user are used up \(3\)/);
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
  const usage = await fetch(`${server.url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  expect(((await usage.json()) as { limits: object[] }).limits).toContainEqual(
    expect.objectContaining({ scope: "user", limit: "rpd", max: 3, of_plan: true }),
  );
  // Another plan on the same day does not open what is used.
  const second = await give();
  await root.data("POST", `/api/subscription/${first.id}/end`);
  expect((await ask(key)).status).toBe(429);
  await root.data("POST", `/api/subscription/${second.id}/end`);
  expect((await ask(key)).status).toBe(200);
  await give();
  expect((await ask(key)).status).toBe(429);
});

it("bounds requests at the same time", async () => {
  const { key } = await addKey(account.owner, { unlimited_quota: true, concurrency: 1 });
  upstream.script({ fault: "slow", delayMs: 1500 });
  const [one, other] = await Promise.all([ask(key), ask(key)]);
  upstream.reset();
  expect([one.status, other.status].sort()).toEqual([200, 429]);
  const refused = one.status === 429 ? one : other;
  expect(refused.body.error?.code).toBe("concurrency_limit_exceeded");
  expect((await ask(key)).status).toBe(200);
});

it("bounds groups, together and each user by itself", async () => {
  const put = (value: string) => root.data("PUT", "/api/option/", { key: "GroupLimits", value });
  await expect(put('{"default":{"rps":1}}')).rejects.toThrow("default.rps");
  await put('{"default":{"per_user":{"rpm":1}}}');
  const person = await addAccount(server.url, root, "grouped", 1_000_000);
  await ask(person.key);
  expect((await askUntilRefused(person.key)).status).toBe(429);
  await put('{"default":{"daily_quota":1}}');
  expect((await ask(person.key)).body.error).toMatchObject({
    code: "daily_budget_exhausted",
    message: expect.stringContaining("this user's group"),
  });
  await put("{}");
  expect((await ask(person.key)).status).toBe(200);
});

/** A request whose head was read and whose body is yet to be sent. */
const openUpload = (path: string, key: string): Promise<ClientRequest> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      expect: "100-continue",
    };
    const upload = startRequest(server.url + path, { method: "POST", headers });
    upload.once("continue", () => resolve(upload)).once("error", reject);
    upload.flushHeaders();
  });

const finishUpload = (upload: ClientRequest): Promise<number | undefined> =>
  new Promise((resolve) => {
    upload.once("response", (response) => resolve(response.resume().statusCode));
    upload.end(JSON.stringify({ ...BODY, input: "hi" }));
  });

it("refuses a key that is deleted between the head and the body of its request (M11)", async () => {
  const { id, key } = await addKey(account.owner, { unlimited_quota: true });
  const paths = ["/v1/chat/completions", "/v1/embeddings", "/v1/messages/count_tokens"];
  const uploads = await Promise.all(paths.map((path) => openUpload(path, key)));
  const asked = upstream.requests.length;
  await account.owner.data("DELETE", `/api/token/${id}`);
  expect(await Promise.all(uploads.map(finishUpload))).toEqual([401, 401, 401]);
  expect(upstream.requests.length).toBe(asked);
});

it.each([
  ["of a day", { daily_quota: 20 }, { daily_quota: 1000 }, "daily_budget_exhausted"],
  ["of five hours", { five_hour_quota: 20 }, { five_hour_quota: 1000 }, "window_budget_exhausted"],
  ["of a window", { window_hours: 720, window_quota: 20 }, { window_quota: 1000 }, "window_budget_exhausted"],
  ["of a week", { weekly_quota: 20 }, { weekly_quota: 1000 }, "weekly_budget_exhausted"],
  ["of requests", { rpd: 2 }, { rpd: 1000 }, "daily_requests_exhausted"],
] as const)("grants no new budget %s after a restart", async (_, limits, raised, code) => {
  const before = await signIn(server.url, "limited", "password-1");
  const { key } = await addKey(before, { unlimited_quota: true, ...limits });
  // 18 each: the budget is checked before a request, so the second one still goes through.
  expect((await ask(key)).status).toBe(200);
  expect((await ask(key)).status).toBe(200);
  const refused = await ask(key);
  expect(refused).toMatchObject({ status: 429, body: { error: { code } } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await server.kill();
  server = await startServer({ dataDir, env });
  expect((await ask(key)).body.error?.code).toBe(code);
  const kind = "rpd" in limits ? "requests-day" : "budget";
  expect(refused.headers.get(`x-ratelimit-remaining-${kind}`)).toBe("0");
  const usage = await fetch(`${server.url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  expect(await usage.json()).toMatchObject({
    limits: [{ scope: "key", remaining: 0, resets_at: expect.any(Number) as number }],
  });
  const owner = await signIn(server.url, "limited", "password-1");
  const tokens = await owner.data<ApiKeyWire[]>("GET", "/api/token/?p=0");
  await owner.data("PUT", "/api/token/", { id: tokens[0]?.id, ...raised });
  expect((await ask(key)).status).toBe(200);
});
