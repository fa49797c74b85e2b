import { setTimeout as wait } from "node:timers/promises";
import type { ProfitWire } from "@tollgate/contract/api/profit";
import type { Receipt } from "@tollgate/contract/api/receipts";
import type { PriceDraft, Rehearsal } from "@tollgate/contract/management/price-draft";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./stage";

let stage: Stage;
let account: Account;

const CACHED = { input: 1000, output: 10, cacheRead: 800 };

beforeAll(async () => {
  stage = await startStage();
  await addChannel(stage.root, {
    base_url: stage.upstream.url,
    models: "gpt-4o,gpt-4o-2024-11-20,claude-sonnet-4-5,per-call,dated,my-model,rehearsed",
    name: "openai",
  });
  account = await stage.addAccount("payer", 100_000_000);
  await stage.setOption("FallbackModelRatio", "1");
});

afterAll(() => stage?.close());

/** Asks once. @returns what the receipt says. */
const ask = async (model: string, fields: object = {}): Promise<Receipt> => {
  const answer = await fetch(`${stage.server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}` },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hi" }], max_tokens: 50, ...fields }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  const id = answer.headers.get("x-oneapi-request-id");
  return stage.root.data("GET", `/api/log/receipt?request_id=${id}`);
};

it("charges cached reads at the vendor's factor, at a factor of one's own, or in full", async () => {
  stage.upstream.script({ usage: CACHED }, { usage: CACHED }, { usage: CACHED });
  expect(await ask("gpt-4o")).toMatchObject({
    // 200 × 2.5 + 800 × 1.25 + 10 × 10 millionths of a dollar.
    quota: 800,
    cache_read_tokens: 800,
    formula: "ceil((200 × 1 + 800 × 0.5 + 10 × 4) × 1.25 × 1) = 800",
  });
  const [line] = await account.usage();
  expect(line?.content).toBe("模型倍率 1.25，分组倍率 1.00，缓存读取 800 × 0.5");
  await stage.setOption("CacheRatio", '{"gpt-4o":0.25}');
  expect(await ask("gpt-4o")).toMatchObject({ quota: (200 + 200 + 40) * 1.25 });
  await stage.setOption("CacheBillingEnabled", "false");
  expect(await ask("gpt-4o")).toMatchObject({ quota: 1040 * 1.25 });
  await stage.setOption("CacheBillingEnabled", "true");
  await stage.setOption("CacheRatio", "{}");
});

it("charges money per million tokens, per call, and from a date on, each under a version of its own", async () => {
  const before = await ask("per-call");
  await stage.setOption(
    "ModelPrice",
    JSON.stringify({
      "claude-sonnet-4-5": { input: 3, output: 15 },
      "per-call": { perCall: 0.01 },
      dated: [
        { from: "2020-01-01", input: 10, output: 10 },
        { from: "2120-01-01", input: 99, output: 99 },
      ],
    }),
  );
  stage.upstream.script({ usage: CACHED });
  // 200 × 3 + 800 × 0.3 + 10 × 15
  const claude = await ask("claude-sonnet-4-5");
  expect(claude.quota).toBe(990 / 2);
  expect(claude.price_version).toBeGreaterThan(before.price_version);
  expect(await ask("per-call")).toMatchObject({ quota: 5000, formula: "ceil(0.01 × 500000 × 1) = 5000" });
  stage.upstream.reset();
  // 13 + 5 tokens at 10 USD a million
  expect(await ask("dated")).toMatchObject({ quota: 90 });
});

