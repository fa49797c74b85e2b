import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let upstream: FakeUpstream;
let owner: Person;
let key: string;
let unlimited: string;

/** One answer of gpt-4: (13 + 5 × 2) × 15. */
const SPENT = 345;

const ask = async (path: string, token = `Bearer sk-${key}`) =>
  callApi(world.url, "GET", path, undefined, { token });

beforeAll(async () => {
  [world, upstream] = await Promise.all([startManagementWorld(), startFakeUpstream()]);
  await addChannel(world.root, { base_url: upstream.url, models: "gpt-4" });
  owner = await world.newUser({ quota: 1_000_000 });
  key = (await addApiKey(owner, { remain_quota: 100_000, expired_time: 4_000_000_000 })).key;
  unlimited = (await addApiKey(owner, { remain_quota: 0, unlimited_quota: true })).key;
  for (const token of [key, unlimited]) {
    const body = { model: "gpt-4", messages: [{ role: "user", content: "hi" }], max_tokens: 5 };
    const answer = await callApi(world.url, "POST", "/v1/chat/completions", body, {
      token: `Bearer ${token}`,
    });
    expect(answer.status, answer.text).toBe(200);
  }
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

const subscription = (limit: number, until: number) => ({
  object: "billing_subscription",
  has_payment_method: true,
  soft_limit_usd: limit,
  hard_limit_usd: limit,
  system_hard_limit_usd: limit,
  access_until: until,
});

describe.each(["", "/v1"])("%s/dashboard/billing", (prefix) => {
  const SUBSCRIPTION = `${prefix}/dashboard/billing/subscription`;
  const USAGE = `${prefix}/dashboard/billing/usage`;

  it.each(["", "/"])(
    "tells a key's limit and usage in dollars, ignoring dates (%j at the end)",
    async (slash) => {
      expect((await ask(SUBSCRIPTION + slash)).body).toEqual(subscription(0.2, 4_000_000_000));
      const usage = await ask(`${USAGE}${slash}?start_date=2020-01-01&end_date=nonsense`);
      expect(usage.body).toEqual({ object: "list", total_usage: (SPENT / 500_000) * 100 });
    },
  );

  it("returns the contract's large number as an unlimited key's limit, and the key's use", async () => {
    expect((await ask(SUBSCRIPTION, unlimited)).body).toEqual(subscription(100_000_000, 0));
    expect((await ask(USAGE, `sk-${unlimited}`)).body).toEqual({
      object: "list",
      total_usage: (SPENT / 500_000) * 100,
    });
  });

  it("tells points when amounts are not shown in dollars", async () => {
    await saveOptions(world.root, { DisplayInCurrencyEnabled: "false" });
    const answers = [(await ask(SUBSCRIPTION)).body, (await ask(USAGE)).body];
    await saveOptions(world.root, { DisplayInCurrencyEnabled: "true" });
    expect(answers).toEqual([
      subscription(100_000, 4_000_000_000),
      { object: "list", total_usage: SPENT * 100 },
    ]);
  });

  it("tells the user's figures when the option says so", async () => {
    await saveOptions(world.root, { DisplayTokenStatEnabled: "false" });
    const answers = [(await ask(SUBSCRIPTION)).body, (await ask(USAGE)).body];
    await saveOptions(world.root, { DisplayTokenStatEnabled: "true" });
    expect(answers).toEqual([
      subscription(2, 0),
      { object: "list", total_usage: ((2 * SPENT) / 500_000) * 100 },
    ]);
  });

  it("needs a key, and takes it in every form of the contract", async () => {
    for (const form of [`Bearer sk-${key}`, `Bearer ${key}`, `sk-${key}`, key]) {
      expect((await ask(USAGE, form)).status, form).toBe(200);
    }
    const none = await callApi(world.url, "GET", USAGE);
    expect(none.status).toBe(401);
    expect(none.text).toContain("未提供令牌");
    const wrong = await ask(USAGE, "Bearer sk-nonsense");
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain("无效的令牌");
    expect(wrong.headers.get("x-oneapi-request-id")).toBeTruthy();
    // A session is no key.
    expect((await owner.api("GET", USAGE)).status).toBe(401);
  });
});
