import type { LogWire } from "@tollgate/contract/api/logs";
import type { ModelStatusWire } from "@tollgate/contract/api/model-status";
import type { Receipt } from "@tollgate/contract/api/receipts";
import type { OwnLatency, UsagePointWire, UserLatency } from "@tollgate/contract/api/usage";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { saveOptions, succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let upstream: FakeUpstream;
let spender: Person;
let key: string;
let channel: number;
let fallback: number;

/** The upstream says 13 tokens in and 5 out. */
const PRICE = Math.ceil((13 + 5 * 2) * 0.75);

const now = (): number => Math.floor(Date.now() / 1000);

/** Makes a request and reads its answer to the end. @returns its id. */
const ask = async (body: Record<string, unknown> = {}, status = 200): Promise<string> => {
  const answer = await fetch(`${world.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({
      model: "gpt-3.5-turbo",
      messages: [{ role: "user", content: "hi" }],
      max_tokens: 5,
      ...body,
    }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(status);
  return answer.headers.get("x-oneapi-request-id") ?? "";
};

const receiptOf = (reader: Person, requestId: string): Promise<Receipt> =>
  succeed(reader.api("GET", `/api/log/${reader === spender ? "self/" : ""}receipt?request_id=${requestId}`));

/** A failed request is noted behind its answer: no caller waits for it. */
const waitForReceipt = (requestId: string): Promise<Receipt> =>
  vi.waitFor(() => receiptOf(world.admin, requestId), { timeout: 30_000 });

const usage = (reader: Person, query: string): Promise<UsagePointWire[]> =>
  succeed(reader.api("GET", `/api/usage${reader === spender ? "/self" : ""}?${query}`));

beforeAll(async () => {
  [world, upstream] = await Promise.all([startManagementWorld(), startFakeUpstream()]);
  channel = await addChannel(world.root, {
    name: "first",
    base_url: upstream.url,
    models: "gpt-3.5-turbo,gpt-4,alias",
    model_mapping: '{"alias":"gpt-4"}',
    priority: 2,
  });
  fallback = await addChannel(world.root, {
    name: "second",
    base_url: upstream.url,
    models: "gpt-3.5-turbo",
    priority: 1,
  });
  spender = await world.newUser({ quota: 10_000_000 });
  key = (await addApiKey(spender, { name: "laptop", unlimited_quota: true })).key;
  await succeed(world.root.api("PUT", "/api/option/", { key: "RetryTimes", value: "1" }));
});

beforeEach(() => upstream.reset());

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

describe("the receipt", () => {
  it("shows a request's course and cost, as soon as its answer has ended", async () => {
    const id = await ask();
    const receipt = await receiptOf(world.admin, id);
    expect(receipt).toMatchObject({
      request_id: id,
      username: spender.username,
      token_name: "laptop",
      model_name: "gpt-3.5-turbo",
      upstream_model: "gpt-3.5-turbo",
      is_stream: false,
      end: "complete",
      prompt_tokens: 13,
      completion_tokens: 5,
      prompt_source: "upstream",
      completion_source: "upstream",
      quota: PRICE,
      shortfall: 0,
      formula: `ceil((13 × 1 + 5 × 2) × 0.75 × 1) = ${PRICE}`,
      attempts: [{ channel, channel_name: "first", outcome: "ok", status: 200 }],
    });
    expect(receipt.first_byte_ms).toBeUndefined();
    const [line] = await succeed<Record<string, unknown>[]>(spender.api("GET", "/api/log/self?p=0"));
    expect(line).toMatchObject({ request_id: id, is_stream: false, duration_ms: receipt.duration_ms });
  });

  it("hides the channel from its owner, and rejects other users", async () => {
    const id = await ask();
    const own = await receiptOf(spender, id);
    expect(own.attempts).toMatchObject([{ channel: 0, channel_name: "", outcome: "ok" }]);
    const others = await world.other.api("GET", `/api/log/self/receipt?request_id=${id}`);
    expect(others.body).toMatchObject({ success: false, message: "记录不存在" });
  });

  it("tells of a stream when it began, and which model was asked in place of which", async () => {
    const id = await ask({ model: "alias", stream: true });
    const receipt = await receiptOf(world.admin, id);
    expect(receipt).toMatchObject({ model_name: "alias", upstream_model: "gpt-4", is_stream: true });
    expect(receipt.first_byte_ms).toBeLessThanOrEqual(receipt.duration_ms);
    expect(receipt.formula).toMatch(/^ceil\(\(13 × 1 \+ 5 × 2\) × 15 × 1\) = 345$/);
  });

  it("shows each attempt and the counted tokens", async () => {
    upstream.script({ fault: "500" }, { fault: "no-usage" });
    const receipt = await receiptOf(world.admin, await ask());
    expect(receipt.attempts).toMatchObject([
      { channel, outcome: "overloaded", status: 500 },
      { channel: fallback, outcome: "ok", status: 200 },
    ]);
    expect([receipt.prompt_source, receipt.completion_source]).toEqual(["counted", "counted"]);
  });

  it("exists of a request that failed, which costs nothing, and whose line says so", async () => {
    upstream.script({ fault: "500" });
    const id = await ask({}, 502);
    const receipt = await waitForReceipt(id);
    expect(receipt).toMatchObject({ end: "failed", quota: 0, prompt_source: "none" });
    expect(receipt.attempts).toMatchObject([
      { channel, outcome: "overloaded" },
      { channel: fallback, outcome: "overloaded" },
    ]);
    const lines = await succeed<LogWire[]>(spender.api("GET", "/api/log/self?p=0"));
    expect(lines.filter((line) => line.request_id === id)).toMatchObject([
      { type: 5, quota: 0, status: 502 },
    ]);
  });

  it("names the prices that held", async () => {
    const before = await receiptOf(world.admin, await ask());
    const put = (value: string) => world.root.api("PUT", "/api/option/", { key: "GroupRatio", value });
    await succeed(put('{"default":2,"svip":1,"vip":1}'));
    const after = await receiptOf(world.admin, await ask());
    await succeed(put('{"default":1,"svip":1,"vip":1}'));
    expect(after.price_version).toBeGreaterThan(before.price_version);
    expect(after.formula).toContain("× 0.75 × 2)");
  });

  it("is not deceived about the version of prices", async () => {
    const answer = await world.root.api("PUT", "/api/option/", { key: "PriceVersion", value: "1" });
    expect(answer.body.success).toBe(false);
    const listed = await succeed<{ key: string }[]>(world.root.api("GET", "/api/option/"));
    expect(listed.map((option) => option.key)).not.toContain("PriceVersion");
  });
});

describe("usage", () => {
  let person: Person;

  beforeAll(async () => {
    person = spender;
    spender = await world.newUser({ quota: 10_000_000 });
    key = (await addApiKey(spender, { name: "server", unlimited_quota: true })).key;
    upstream.reset();
    await ask();
    await ask({ stream: true });
    await ask({ model: "gpt-4" });
    upstream.script({ fault: "500" });
    await waitForReceipt(await ask({}, 502));
    Object.assign(world.names, { spender: spender.username, spenderId: spender.id });
    world.callers.spender = () => ({ cookie: spender.cookie });
  });

  it("adds up requests, errors, tokens, quota and times", async () => {
    const points = await usage(spender, "step=day");
    expect(points).toMatchObject([
      { key: "", name: "", requests: 3, errors: 1, prompt_tokens: 39, completion_tokens: 15, streams: 1 },
    ]);
    expect(points[0]?.quota).toBe(2 * PRICE + 345);
    expect(points[0]?.duration_ms).toBeGreaterThan(0);
    expect((points[0]?.time ?? 1) % 86_400).toBe(0);
  });

  it("is told apart by model, token, channel and user", async () => {
    const keysOf = (points: UsagePointWire[]) => points.map(({ key: of, name, quota }) => [of, name, quota]);
    expect(keysOf(await usage(spender, "by=model"))).toEqual([
      ["gpt-4", "gpt-4", 345],
      ["gpt-3.5-turbo", "gpt-3.5-turbo", 2 * PRICE],
    ]);
    const total = 2 * PRICE + 345;
    const filter = `username=${spender.username}`;
    expect(keysOf(await usage(spender, "by=token"))).toMatchObject([[expect.any(String), "server", total]]);
    expect(keysOf(await usage(world.admin, `by=channel&${filter}`))).toEqual([
      [String(channel), "first", total],
      [String(fallback), "second", 0],
    ]);
    expect(keysOf(await usage(world.admin, `by=user&${filter}`))).toEqual([
      [String(spender.id), spender.username, total],
    ]);
    expect(keysOf(await usage(world.admin, "by=user"))).toHaveLength(2);
  });

  it("tells only the largest apart where that is enough, and adds the others up", async () => {
    const of = (points: UsagePointWire[]) =>
      points.map(({ key: name, quota, errors, others }) => [name, quota, errors, others]);
    // The first user has used more in every way.
    expect(of(await usage(world.admin, "by=user&top=1"))).toEqual([
      [String(person.id), expect.any(Number), 1, undefined],
      ["", 2 * PRICE + 345, 1, 1],
    ]);
    // Neither model is the larger one by everything.
    const byModel = await usage(spender, "by=model");
    expect(await usage(spender, "by=model&top=1")).toEqual(byModel);
    expect(byModel).toHaveLength(2);
  });

  it("is one's own only, whatever is asked for", async () => {
    expect(await usage(spender, `username=${person.username}`)).toEqual(await usage(spender, ""));
  });

  it("has percentiles of one's own requests alone, whatever is asked for", async () => {
    const own = async (query: string): Promise<OwnLatency> => {
      await usage(spender, "");
      return succeed<OwnLatency>(spender.api("GET", `/api/usage/self/latency?step=range&${query}`));
    };
    const { points, since } = await own("");
    expect(since).toBeUndefined();
    expect(points).toMatchObject([{ time: 0, duration: { requests: 3 }, first_byte: { requests: 1 } }]);
    for (const others of [`username=${person.username}`, `user_id=${person.id}`, `channel=${fallback}`])
      expect(await own(others)).toEqual({ points });
    expect((await own("token_name=laptop")).points).toEqual([]);
    expect((await own("token_name=server")).points).toEqual(points);
    expect(
      (await own("by=model")).points.map(({ key: name, duration }) => [name, duration?.requests]),
    ).toEqual(
      expect.arrayContaining([
        ["gpt-4", 1],
        ["gpt-3.5-turbo", 2],
      ]),
    );
  });
});

describe("percentiles of one user's requests for administrators", () => {
  const seen = async (query: string): Promise<UserLatency> => {
    await usage(spender, "");
    return succeed<UserLatency>(world.admin.api("GET", `/api/usage/user/latency?step=range&${query}`));
  };

  it("are those that the user sees", async () => {
    const { points } = await seen(`username=${spender.username}`);
    expect(points).toMatchObject([{ time: 0, duration: { requests: 3 }, first_byte: { requests: 1 } }]);
    expect((await seen("token_name=server")).points).toEqual(points);
    expect((await seen(`username=${spender.username}&token_name=laptop`)).points).toEqual([]);
    expect((await seen("username=unheard-of")).points).toEqual([]);
  });

  it("are those of the account that has the name now, where another had it before", async () => {
    const spendersKey = key;
    const [former, holder] = [
      await world.newUser({ quota: 100_000 }),
      await world.newUser({ quota: 100_000 }),
    ];
    key = (await addApiKey(former, { name: "former", unlimited_quota: true })).key;
    await ask();
    await ask();
    await succeed(world.root.api("DELETE", `/api/user/${former.id}`));
    await succeed(world.root.api("PUT", "/api/user/", { id: holder.id, username: former.username }));
    key = (await addApiKey(holder, { name: "holder", unlimited_quota: true })).key;
    await ask();
    key = spendersKey;
    expect((await seen(`username=${former.username}`)).points).toMatchObject([{ duration: { requests: 1 } }]);
  });
});

describeRows("a question about usage", () => world, [
  ...["by=channel", "by=user", "by=x", "step=week", "offset_minutes=9000", "top=0", "top=x", "top=1001"].map(
    (query) => ({
      who: "spender",
      method: "GET",
      path: `/api/usage/self?${query}`,
      success: false,
      says: "无效的参数",
    }),
  ),
  ...["by=channel", "by=user", "step=week", "offset_minutes=9000"].map((query) => ({
    who: "spender",
    method: "GET",
    path: `/api/usage/self/latency?${query}`,
    success: false,
    says: "无效的参数",
  })),
  { who: "admin", method: "GET", path: "/api/usage?by=x", success: false, says: "无效的参数" },
  ...["", "model_name=gpt-4", "username={spender}&by=user", "username={spender}&step=week"].map((query) => ({
    who: "admin",
    method: "GET",
    path: `/api/usage/user/latency?${query}`,
    success: false,
    says: "无效的参数",
  })),
  {
    title: "has no answer outside of its time",
    who: "admin",
    method: "GET",
    path: `/api/usage?start_timestamp=${now() + 9999}`,
    success: true,
    data: [],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/usage?username={spender}&model_name=gpt-4&step=hour&offset_minutes=480&end_timestamp=9999999999",
    success: true,
    data: [{ quota: 345 }],
  },
]);

describe("the status of models", () => {
  const statusFor = async (init?: RequestInit) => fetch(`${world.url}/api/model-status`, init);

  it("has the faults of a model in whose place another one answered, and that one's successes", async () => {
    const channels = [
      await addChannel(world.root, {
        name: "shaky",
        base_url: upstream.url,
        models: "shaky",
        model_mapping: '{"shaky":"shaky-2"}',
      }),
      await addChannel(world.root, { name: "steady", base_url: upstream.url, models: "steady" }),
    ];
    await saveOptions(world.root, {
      FallbackModelRatio: "1",
      ModelFallbacks: '{"shaky":["steady"]}',
    });
    for (let asked = 0; asked < 12; asked += 1) {
      upstream.script({ fault: "500" }, {});
      await ask({ model: "shaky" });
    }
    for (let asked = 0; asked < 4; asked += 1) await ask({ model: "shaky" });
    // The page waits for no line, and keeps what it was told for a minute: this waits for them.
    await usage(world.admin, "by=model");
    const { models } = await succeed<ModelStatusWire>(world.admin.api("GET", "/api/model-status"));
    const dayOf = (name: string) => models.find(({ model }) => model === name)?.day.success;
    expect([dayOf("shaky"), dayOf("steady")]).toEqual([0.25, 1]);
    for (const id of channels) await succeed(world.root.api("DELETE", `/api/channel/${id}`));
  }, 60_000);

  it("is open to guests only when it is public, and closed to administrators when it is off", async () => {
    expect((await statusFor()).status).toBe(401);
    await saveOptions(world.root, { ModelStatusPage: "off" });
    expect((await world.admin.api("GET", "/api/model-status")).status).toBe(403);
    await saveOptions(world.root, { ModelStatusPage: "public" });
    expect((await statusFor()).status).toBe(200);
    await saveOptions(world.root, { ModelStatusPage: "signed-in" });
  });

  it("names the models that clients may request, and neither channels nor request counts", async () => {
    const status = await succeed<ModelStatusWire>(spender.api("GET", "/api/model-status"));
    expect(status.models.map(({ model }) => model)).toEqual(["alias", "gpt-3.5-turbo", "gpt-4"]);
    expect(JSON.stringify(status)).not.toMatch(/first"|second|requests/);
  });
});
