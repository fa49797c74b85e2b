import type { StatementWire } from "@tollgate/contract/api/statements";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let upstream: FakeUpstream;
let owner: Person;
let key: string;
let unlimited: string;
/** The requests of the two keys. */
const requestIds: string[] = [];

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
    requestIds.push(answer.headers.get("x-request-id") ?? "");
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

describe("a key about itself", () => {
  const generation = async (id: string | undefined, token = `Bearer sk-${key}`) =>
    ask(`/v1/generation?id=${encodeURIComponent(id ?? "")}`, token);

  it("reads the cost and course of its own request", async () => {
    const { status, body } = await generation(requestIds[0]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: {
        id: requestIds[0],
        model: "gpt-4",
        streamed: false,
        cancelled: false,
        end: "complete",
        tokens_prompt: 13,
        tokens_completion: 5,
        quota: SPENT,
        total_cost: SPENT / 500_000,
        formula: expect.stringContaining(String(SPENT)),
      },
    });
    // Neither the channel nor the upstream's price is the payer's.
    expect(JSON.stringify(body)).not.toMatch(/channel|cost_/);
  });

  it("gets the same answer for another key's request as for one that never was", async () => {
    const answers = [await generation(requestIds[1]), await generation("20200101000000000000001aaaaaaaa")];
    const strip = ({ status, text }: { status: number; text: string }) => ({ status, text });
    for (const answer of [
      ...answers,
      await generation("x".repeat(10_000)),
      await generation("' OR 1=1 --"),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(answer.text).toContain("generation_not_found");
    }
    const [foreign, unknown] = answers.map(strip);
    const withoutId = (text: string | undefined) => text?.replaceAll(/\d{20,}\w{8}/g, "ID");
    expect(withoutId(foreign?.text)).toBe(withoutId(unknown?.text));
    expect((await generation(requestIds[0], "")).status).toBe(401);
    expect((await generation(requestIds[0], "Bearer sk-wrong")).status).toBe(401);
  });

  it("lists its own requests alone", async () => {
    const { body } = await ask("/v1/generations?limit=5");
    expect(body).toMatchObject({ object: "list", data: [{ id: requestIds[0], quota: SPENT }] });
    const other = (await ask("/v1/generations", unlimited)).body as unknown as { data: { id: string }[] };
    expect(other.data.map(({ id }) => id)).toEqual([requestIds[1]]);
  });

  it("has the sums of its own requests alone, by day and model", async () => {
    const { body } = await ask("/v1/usage/days?days=2&offset_minutes=480");
    expect(body).toMatchObject({
      object: "list",
      data: [
        { model: "gpt-4", requests: 1, errors: 0, tokens_prompt: 13, quota: SPENT, usage: SPENT / 500_000 },
      ],
    });
    expect((await ask("/v1/usage/days", "Bearer sk-wrong")).status).toBe(401);
  });

  it("reads its balance, and its user's where the site shows that to keys", async () => {
    const own = await ask("/v1/usage");
    expect(own.body).toMatchObject({
      status: "enabled",
      isValid: true,
      remaining: (100_000 - SPENT) / 500_000,
      key: { expires_at: 4_000_000_000, used_quota: SPENT, remaining_quota: 100_000 - SPENT },
    });
    expect(own.body).not.toHaveProperty("account");
    await saveOptions(world.root, { DisplayTokenStatEnabled: "false" });
    const open = await ask("/v1/usage", unlimited);
    await saveOptions(world.root, { DisplayTokenStatEnabled: "true" });
    expect(open.body).toMatchObject({
      account: { remaining_quota: 1_000_000 - 2 * SPENT, used_quota: 2 * SPENT, plans: [] },
    });
  });

  it("reads why it is refused when it is used up or expired, and nothing when it is disabled or deleted", async () => {
    const worthless = await addApiKey(owner, { remain_quota: 0 });
    const expired = await addApiKey(owner, { expired_time: 1 });
    const state = async (one = worthless) => {
      const { status, body } = await ask("/v1/usage", one.key);
      return status === 200 ? (body as unknown as { status: string }).status : status;
    };
    expect(await state()).toBe("exhausted");
    expect(await state(expired)).toBe("expired");
    expect((await ask("/v1/models", worthless.key)).status).toBe(401);
    await owner.api("PUT", "/api/token?status_only=true", { id: worthless.id, status: 2 });
    expect(await state()).toBe(401);
    await owner.api("DELETE", `/api/token/${worthless.id}`);
    expect(await state()).toBe(401);
  });

  it("is answered in the client's own shape of errors, and to pages of other sites", async () => {
    const answer = await fetch(`${world.url}/v1/generation?id=none`, {
      headers: {
        "x-api-key": key,
        "anthropic-version": "2023-06-01",
        origin: "https://elsewhere.example",
      },
    });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
    const head = await fetch(`${world.url}/v1/usage`, { method: "HEAD", headers: { authorization: key } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await callApi(world.url, "POST", "/v1/usage", {}, { token: key });
    expect(post.status).toBe(404);
  });
});

// The last, because rates of months that are over stay.
describe("another display currency", () => {
  const rates = (...rows: readonly [string, string, number][]) => ({
    DisplayCurrency: JSON.stringify(rows.map(([from, currency, rate]) => ({ from, currency, rate }))),
  });
  const read = async <Data>(path: string, person: Pick<Person, "api"> = owner): Promise<Data> =>
    succeed<Data>(person.api("GET", path));
  const month = (offset: number): string => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 7);
  };

  it("is told to all, dates statements, and leaves what machines read", async () => {
    const before = [await ask("/v1/usage"), await ask("/v1/dashboard/billing/usage")].map(({ body }) => body);
    await saveOptions(world.root, rates([`${month(-3)}-01`, "CNY", 7.3], [`${month(-1)}-15`, "CNY", 7.2]));
    expect(await read("/api/status")).toMatchObject({
      display_currency: "CNY",
      display_symbol: "¥",
      display_rate: 7.2,
      quota_per_unit: 500_000,
    });
    const shownIn = async (offset: number) => {
      const statement = await read<StatementWire>(`/api/statement/self?month=${month(offset)}`);
      return [statement.display_currency, statement.display_rate];
    };
    const past = [await shownIn(-4), await shownIn(-3), await shownIn(-2), await shownIn(-1)];
    expect(past).toEqual([
      ["USD", 1],
      ["CNY", 7.3],
      ["CNY", 7.3],
      ["CNY", 7.2],
    ]);
    await saveOptions(
      world.root,
      rates([`${month(-3)}-01`, "CNY", 7.3], [`${month(-1)}-15`, "CNY", 7.2], [`${month(1)}-01`, "EUR", 0.9]),
    );
    expect([await shownIn(-4), await shownIn(-3), await shownIn(-2), await shownIn(-1)]).toEqual(past);
    const after = [await ask("/v1/usage"), await ask("/v1/dashboard/billing/usage")].map(({ body }) => body);
    expect(after).toEqual(before);
  });

  it("is the one of the amounts in lines and in a statement's file", async () => {
    const [code] = await succeed<string[]>(
      world.root.api("POST", "/api/redemption/", { name: "gift", quota: 694_444, count: 1 }),
    );
    await succeed(owner.api("POST", "/api/user/topup", { key: code }));
    const [line] = await read<{ content: string }[]>("/api/log/self/?p=0&type=1");
    expect(line?.content).toContain("¥9.999994 额度");
    const [charge] = await read<{ request_id: string }[]>("/api/log/self/?p=0&type=2");
    expect(await read(`/api/log/self/receipt?request_id=${charge?.request_id}`)).toMatchObject({
      ...{ display_currency: "CNY", display_symbol: "¥", display_rate: 7.2 },
    });
    const file = await owner.api("GET", `/api/statement/self/export?format=csv&month=${month(0)}`);
    expect(file.text).toContain("count,quota,amount_cny");
    expect(file.text).toContain("movement,redeemed,,1,694444,9.9999936");
    expect(file.text).toContain(`charge,,,,${-2 * SPENT},-0.009936`);
  });

  it("refuses a change of the past at its field, and keeps everything", async () => {
    const stored = async () =>
      (await read<{ key: string; value: string }[]>("/api/option/", world.root)).find(
        ({ key: name }) => name === "DisplayCurrency",
      )?.value;
    const kept = await stored();
    const { body } = await world.root.api("PUT", "/api/option/", {
      key: "DisplayCurrency",
      value: rates([`${month(-3)}-01`, "CNY", 7]).DisplayCurrency,
    });
    expect(body).toMatchObject({ success: false, field: "value" });
    expect(await stored()).toBe(kept);
  });
});