it("charges output by the vendors' lists or the site's ratio, and refuses a model of unknown output price (M6)", async () => {
  stage.upstream.script({ usage: CACHED }, { usage: CACHED });
  // The model of today under its name with a date; 10 tokens at 10 USD a million.
  const listed = await ask("gpt-4o-2024-11-20");
  expect(listed).toMatchObject({
    quota: 800,
    formula: "ceil((200 × 1 + 800 × 0.5 + 10 × 4) × 1.25 × 1) = 800",
  });
  await stage.setOption("FallbackModelRatio", "");
  await stage.setOption("ModelRatio", '{"gpt-4o":1.25,"my-model":2}');
  const refused = await fetch(`${stage.server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "accept-language": "zh-CN" },
    body: JSON.stringify({ model: "my-model", messages: [{ role: "user", content: "hi" }] }),
  });
  expect(refused.status).toBe(403);
  const { error } = (await refused.json()) as { error: { code: string; message: string } };
  expect(error.code).toBe("model_price_missing");
  expect(error.message).toContain("补全倍率");
  await stage.setOption("CompletionRatio", '{"my-model":4}');
  stage.upstream.script({ usage: CACHED });
  expect(await ask("my-model")).toMatchObject({ quota: (1000 + 10 * 4) * 2 });
});

it("charges a tier and tools by the options, and asks for no tier that they do not name (M13)", async () => {
  await stage.setOption("ServiceTierRatio", '{"priority":2}');
  const CALLED = { input: 1000, output: 10 };
  stage.upstream.script({ usage: CALLED }, { usage: CALLED }, { usage: CALLED });
  expect(await ask("gpt-4o", { service_tier: "priority" })).toMatchObject({
    quota: 2600,
    formula: "ceil((1000 × 1 + 10 × 4) × 1.25 × 1 × 2) = 2600",
  });
  const [line] = await account.usage();
  expect(line?.content).toBe("模型倍率 1.25，分组倍率 1.00，服务等级 priority × 2");
  expect(await ask("gpt-4o", { service_tier: "scale" })).toMatchObject({ quota: 1300 });
  await stage.setOption("ToolPrice", '{"web_search_options":20}');
  expect(await ask("gpt-4o", { web_search_options: {} })).toMatchObject({
    quota: 11_300,
    formula: "ceil((1000 × 1 + 10 × 4) × 1.25 × 1 + 1 × 20 ÷ 1000 × 500000 × 1) = 11300",
  });
});

it("stores an answer's cost at the buying price, and shows it to administrators only", async () => {
  const [channel] = await stage.root.data<{ id: number; buying_prices?: string }[]>(
    "GET",
    "/api/channel/?p=0",
  );
  const change = (buying_prices: string) =>
    stage.root.data("PUT", "/api/channel/", { id: channel?.id, buying_prices });
  stage.upstream.script({ usage: CACHED }, { usage: CACHED }, { usage: CACHED });
  expect(await ask("gpt-4o")).not.toHaveProperty("cost_thousandths");
  await change('{"default":{"of":"list","factor":0.6},"rules":[]}');
  const bought = await ask("gpt-4o");
  expect(bought).toMatchObject({
    quota: 800,
    cost_thousandths: 480_000,
    cost_formula: "(200 × 2.5 + 800 × 1.25 + 10 × 10) × 500000 × 0.6 ÷ 1000000 = 480",
  });
  await change("");
  expect(await ask("gpt-4o")).not.toHaveProperty("cost_thousandths");
  // What was kept stays as it was.
  const id = bought.request_id;
  expect(await stage.root.data("GET", `/api/log/receipt?request_id=${id}`)).toEqual(bought);
  for (const path of [
    `/api/log/self/receipt?request_id=${id}`,
    "/api/log/self/?p=0",
    "/api/log/self/export?format=csv",
    "/api/log/self/export?format=jsonl",
    "/api/usage/self?by=model&step=day",
    "/api/usage/self/export?by=model&step=day&format=csv",
  ]) {
    const answer = await fetch(stage.server.url + path, { headers: { cookie: account.owner.cookie } });
    const text = await answer.text();
    expect(text, path).toContain("gpt-4o");
    expect(text, path).not.toMatch(/cost|0\.6 ÷|\b480\b/);
  }
  await expect(change('{"rules":[{"model":"m","of":"list","factor":-1}]}')).rejects.toThrow("rules.0");
});

it("adds up the earnings, and compares them with the upstream's bill", async () => {
  const [channel] = await stage.root.data<{ id: number }[]>("GET", "/api/channel/?p=0");
  const id = channel?.id ?? 0;
  const report = () => stage.root.data<ProfitWire>("GET", `/api/profit?by=model&channel=${id}&order=name`);
  const before = await report();
  const rules = '{"rules":[{"model":"gpt-*","prices":[{"input":2,"output":9,"cacheRead":1}]}]}';
  await stage.root.data("PUT", "/api/channel/", { id, buying_prices: rules });
  stage.upstream.script({ usage: CACHED });
  // (200 × 2 + 800 × 1 + 10 × 9) ÷ 2
  const bought = await ask("gpt-4o");
  expect(bought.cost_thousandths).toBe(645_000);
  const after = await report();
  expect(after.total.revenue - before.total.revenue).toBe(bought.quota);
  expect(after.total.cost_thousandths - before.total.cost_thousandths).toBe(645_000);
  expect(after.total.unknown_requests).toBe(before.total.unknown_requests);
  expect(after.rows.reduce((sum, { revenue }) => sum + revenue, 0)).toBe(after.total.revenue);
  const preview = await stage.root.data<{ rows: { buys?: unknown; sells: { margin?: number }[] }[] }>(
    "POST",
    "/api/channel/buying_prices/preview",
    { models: "gpt-4o", buying_prices: '{"default":{"of":"list","factor":3}}' },
  );
  expect(preview.rows[0]).toMatchObject({ buys: { input: 7.5, output: 30 } });
  expect(preview.rows[0]?.sells[0]?.margin).toBeLessThan(0);
  const day = new Date().toISOString().slice(0, 10);
  const expected = after.rows.find(({ key }) => key === "gpt-4o")?.cost_thousandths ?? 0;
  const file = Buffer.from(`date,model,usd\n${day},openai/gpt-4o,1\n`).toString("base64");
  const compared = await stage.root.data<{ id: number; rows: unknown[] }>("POST", "/api/reconciliation", {
    ...{ channel: id, file, date: "date", amount: "usd", model: "model", decimal: "." },
    ...{ units_per_usd: 1, offset_minutes: 0, threshold_percent: 5 },
  });
  expect(compared.rows).toContainEqual(
    expect.objectContaining({ day, model: "openai/gpt-4o", expected, billed: 500_000_000 }),
  );
  expect(await stage.root.data("GET", `/api/reconciliation/${compared.id}`)).toEqual(compared);
  const listed = (p: number) => stage.root.data<{ id: number }[]>("GET", `/api/reconciliation?p=${p}`);
  expect((await listed(0)).map((each) => each.id)).toEqual([compared.id]);
  expect(await listed(1)).toEqual([]);
  await stage.root.data("PUT", "/api/channel/", { id, buying_prices: "" });
});

it("books the likely cost of an answer that its client did not wait for, without a request", async () => {
  const [channel] = await stage.root.data<{ id: number }[]>("GET", "/api/channel/?p=0");
  const id = channel?.id ?? 0;
  const report = () => stage.root.data<ProfitWire>("GET", `/api/profit?by=model&channel=${id}&order=name`);
  const rules = '{"rules":[{"model":"gpt-*","prices":[{"input":2,"output":9}]}]}';
  await stage.root.data("PUT", "/api/channel/", { id, buying_prices: rules });
  const before = await report();
  stage.upstream.script({ fault: "slow-first-byte", delayMs: 5000 });
  const left = fetch(`${stage.server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}` },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "hi".repeat(200) }] }),
    signal: AbortSignal.timeout(500),
  });
  await expect(left).rejects.toThrow();
  const cost = async () => (await report()).total.cost_thousandths - before.total.cost_thousandths;
  await expect.poll(cost, { timeout: 10_000 }).toBeGreaterThan(0);
  const { total } = await report();
  expect([total.requests, total.revenue]).toEqual([before.total.requests, before.total.revenue]);
  await stage.root.data("PUT", "/api/channel/", { id, buying_prices: "" });
});

it("refuses prices that cannot be meant, and names the place", async () => {
  for (const [key, value, place] of [
    ["ModelPrice", '{"a":{"ouput":1,"input":1}}', "a.ouput"],
    ["ModelPrice", "[]", "JSON"],
    ["CacheRatio", '{"a":-1}', "a"],
  ] as const) {
    await expect(stage.setOption(key, value)).rejects.toThrow(place);
  }
  expect(await ask("per-call")).toMatchObject({ quota: 5000 });
});

/** Runs a draft over everything. @returns its result once it is there. */
const rehearse = async (id: number): Promise<NonNullable<Rehearsal["result"]>> => {
  const path = `/api/price-drafts/${id}/rehearsal`;
  const now = Math.floor(Date.now() / 1000);
  await stage.root.data("POST", path, { from: now - 3600, to: now + 60 });
  for (let tries = 0; tries < 200; tries += 1) {
    const { state, result, reason }: Rehearsal = await stage.root.data("GET", path);
    if (result) return result;
    expect([state, reason]).toEqual(["running", undefined]);
    await wait(25);
  }
  throw new Error("the rehearsal does not end");
};

it("rehearses a draft over the recorded usage, to the unit, and charges by it once it is published", async () => {
  const OUT = { input: 1000, output: 7, cacheRead: 100 };
  stage.upstream.script({ usage: CACHED }, { usage: OUT }, { usage: CACHED });
  await stage.setOption("FallbackModelRatio", "1");
  await stage.setOption("CompletionRatio", '{"rehearsed":3.3}');
  await stage.setOption("CacheRatio", '{"rehearsed":0.1}');
  const charged: number[] = [];
  for (let call = 0; call < 3; call += 1) charged.push((await ask("rehearsed")).quota);
  const create = (name: string, changes: object): Promise<PriceDraft> =>
    stage.root.data("POST", "/api/price-drafts", { name, changes });
  const ofModel = ({ models }: NonNullable<Rehearsal["result"]>) =>
    models.find(({ name }) => name === "rehearsed");
  const sum = charged.reduce((all, quota) => all + quota, 0);

  const unchanged = await rehearse((await create("unchanged", { ModelRatio: { elsewhere: 2 } })).id);
  const { quota } = await stage.root.data<{ quota: number }>("GET", "/api/log/stat?type=2");
  expect(unchanged.total.charged).toBe(quota);
  expect(ofModel(unchanged)).toMatchObject({ lines: 3, charged: sum, rehearsed: sum });
  expect(unchanged.kept).toMatchObject({ unrecorded: { lines: 0, quota: 0 }, "no-price": { lines: 0 } });

  const draft = await create("dearer", { ModelRatio: { rehearsed: 2.5 }, CompletionRatio: { rehearsed: 4 } });
  const dearer = await rehearse(draft.id);
  const next = (200 + 80 + 40) * 2.5 * 2 + (900 + 10 + 28) * 2.5;
  expect(ofModel(dearer)).toMatchObject({ lines: 3, charged: sum, rehearsed: next });
  const [listed] = await stage.root.data<Record<string, unknown>[]>("GET", "/api/price-drafts");
  expect(listed).toMatchObject({ id: draft.id, name: "dearer", change_count: 2, conflict_count: 0 });
  expect(listed).not.toHaveProperty("changes");
  const whole: PriceDraft = await stage.root.data("GET", `/api/price-drafts/${draft.id}`);
  expect(whole).toMatchObject({ changes: { ModelRatio: { rehearsed: 2.5 } }, conflicts: [] });
  expect(dearer.users).toContainEqual(expect.objectContaining({ name: "payer" }));
  const published: PriceDraft = await stage.root.data("POST", `/api/price-drafts/${draft.id}/publish`, {
    revision: draft.revision,
  });
  expect(published.state).toBe("published");
  stage.upstream.script({ usage: OUT });
  expect(await ask("rehearsed")).toMatchObject({ quota: (900 + 10 + 28) * 2.5 });
});
