import type { Receipt } from "@tollgate/contract/api/receipts";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runTollgate } from "../../run-tollgate";
import { saveOptions, signIn, succeed } from "./client";
import { type ManagementWorld, PASSWORD, type Person, startManagementWorld } from "./management-world";

/* The console's session reaches models, and pays as a key does. */

let world: ManagementWorld;
let upstream: FakeUpstream;
let key: string;
let owner: Person;

const MODEL = "gpt-3.5-turbo";
const CHAT = { model: MODEL, messages: [{ role: "user", content: "hello" }] };
const BALANCE = 1_000_000;
/** 13 prompt and 5 completion tokens, as the upstream reports them. */
const PRICE = 18;
const CONSOLE = "https://console.example.com";

beforeAll(async () => {
  [world, upstream] = await Promise.all([
    startManagementWorld({ ALLOWED_ORIGINS: CONSOLE }),
    startFakeUpstream(),
  ]);
  await addChannel(world.root, { type: 1, base_url: upstream.url, models: `${MODEL},tts-1,dall-e-2` });
  await addChannel(world.root, { type: 1, base_url: upstream.url, models: MODEL, group: "vip" });
  owner = await world.newUser({ quota: BALANCE });
  key = (await addApiKey(owner, { name: "mine", unlimited_quota: true })).key;
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

beforeEach(() => upstream.reset());

interface Sent {
  who?: { cookie: string };
  group?: string | undefined;
  path?: string;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends a request as the page does. */
const send = ({ who = owner, group = "", path = "/v1/chat/completions", ...sent }: Sent = {}) =>
  fetch(`${world.url}/pg${path}`, {
    method: sent.method ?? "POST",
    headers: {
      cookie: who.cookie,
      "content-type": "application/json",
      "x-playground-group": encodeURIComponent(group),
      ...sent.headers,
    },
    ...(sent.method === "GET" ? {} : { body: JSON.stringify(sent.body ?? CHAT) }),
    ...(sent.signal ? { signal: sent.signal } : {}),
  });

/** Status and code of a refusal; the code of an answer is undefined. */
const outcome = async (sent: Sent = {}): Promise<[number, string | undefined]> => {
  const response = await send(sent);
  const body = JSON.parse(await response.text()) as { error?: { code: string } };
  return [response.status, body.error?.code];
};

interface Stand {
  quota: number;
  used_quota: number;
  request_count: number;
}

const standOf = async ({ api }: Pick<Person, "api"> = owner): Promise<Stand> => {
  const { quota, used_quota, request_count } = await succeed<Stand>(api("GET", "/api/user/self"));
  return { quota, used_quota, request_count };
};

const idOf = (response: Response): string => response.headers.get("x-oneapi-request-id") ?? "";

const receiptOf = (requestId: string, who: Pick<Person, "api"> = owner) =>
  succeed<Receipt>(who.api("GET", `/api/log/self/receipt?request_id=${requestId}`));

interface Line {
  quota: number;
  token_name: string;
  token_id: number;
  request_id: string;
  completion_tokens: number;
}

const linesOf = (who: Pick<Person, "api">) => succeed<Line[]>(who.api("GET", "/api/log/self?p=0&type=2"));

describe("a request by the session", () => {
  it("is charged, logged and receipted exactly as one by a key", async () => {
    const before = await standOf();
    const byKey = await fetch(`${world.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer sk-${key}` },
      body: JSON.stringify(CHAT),
    });
    const answer = await byKey.json();
    const between = await standOf();
    const bySession = await send();
    expect(bySession.headers.get("cache-control")).toBe("no-store");
    const { id: _, ...same } = answer as { id: string };
    expect(await bySession.json()).toMatchObject(same);
    const after = await standOf();
    for (const [earlier, later] of [
      [before, between],
      [between, after],
    ] as const)
      expect(later).toEqual({
        quota: earlier.quota - PRICE,
        used_quota: earlier.used_quota + PRICE,
        request_count: earlier.request_count + 1,
      });
    const receipts = [await receiptOf(idOf(byKey)), await receiptOf(idOf(bySession))];
    const [ofKey, ofSession] = receipts.map(
      ({ request_id, created_at, token_id, token_name, attempts, duration_ms, first_byte_ms, ...rest }) =>
        rest,
    );
    expect(ofSession).toEqual(ofKey);
    expect(receipts[1]).toMatchObject({ token_name: "Playground", quota: PRICE });
    const lines = await linesOf(owner);
    expect(lines.map(({ quota, token_name }) => [token_name, quota]).slice(0, 2)).toEqual([
      ["Playground", PRICE],
      ["mine", PRICE],
    ]);
    expect(upstream.requests.map(({ headers }) => [headers.cookie, headers["x-playground-group"]])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(JSON.stringify(upstream.requests)).not.toContain(owner.cookie.replace("session=", ""));
  });

  it("serves the other operations, and the models of the chosen group", async () => {
    const image = await send({
      path: "/v1/images/generations",
      body: { model: "dall-e-2", prompt: "a cat" },
    });
    expect(image.status).toBe(200);
    const sound = await send({
      path: "/v1/audio/speech",
      body: { model: "tts-1", input: "hello", voice: "alloy" },
    });
    expect((await sound.arrayBuffer()).byteLength).toBeGreaterThan(0);
    const models = async (group: string) => {
      const listed = await send({ path: "/v1/models", method: "GET", group });
      const { data } = (await listed.json()) as { data: { id: string }[] };
      return data.map(({ id }) => id).sort();
    };
    expect(await models("")).toEqual(["dall-e-2", MODEL, "tts-1"].sort());
  });

  it("goes by a group that the user may choose, and by no other", async () => {
    expect(await outcome({ group: "vip" })).toEqual([403, "group_not_allowed"]);
    expect(await outcome({ group: "nothing, 不存在" })).toEqual([403, "group_not_allowed"]);
    await saveOptions(world.root, { UserUsableGroups: '{"vip":"fast"}' });
    const response = await send({ group: "vip" });
    expect(response.status).toBe(200);
    expect(await receiptOf(idOf(response))).toMatchObject({ group: "vip" });
    await saveOptions(world.root, { UserUsableGroups: "{}" });
    expect(await outcome({ group: "vip" })).toEqual([403, "group_not_allowed"]);
  });

  it("keeps the limits of its user, and has one of its own", async () => {
    const limited = await world.newUser({ quota: BALANCE, rpm: 2 });
    const seen = [];
    for (let each = 0; each < 3; each += 1) seen.push(await outcome({ who: limited }));
    expect(seen).toEqual([
      [200, undefined],
      [200, undefined],
      [429, "rate_limit_exceeded"],
    ]);
    upstream.script({ fault: "slow-first-byte", delayMs: 500 });
    const all = await Promise.all(Array.from({ length: 12 }, () => outcome()));
    expect(all.filter(([status]) => status === 200)).toHaveLength(8);
    expect(all.filter(([, code]) => code === "concurrency_limit_exceeded")).toHaveLength(4);
  });

  it("charges what was delivered when it is stopped, and holds nothing afterwards", async () => {
    await saveOptions(world.root, { InterruptionPolicy: "received" });
    const person = await world.newUser({ quota: BALANCE });
    upstream.script({ fault: "slow", delayMs: 15, text: "word ".repeat(40), pieces: 40 });
    const leaving = new AbortController();
    const response = await send({ who: person, body: { ...CHAT, stream: true }, signal: leaving.signal });
    const reader = response.body?.getReader();
    let size = 0;
    while (reader && size < 1000) size += (await reader.read()).value?.length ?? 1000;
    leaving.abort();
    await expect.poll(() => linesOf(person)).toHaveLength(1);
    const [line] = await linesOf(person);
    expect(line?.completion_tokens).toBeGreaterThan(0);
    expect(line?.completion_tokens).toBeLessThan(40);
    const { quota } = await standOf(person);
    expect(quota).toBe(BALANCE - (line?.quota ?? 0));
    // All of it can be taken: nothing is held.
    await succeed(world.root.api("PUT", "/api/user/", { id: person.id, quota: 0 }));
    expect(await standOf(person)).toMatchObject({ quota: 0 });
  });
});

describe("a balance", () => {
  it("that is too small is refused, with a receipt", async () => {
    const poor = await world.newUser({ quota: 0 });
    const response = await send({ who: poor });
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      403,
      "insufficient_user_quota",
    ]);
    await expect
      .poll(() => poor.api("GET", `/api/log/self/receipt?request_id=${idOf(response)}`))
      .toMatchObject({
        body: { success: true, data: { quota: 0, token_name: "Playground" } },
      });
    expect(upstream.requests).toHaveLength(0);
  });

  it("never goes below zero over parallel requests", async () => {
    const poor = await world.newUser({ quota: 2 * PRICE + 1 });
    upstream.script({ fault: "slow-first-byte", delayMs: 100 });
    const all = await Promise.all(Array.from({ length: 20 }, () => outcome({ who: poor })));
    const { quota, used_quota } = await standOf(poor);
    expect(quota).toBeGreaterThanOrEqual(0);
    expect(quota + used_quota).toBe(2 * PRICE + 1);
    const lines = await linesOf(poor);
    expect(lines.reduce((sum, line) => sum + line.quota, 0)).toBe(used_quota);
    expect(all.filter(([status]) => status === 200)).toHaveLength(lines.length);
  });
});

