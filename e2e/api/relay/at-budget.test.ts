import Anthropic from "@anthropic-ai/sdk";
import type { ApiKeyWire } from "@tollgate/contract/api/api-keys";
import type { Receipt } from "@tollgate/contract/api/receipts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Account, addChannel, addKey, type IssuedKey, type Stage, startStage } from "./stage";

/* What answers once a budget is used up (docs/guides/fallback-models.md#at-a-used-up-budget). */

/** Costs of one answer of the fake upstream: ceil((13 + 5 × 2) × 15), and × 0.75. */
const DEAR = { model: "gpt-4", price: 345 };
const CHEAP = { model: "gpt-3.5-turbo", price: 18 };
const QUOTA = 10_000_000;

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  await addChannel(stage.root, { base_url: stage.upstream.url, models: `${DEAR.model},${CHEAP.model}` });
  account = await stage.addAccount("saver", QUOTA);
});

afterAll(() => stage?.close());

beforeEach(() => stage.upstream.reset());

const keyWith = (token: Record<string, unknown>): Promise<IssuedKey> =>
  addKey(account.owner, { name: "saving", unlimited_quota: true, ...token });

const ask = async (key: string, more: Record<string, unknown> = {}) => {
  const response = await fetch(`${stage.server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "accept-language": "en" },
    body: JSON.stringify({ model: DEAR.model, messages: [{ role: "user", content: "hi" }], ...more }),
  });
  const { headers, status } = response;
  return { headers, status, text: await response.text() };
};

it("lets the cheaper model answer within the extra quota, then refuses, and says why everywhere", async () => {
  const { id, key } = await keyWith({
    daily_quota: DEAR.price,
    extra_quota: 2 * CHEAP.price,
    budget_model: CHEAP.model,
  });
  expect(await account.owner.data<ApiKeyWire>("GET", `/api/token/${id}`)).toMatchObject({
    budget_model: CHEAP.model,
    extra_quota: 2 * CHEAP.price,
  });
  const first = await ask(key);
  expect([first.status, first.headers.get("x-tollgate-at-budget")]).toEqual([200, null]);

  const second = await ask(key, { stream: true });
  expect(second.status, second.text).toBe(200);
  expect(second.headers.get("x-tollgate-fallback-model")).toBe(CHEAP.model);
  expect(second.headers.get("x-tollgate-at-budget")).toBe("daily_quota");
  expect(second.headers.get("x-ratelimit-remaining-budget")).toBe("0");
  expect(second.headers.get("x-ratelimit-remaining-budget-extra")).toBe(String(2 * CHEAP.price));
  expect(stage.upstream.requests.at(-1)?.body).toMatchObject({ model: CHEAP.model });

  // Another client library, through another protocol.
  const anthropic = new Anthropic({ baseURL: stage.server.url, apiKey: key, authToken: null, maxRetries: 0 });
  const message = await anthropic.messages.create({
    model: DEAR.model,
    max_tokens: 50,
    messages: [{ role: "user", content: "hi" }],
  });
  expect(message.model).toBe(CHEAP.model);

  const refused = await ask(key);
  expect(refused.status).toBe(429);
  expect(refused.text).toContain("daily_budget_exhausted");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

  await expect
    .poll(async () => (await account.usage()).slice(0, 3).map(({ model_name, quota }) => [model_name, quota]))
    .toEqual([
      [CHEAP.model, CHEAP.price],
      [CHEAP.model, CHEAP.price],
      [DEAR.model, DEAR.price],
    ]);
  const { used_quota } = await account.owner.data<ApiKeyWire>("GET", `/api/token/${id}`);
  expect(used_quota).toBe(DEAR.price + 2 * CHEAP.price);
  const usage = await fetch(`${stage.server.url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  expect(await usage.json()).toMatchObject({
    limits: [{ limit: "daily_quota", remaining: 0, extra: 2 * CHEAP.price, extra_remaining: 0 }],
  });
  const requestId = second.headers.get("x-oneapi-request-id") ?? "";
  const [line] = await account.owner.data<{ content: string }[]>(
    "GET",
    `/api/log/self/?p=0&request_id=${requestId}`,
  );
  expect(line?.content).toContain(CHEAP.model);
  const receipt = await account.owner.data<Receipt>("GET", `/api/log/self/receipt?request_id=${requestId}`);
  expect(receipt).toMatchObject({
    model_name: DEAR.model,
    upstream_model: CHEAP.model,
    at_budget: "daily_quota",
    attempts: [{ fallback_model: CHEAP.model }],
  });
});

it("lets no list of the request lead back to the dearer model", async () => {
  const { key } = await keyWith({
    daily_quota: DEAR.price,
    extra_quota: 1000,
    budget_model: CHEAP.model,
  });
  await ask(key);
  stage.upstream.script({ fault: "500" });
  const failed = await ask(key, { models: [DEAR.model] });
  expect(failed.status).toBe(502);
  expect(stage.upstream.requests.slice(1).map(({ body }) => (body as { model: string }).model)).toEqual([
    CHEAP.model,
  ]);
});

it("follows the site's list with the cause budget, for a key with extra quota", async () => {
  await stage.setOption(
    "ModelFallbacks",
    JSON.stringify({ [DEAR.model]: { models: [CHEAP.model], on: ["budget"] } }),
  );
  try {
    const extended = await keyWith({ daily_quota: DEAR.price, extra_quota: 100 });
    const plain = await keyWith({ daily_quota: DEAR.price });
    for (const { key } of [extended, plain]) await ask(key);
    expect((await ask(extended.key)).headers.get("x-tollgate-fallback-model")).toBe(CHEAP.model);
    expect((await ask(plain.key)).status).toBe(429);
  } finally {
    await stage.setOption("ModelFallbacks", "{}");
  }
});

it("holds the bound for many requests at once, but for those that run when it is reached", async () => {
  const { id, key } = await keyWith({
    daily_quota: DEAR.price,
    extra_quota: CHEAP.price,
    budget_model: CHEAP.model,
  });
  await ask(key);
  await Promise.all(Array.from({ length: 20 }, () => ask(key)));
  const { used_quota } = await account.owner.data<ApiKeyWire>("GET", `/api/token/${id}`);
  // All of them cost the cheap price, none more.
  expect((used_quota - DEAR.price) % CHEAP.price).toBe(0);
  expect(used_quota).toBeLessThanOrEqual(DEAR.price + 20 * CHEAP.price);
  expect((await ask(key)).status).toBe(429);
  expect(await account.owner.data<ApiKeyWire>("GET", `/api/token/${id}`)).toMatchObject({ used_quota });
});

it.each([
  [{ budget_model: "nothing" }, "budget_model"],
  [{ budget_model: CHEAP.model, models: DEAR.model }, "budget_model"],
  [{ budget_model: CHEAP.model, models: CHEAP.model }, "budget_model"],
  [{ budget_model: CHEAP.model, daily_quota: 10 }, "extra_quota"],
  [{ budget_group: "secret" }, "budget_group"],
  [{ budget_group: "auto" }, "budget_group"],
])("refuses a choice of %j at its field", async (choice, field) => {
  const answer = await account.owner.api("POST", "/api/token/", {
    name: "x",
    unlimited_quota: true,
    ...choice,
  });
  expect(answer.body.success).toBe(false);
  expect(JSON.stringify(answer.body)).toContain(field);
});
