import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let upstream: FakeUpstream;
let owner: Person;

/** One answer of gpt-4 at the ratio 1: (13 + 5 × 2) × 15. */
const USUAL = 345;

const CHAT = { model: "gpt-4", messages: [{ role: "user", content: "hi" }], max_tokens: 5 };
const ask = (key: string) =>
  callApi(world.url, "POST", "/v1/chat/completions", CHAT, { token: `Bearer ${key}` });

const keyIn = async (group: string, more: object = {}): Promise<string> =>
  (await addApiKey(owner, { remain_quota: 0, unlimited_quota: true, group, ...more })).key;

interface Line {
  quota: number;
  content: string;
}

/** What an answer to this key cost, and what its receipt says. */
const pay = async (key: string) => {
  const answer = await ask(key);
  expect(answer.status, answer.text).toBe(200);
  const requestId = answer.headers.get("x-request-id") ?? "";
  const path = `/api/log/self/receipt?request_id=${requestId}`;
  await expect.poll(async () => (await owner.api("GET", path)).body).toMatchObject({ success: true });
  return succeed<{ quota: number; group?: string; rule?: object; formula: string }>(owner.api("GET", path));
};

const version = async (): Promise<number> =>
  (await succeed<{ price_version: number }>(world.root.api("GET", "/api/prices/rules"))).price_version;

const putRule = async (name: string, rule: object, more: object = {}) =>
  world.root.api("PUT", "/api/prices/rules", { name, rule, price_version: await version(), ...more });

