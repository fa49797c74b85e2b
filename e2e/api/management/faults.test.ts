import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { ApiKeyWire } from "@tollgate/contract/api/api-keys";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

/* Faults of the contract's section 7 that need the whole product to be shown absent (docs/reference/faults.md). */

let world: ManagementWorld;
let upstream: FakeUpstream;

/** One answer of gpt-4 with the fake upstream's 13 and 5 tokens. */
const PRICE = 345;

const ask = (key: string, more: Record<string, unknown> = {}) =>
  callApi(
    world.url,
    "POST",
    "/v1/chat/completions",
    { model: "gpt-4", messages: [{ role: "user", content: "hi" }], max_tokens: 5, ...more },
    { token: `Bearer sk-${key}` },
  );

const quotaOf = async (person: Person): Promise<number> =>
  (await succeed<{ quota: number }>(person.api("GET", "/api/user/self"))).quota;

const tokenOf = (person: Person, id: number) => succeed<ApiKeyWire>(person.api("GET", `/api/token/${id}`));

beforeAll(async () => {
  [world, upstream] = await Promise.all([startManagementWorld(), startFakeUpstream()]);
  await addChannel(world.root, {
    base_url: upstream.url,
    models: "gpt-4,alias",
    model_mapping: '{"alias":"gpt-4"}',
  });
  await addChannel(world.root, {
    base_url: "http://127.0.0.1:9",
    models: "gpt-4-0613",
    key: "sk-away-secret",
  });
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

beforeEach(() => upstream.reset());

describe("money", () => {
  it("7.1 #1: twelve requests at once on quota for one are one answer and eleven refusals", async () => {
    const person = await world.newUser({ quota: PRICE + 10 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    upstream.script({ fault: "slow-first-byte", delayMs: 200 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(key)));
    const statuses = answers.map(({ status }) => status).sort();
    // 429 while the first one holds the balance, 403 for requests after it.
    expect(statuses).toEqual([
      200,
      ...Array(11).fill(expect.toSatisfy((status) => status === 429 || status === 403)),
    ]);
    expect(await quotaOf(person)).toBe(10);
  });

  it("7.1 #2: a key's own limit holds for a rich user, too", async () => {
    const person = await world.newUser({ quota: 1_000_000_000 });
    const token = await addApiKey(person, { remain_quota: 10 });
    expect((await ask(token.key)).status).toBe(403);
    expect(await tokenOf(person, token.id)).toMatchObject({ remain_quota: 10, used_quota: 0 });
    expect(await quotaOf(person)).toBe(1_000_000_000);
    expect(upstream.requests).toEqual([]);
  });

  it("7.1 #3: an upstream that cannot be reached costs nothing, and 7.2 #5: its address and key stay inside", async () => {
    const person = await world.newUser({ quota: 100_000 });
    const token = await addApiKey(person, { remain_quota: 50_000 });
    const answer = await ask(token.key, { model: "gpt-4-0613" });
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(answer.text).not.toMatch(/127\.0\.0\.1|sk-away-secret|ECONN/);
    expect(await quotaOf(person)).toBe(100_000);
    expect(await tokenOf(person, token.id)).toMatchObject({ remain_quota: 50_000, used_quota: 0 });
    expect((await ask(token.key)).status).toBe(200);
  });

  it.each([-1, -1_000_000, 0.5, "5"])(
    "7.1 #4: max_tokens %j is no way to a negative hold",
    async (max_tokens) => {
      const person = await world.newUser();
      const { key } = await addApiKey(person, { unlimited_quota: true });
      expect((await ask(key, { max_tokens })).status).toBeGreaterThanOrEqual(400);
      expect(upstream.requests).toEqual([]);
      expect(await quotaOf(person)).toBe(0);
    },
  );

  it("7.1 #9: content given as parts is counted when the upstream does not count", async () => {
    const person = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    upstream.script({ fault: "no-usage" });
    const text = "a long prompt in parts ".repeat(100);
    const messages = [{ role: "user", content: [{ type: "text", text }] }];
    expect((await ask(key, { messages })).status).toBe(200);
    expect(1_000_000 - (await quotaOf(person))).toBeGreaterThan(300 * 15);
  });

  it("7.1 #11: a key that is deleted while it is used is charged to its own user", async () => {
    const person = await world.newUser({ quota: 100_000 });
    const token = await addApiKey(person, { unlimited_quota: true });
    upstream.script({ fault: "slow-first-byte", delayMs: 300 });
    const asked = ask(token.key);
    await expect.poll(() => upstream.requests.length).toBe(1);
    await succeed(person.api("DELETE", `/api/token/${token.id}`));
    expect((await asked).status).toBe(200);
    expect(await quotaOf(person)).toBe(100_000 - PRICE);
  });

  it("7.1 #13: top-ups, bans and edits count from the next request on", async () => {
    const person = await world.newUser();
    const token = await addApiKey(person, { unlimited_quota: true });
    expect((await ask(token.key)).status).toBe(403);
    const [code] = await succeed<string[]>(
      world.admin.api("POST", "/api/redemption/", { name: "n", quota: 1000, count: 1 }),
    );
    await succeed(person.api("POST", "/api/user/topup", { key: code }));
    expect((await ask(token.key)).status).toBe(200);
    await succeed(world.root.api("PUT", "/api/user/", { id: person.id, quota: 0 }));
    expect((await ask(token.key)).status).toBe(403);
  });

  it("7.1 #14: an edit with a stale page in hand does not undo a charge", async () => {
    const person = await world.newUser({ quota: 100_000 });
    const token = await addApiKey(person, { remain_quota: 50_000 });
    const [user, key] = [
      await succeed<Record<string, unknown>>(world.root.api("GET", `/api/user/${person.id}`)),
      await tokenOf(person, token.id),
    ];
    expect((await ask(token.key)).status).toBe(200);
    const { quota: _, ...rest } = user;
    await succeed(world.root.api("PUT", "/api/user/", { ...rest, display_name: "renamed" }));
    await succeed(person.api("PUT", "/api/token/", { id: key.id, name: "renamed" }));
    const after = await succeed<Record<string, unknown>>(world.root.api("GET", `/api/user/${person.id}`));
    expect(after).toMatchObject({
      quota: 100_000 - PRICE,
      used_quota: PRICE,
      request_count: 1,
      display_name: "renamed",
    });
    expect(await tokenOf(person, token.id)).toMatchObject({
      remain_quota: 50_000 - PRICE,
      used_quota: PRICE,
    });
  });

  it("7.1 #18: free requests and unlimited keys leave their traces", async () => {
    const person = await world.newUser({ quota: 100_000 });
    const token = await addApiKey(person, { remain_quota: 0, unlimited_quota: true });
    expect((await ask(token.key)).status).toBe(200);
    expect(await tokenOf(person, token.id)).toMatchObject({ used_quota: PRICE, remain_quota: 0 });
    await saveOptions(world.root, { GroupRatio: '{"default":0}' });
    expect((await ask(token.key)).status).toBe(200);
    await saveOptions(world.root, { GroupRatio: '{"default":1,"svip":1,"vip":1}' });
    const self = await succeed<Record<string, unknown>>(person.api("GET", "/api/user/self"));
    expect(self).toMatchObject({ request_count: 2, used_quota: PRICE });
    const logs = await succeed<{ quota: number }[]>(person.api("GET", "/api/log/self?type=2"));
    expect(logs.map(({ quota }) => quota)).toEqual([0, PRICE]);
  });

  it("7.1 #19: a mapped model keeps unknown fields and explicit zeros", async () => {
    const person = await world.newUser({ quota: 100_000 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    const more = { temperature: 0, stop: ["x"], logit_bias: { "1": -1 }, brand_new: { nested: null } };
    expect((await ask(key, { model: "alias", ...more })).status).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject({ model: "gpt-4", ...more });
  });

  it("7.1 #20: a balance beyond 32 bits is exact", async () => {
    const person = await world.newUser({ quota: 9_000_000_000_000 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    expect((await ask(key)).status).toBe(200);
    expect(await quotaOf(person)).toBe(9_000_000_000_000 - PRICE);
  });
});

describe("robustness", () => {
  it("7.3 #3, #4: a deleted channel serves no request, and an edit creates no channel", async () => {
    const person = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    await saveOptions(world.root, { FallbackModelRatio: "1" });
    const id = await addChannel(world.root, { base_url: upstream.url, models: "only-here", priority: 0 });
    expect((await ask(key, { model: "only-here" })).status).toBe(200);
    await succeed(world.root.api("DELETE", `/api/channel/${id}`));
    const edit = await world.root.api("PUT", "/api/channel/", { id, status: 1, models: "only-here" });
    expect(edit.body.success).toBe(false);
    const answer = await ask(key, { model: "only-here" });
    expect(answer.status).toBe(404);
    expect(answer.text).toContain("无可用渠道");
    await saveOptions(world.root, { FallbackModelRatio: "" });
  });

  it("7.3 #1: a channel of an unknown type stops neither the test of all channels nor the process", async () => {
    const answer = await world.root.api("POST", "/api/channel/", {
      type: 99,
      name: "n",
      key: "k",
      models: "m",
    });
    expect(answer.body.success).toBe(false);
    await succeed(world.root.api("GET", "/api/channel/test"));
    await wait(300);
    expect((await callApi(world.url, "GET", "/healthz")).status).toBe(200);
  });

  it("7.2 #20: an upstream's own headers stay with the gateway", async () => {
    const person = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    const { headers } = await ask(key);
    const names = [...headers.keys()].sort();
    const allowed = [
      "connection",
      "content-length",
      "content-type",
      "date",
      "keep-alive",
      "transfer-encoding",
      "x-oneapi-request-id",
      "x-request-id",
    ];
    expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
  });

  it("7.2 #24: an upstream's 401 is the gateway's trouble, not the client's", async () => {
    const person = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    upstream.script({ fault: "401" });
    const answer = await ask(key);
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain("Incorrect API key");
    expect(await quotaOf(person)).toBe(1_000_000);
  });

  it("7.3 #12: ratios that were refused leave the prices as they were", async () => {
    const person = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(person, { unlimited_quota: true });
    await world.root.api("PUT", "/api/option/", { key: "ModelRatio", value: '{"gpt-4":' });
    expect((await ask(key)).status).toBe(200);
    expect(await quotaOf(person)).toBe(1_000_000 - PRICE);
  });
});

describe("docs/reference/faults.md", () => {
  const root = new URL("../../../", import.meta.url);
  const table = readFileSync(new URL("docs/reference/faults.md", root), "utf8");
  const rows = [...table.matchAll(/^\| (7\.[123] #\d+) \| ([^|]+) \| ([^|]+) \|$/gm)];

  it("has a row for each of the 72 faults", () => {
    const wanted = [21, 24, 27].flatMap((count, section) =>
      Array.from({ length: count }, (_, index) => `7.${section + 1} #${index + 1}`),
    );
    expect(rows.map(([, number]) => number)).toEqual(wanted);
  });

  it("names only tests that exist, and gives a reason where it names none", () => {
    const missing: string[] = [];
    for (const [, number, , shown = ""] of rows) {
      const named = [...shown.matchAll(/`([^`]+\.test\.ts)` › (.+?)(?=; `|; open|; lists|$)/g)];
      for (const [, file = "", title = ""] of named) {
        const path = new URL(file, root);
        if (!existsSync(path) || !readFileSync(path, "utf8").includes(title))
          missing.push(`${number}: ${file} › ${title}`);
      }
      if (named.length === 0 && !/cannot occur|open/.test(shown)) missing.push(`${number}: ${shown}`);
    }
    expect(missing).toEqual([]);
  });
});