describe("what is refused", () => {
  const FOREIGN = [403, "playground_foreign"];
  const SIGNED_OUT = [401, "not_signed_in"];

  afterEach(() => expect(upstream.requests).toHaveLength(0));

  it("is every request without a session", async () => {
    const token = await succeed<string>(owner.api("GET", "/api/user/token"));
    for (const headers of [
      {},
      { authorization: `Bearer sk-${key}` },
      { authorization: token },
      { "x-api-key": key },
    ] as Record<string, string>[])
      expect(await outcome({ who: { cookie: "" }, headers })).toEqual(SIGNED_OUT);
    for (const cookie of ["session=x", `session=${"a".repeat(43)}`, `session=${key}`, "session="])
      expect(await outcome({ who: { cookie } })).toEqual(SIGNED_OUT);
  });

  it("is a session that has ended, and a user who is suspended or removed", async () => {
    const person = await world.newUser({ quota: BALANCE });
    const ended = await signIn(world.url, person.username, PASSWORD);
    await succeed(ended.api("GET", "/api/user/logout"));
    expect(await outcome({ who: ended })).toEqual(SIGNED_OUT);
    const manage = (action: string) =>
      succeed(world.root.api("POST", "/api/user/manage", { username: person.username, action }));
    await manage("disable");
    const suspended = await outcome({ who: person });
    expect([SIGNED_OUT, [403, "user_disabled"]]).toContainEqual(suspended);
    await manage("delete");
    expect(await outcome({ who: person })).toEqual(SIGNED_OUT);
  });

  it("is a page of another site, whatever it can send", async () => {
    const evil = "https://evil.example";
    const sites = [
      { origin: evil },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { origin: evil, "content-type": "text/plain" },
    ] as Record<string, string>[];
    for (const headers of sites) {
      const response = await send({ headers });
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBe(null);
      expect(await response.json()).toMatchObject({ error: { code: "playground_foreign" } });
    }
    const preflight = await fetch(`${world.url}/pg/v1/chat/completions`, {
      method: "OPTIONS",
      headers: {
        origin: evil,
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-playground-group",
      },
    });
    expect([preflight.ok, preflight.headers.get("access-control-allow-headers")]).toEqual([false, null]);
  });

  it("is a request that a form, a link or a picture could make", async () => {
    expect(await outcome({ headers: { "content-type": "text/plain" } })).toEqual(FOREIGN);
    expect(await outcome({ headers: { "content-type": "multipart/form-data; boundary=x" } })).toEqual(
      FOREIGN,
    );
    expect(await outcome({ group: "%", headers: { "x-playground-group": "%" } })).toEqual(FOREIGN);
    const bare = await fetch(`${world.url}/pg/v1/chat/completions`, {
      method: "POST",
      headers: { cookie: owner.cookie, "content-type": "application/json" },
      body: JSON.stringify(CHAT),
    });
    expect([bare.status, ((await bare.json()) as { error: { code: string } }).error.code]).toEqual(FOREIGN);
    const picture = { method: "GET", path: "/v1/models", headers: { "sec-fetch-dest": "image" } };
    expect(await outcome(picture)).toEqual(FOREIGN);
  });

  it("is an address of a key's own figures", async () => {
    for (const path of ["/v1/usage", "/dashboard/billing/usage", "/v1/generations", "/api/user/self"])
      expect(await outcome({ method: "GET", path })).toEqual([404, "not_found"]);
  });

  it("is all of it where the site does not offer it", async () => {
    await saveOptions(world.root, { PlaygroundEnabled: "false" });
    expect(await outcome()).toEqual([403, "playground_off"]);
    const { data } = (await world.root.api("GET", "/api/status")).body;
    expect(data).toMatchObject({ playground: false });
    await saveOptions(world.root, { PlaygroundEnabled: "true" });
  });
});

describe("a console on an allowed origin", () => {
  const headers = { origin: CONSOLE, "sec-fetch-site": "cross-site" };

  it("may send its header, and read the id of the receipt", async () => {
    const preflight = await fetch(`${world.url}/pg/v1/chat/completions`, {
      method: "OPTIONS",
      headers: { origin: CONSOLE, "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("x-playground-group");
    const response = await send({ headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe(CONSOLE);
    expect(response.headers.get("access-control-expose-headers")).toContain("X-Oneapi-Request-Id");
  });
});

it("leaves books in which the doctor finds nothing", async () => {
  const requestId = idOf(await send());
  await succeed(
    world.root.api("POST", "/api/log/receipt/refund", {
      request_id: requestId,
      reason: "the answer was wrong",
    }),
  );
  const { dataDir } = world.server;
  await world.stop();
  expect(await runTollgate(["doctor"], { DATA_DIR: dataDir })).toMatchObject({ status: 0 });
});