beforeAll(async () => {
  [world, upstream] = await Promise.all([startManagementWorld(), startFakeUpstream()]);
  await saveOptions(world.root, {
    GroupRatio: '{"default":1,"vip":1,"svip":1,"cheap":0.5,"dear":2}',
    UserUsableGroups: '{"cheap":"Slow","dear":"Fast"}',
    AutoGroups: "dear,cheap",
  });
  await addChannel(world.root, { base_url: upstream.url, models: "gpt-4", group: "default,cheap" });
  // No upstream answers here.
  await addChannel(world.root, { base_url: "http://127.0.0.1:9", models: "gpt-4,only-dear", group: "dear" });
  owner = await world.newUser({ quota: 1_000_000 });
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

describe("a key's group", () => {
  it("decides price and channels, and stands on receipt and line", async () => {
    expect(await pay(await keyIn(""))).toMatchObject({ quota: USUAL });
    const paid = await pay(await keyIn("cheap"));
    expect(paid).toMatchObject({ quota: Math.ceil(USUAL / 2), group: "cheap" });
    const lines = await succeed<Line[]>(owner.api("GET", "/api/log/self?p=0"));
    expect(lines[0]).toMatchObject({ quota: Math.ceil(USUAL / 2) });
    expect(lines[0]?.content).toContain("分组 cheap");
  });

  it("decides the prices with which the key's models are listed", async () => {
    const read = async (group: string, path: string) => {
      const token = `Bearer ${await keyIn(group)}`;
      const answer = await callApi(world.url, "GET", path, undefined, { token });
      expect(answer.status, answer.text).toBe(200);
      return JSON.parse(answer.text) as { data: object[] };
    };
    const usual = { id: "gpt-4", object: "model", parent: null, pricing: { prompt: "0.00003" } };
    const cheap = { id: "gpt-4", traits: ["chat"], pricing: { prompt: "0.000015" } };
    expect((await read("", "/v1/models")).data).toMatchObject([usual]);
    expect((await read("cheap", "/v1/models")).data).toMatchObject([cheap]);
    expect(await read("cheap", "/v1/models/gpt-4")).toMatchObject(cheap);
  });

  it("is one of the offered groups, each with its ratio", async () => {
    const { groups, auto } = await succeed<{ groups: object[]; auto: string[] }>(
      owner.api("GET", "/api/user/groups"),
    );
    expect(groups).toEqual([
      { name: "default", description: "", ratio: "1", is_own: true },
      { name: "cheap", description: "Slow", ratio: "0.5", is_own: false },
      { name: "dear", description: "Fast", ratio: "2", is_own: false },
    ]);
    expect(auto).toEqual(["dear", "cheap"]);
    const refused = await owner.api("POST", "/api/token", { name: "k", group: "vip" });
    expect(refused.body).toMatchObject({ success: false, message: expect.stringContaining("vip") });
  });

  it("goes from group to group where it is automatic, and only the one that answered is paid", async () => {
    expect(await pay(await keyIn("auto"))).toMatchObject({ quota: Math.ceil(USUAL / 2), group: "cheap" });
    const own = await keyIn("auto", { auto_groups: "dear,default" });
    expect(await pay(own)).toMatchObject({ quota: USUAL, group: "default" });
  });

  it("decides which models there are", async () => {
    const modelsOf = async (group: string) => {
      const token = `Bearer ${await keyIn(group)}`;
      const { body } = await callApi(world.url, "GET", "/v1/models", undefined, { token });
      return (body as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    expect(await modelsOf("cheap")).toEqual(["gpt-4"]);
    expect(await modelsOf("auto")).toEqual(["gpt-4", "only-dear"]);
  });

  it("that is taken away refuses the key by name, and charges no other group's price", async () => {
    const key = await keyIn("cheap");
    await saveOptions(world.root, { UserUsableGroups: '{"dear":"Fast"}' });
    const refused = await ask(key);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("cheap");
    expect(refused.text).toContain("group_not_allowed");
    await saveOptions(world.root, { UserUsableGroups: '{"cheap":"Slow","dear":"Fast"}' });
    expect((await ask(key)).status).toBe(200);
  });
});

describe("price rules", () => {
  it("hold at once, in their order, and stand on the receipt", async () => {
    const key = await keyIn("");
    await succeed(putRule("For all", { models: "gpt*", factor: 0.5 }));
    expect(await pay(key)).toMatchObject({ quota: 173, rule: { name: "For all", factor: "0.5" } });
    const { username } = owner;
    await succeed(putRule("For one", { models: "*", ratio: 3, note: "secret note" }, { username }));
    const paid = await pay(key);
    expect(paid).toMatchObject({ quota: 3 * USUAL, rule: { name: "For one", ratio: "3" } });
    expect(JSON.stringify(paid)).not.toContain("secret note");
    const { rules } = await succeed<{ rules: { name: string; username: string }[] }>(
      world.root.api("GET", "/api/prices/rules"),
    );
    expect(rules.map((rule) => [rule.name, rule.username])).toEqual([
      ["For one", username],
      ["For all", ""],
    ]);
    const preview = { username, group: "default", model: "gpt-4" };
    const shown = await succeed(world.root.api("POST", "/api/prices/rules/preview", preview));
    expect(shown).toMatchObject({ price: { input: 90 }, usual: { input: 30 }, rule: { name: "For one" } });
    const changed = { models: "*", factor: 2 };
    await succeed(putRule("Renamed", changed, { username, before: "For one" }));
    expect(await pay(key)).toMatchObject({ quota: 2 * USUAL, rule: { name: "Renamed" } });
    for (const name of ["Renamed", "For all"])
      await succeed(world.root.api("DELETE", `/api/prices/rules?name=${encodeURIComponent(name)}`));
    expect((await pay(key)).rule).toBeUndefined();
  });

  it("are refused where they say nothing, have a name twice, or prices changed meanwhile", async () => {
    await succeed(putRule("__proto__", { models: "x", factor: 1 }));
    const messageOf = async (call: ReturnType<typeof putRule>) =>
      ((await call).body as { message: string }).message;
    expect(await messageOf(putRule("__proto__", { models: "x", factor: 1 }))).toContain("__proto__");
    expect(await messageOf(putRule("a", { models: "x" }))).toContain("a.factor");
    expect(await messageOf(putRule("a", { models: "x", factor: 1 }, { username: "nobody" }))).toContain(
      "nobody",
    );
    expect(await messageOf(putRule("a", { models: "x", factor: 1 }, { price_version: 0 }))).toContain("价格");
    await succeed(world.root.api("DELETE", "/api/prices/rules?name=__proto__"));
  });
});

describe("GET /api/pricing", () => {
  const read = (headers: Record<string, string> = {}) =>
    callApi(world.url, "GET", "/api/pricing", undefined, {}, headers);

  it("is open to guests, to users or closed, as the site's option says", async () => {
    expect((await read()).status).toBe(401);
    expect((await owner.api("GET", "/api/pricing")).status).toBe(200);
    await saveOptions(world.root, { PricePage: "off" });
    expect((await owner.api("GET", "/api/pricing")).status).toBe(403);
    await saveOptions(world.root, { PricePage: "public" });
    expect((await read()).status).toBe(200);
  });

  it("shows only the reader's groups, and sends no body when the ETag matches", async () => {
    await saveOptions(world.root, { PricePage: "public" });
    const first = await read();
    const answer = first.body as { data: { model_name: string; enable_groups: string[] }[] };
    expect(answer.data.map(({ model_name, enable_groups }) => [model_name, enable_groups])).toEqual([
      ["gpt-4", ["default", "cheap", "dear"]],
    ]);
    expect(first.text).not.toMatch(/svip|127\.0\.0\.1|channel/);
    const etag = first.headers.get("etag") ?? "";
    const again = await read({ "if-none-match": etag });
    expect([again.status, again.text]).toEqual([304, ""]);
    await succeed(putRule("mine", { models: "gpt-4", factor: 0.1 }, { username: owner.username }));
    expect((await read({ "if-none-match": etag })).status).toBe(304);
    const own = (await owner.api("GET", "/api/pricing")).text;
    expect(own).toContain('"mine"');
    expect((await world.other.api("GET", "/api/pricing")).text).not.toContain('"mine"');
    await succeed(world.root.api("DELETE", "/api/prices/rules?name=mine"));
    expect((await owner.api("GET", "/api/pricing")).text).not.toContain('"mine"');
  });
});

describe("the operator's private fields", () => {
  it("is told to no customer and no guest, whatever of theirs they read", async () => {
    await saveOptions(world.root, {
      PricePage: "public",
      ModelStatusPage: "public",
      GroupUsableGroups: '{"vip":{"hidden-group":"hidden-description"}}',
      ModelFallbacks: '{"gpt-4":["hidden-fallback"]}',
      GroupRouting: '{"default":"cheapest"}',
      BodyLogEnabled: "true",
    });
    const buying = { rules: [{ model: "gpt-4", prices: [{ input: 7.654321, output: 8.765432 }] }] };
    const channel = await addChannel(world.root, {
      name: "hidden-name",
      base_url: upstream.url,
      models: "gpt-4",
      group: "default,hidden-group",
      priority: 50,
      tag: "hidden-tag",
      test_model: "hidden-test",
      weight: 987_654,
      buying_prices: JSON.stringify(buying),
      overrides: JSON.stringify({
        body: { set: { user: "hidden-value" } },
        headers: { "x-hidden-header": "hidden-header-value" },
        status_codes: { "418": 519 },
      }),
    });
    await succeed(putRule("For another", { models: "*", factor: 0.123 }, { username: world.other.username }));
    await succeed(
      putRule("Mine", { models: "*", factor: 1, note: "hidden-note" }, { username: owner.username }),
    );
    const key = await keyIn("");
    const answer = await ask(key);
    expect(answer.status).toBe(200);
    const requestId = answer.headers.get("x-request-id") ?? "";
    const receipt = `/api/log/receipt?request_id=${requestId}`;
    await expect.poll(async () => (await world.root.api("GET", receipt)).text).toContain("cost_thousandths");
    const whole = (await world.root.api("GET", receipt)).text;
    // What administrators are told, so that the search below looks for what is there.
    expect(whole).toMatch(/hidden-name.*|x-hidden-header/);
    const cost = /"cost_thousandths":(\d+)/.exec(whole)?.[1] ?? "";
    // Whole numbers only: keys and tokens are random, and may contain any of these.
    const numbers = [
      "0\\.123",
      "7\\.654321",
      "8\\.765432",
      "987654",
      "519",
      cost,
      new URL(upstream.url).port,
    ];
    const hidden = new RegExp(
      `hidden|For another|cost|margin|chosen_by|cheapest|\\b(?:${numbers.join("|")})\\b`,
    );
    const paths = Object.entries(world.document.paths);
    const month = new Date().toISOString().slice(0, 7);
    const query = `request_id=${requestId}&start_timestamp=0&end_timestamp=9999999999&format=jsonl&month=${month}&by=model&p=0`;
    const read: string[] = [];
    for (const [template, operations] of paths) {
      if (operations.get === undefined || template === "/api/user/logout") continue;
      const path = `${template.replace(/\{[^}]+\}/g, String(channel))}?${query}`;
      for (const told of [await owner.api("GET", path), await callApi(world.url, "GET", path)]) {
        if (told.status === 200 && !told.text.startsWith('{"success":false')) read.push(template);
        expect(`${template} ${hidden.exec(told.text)?.[0] ?? ""}`).toBe(`${template} `);
      }
    }
    const ways = [
      "log/self",
      "log/self/receipt",
      "log/self/body",
      "log/self/export",
      "usage/self",
      "usage/self/export",
    ];
    const more = [
      "statement/self",
      "statement/self/export",
      "ledger/self",
      "pricing",
      "model-status",
      "user/groups",
    ];
    expect(read).toEqual(expect.arrayContaining([...ways, ...more].map((way) => `/api/${way}`)));
    const asked = await callApi(world.url, "GET", "/v1/models", undefined, { token: `Bearer ${key}` });
    expect(asked.text).not.toMatch(hidden);
    for (const [name, value] of answer.headers) expect(`${name}: ${value}`).not.toMatch(hidden);
  });
});
