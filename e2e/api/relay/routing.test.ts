import { createServer } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { ChannelWire } from "@tollgate/contract/api/channels";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { startSocksProxy } from "@tollgate/testkit/socks-proxy";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./stage";

const LONG = "You are a careful assistant who answers at length. ".repeat(200);

let stage: Stage;
let alice: Account;

beforeAll(async () => {
  stage = await startStage({ KEY_PROBE_INTERVAL_MS: "100" });
  alice = await stage.addAccount("alice", 5_000_000);
  await stage.setOption("AutomaticDisableChannelEnabled", "true");
  // For models that name a fault.
  await stage.setOption("FallbackModelRatio", "1");
});

afterAll(() => stage.close());

beforeEach(async () => {
  stage.upstream.reset();
  for (const { id } of await stage.root.data<ChannelWire[]>("GET", "/api/channel/?p=0")) {
    await stage.root.data("DELETE", `/api/channel/${id}/`);
  }
  await stage.setOption("RetryTimes", "0");
  await stage.setOption("AutomaticEnableChannelEnabled", "false");
});

const add = (more: Record<string, unknown>) =>
  addChannel(stage.root, { base_url: stage.upstream.url, ...more });

const readChannel = (id: number) => stage.root.data<ChannelWire>("GET", `/api/channel/${id}`);

const ask = async (content = "hi"): Promise<number> => {
  const response = await fetch(`${stage.server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${alice.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content }] }),
  });
  await response.text();
  return response.status;
};

const askTimes = async (times: number, content?: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) statuses.push(await ask(content));
  return statuses;
};

/** With which keys the upstream was asked, in order. */
const keysAsked = (): string[] =>
  stage.upstream.requests.map(({ headers }) => String(headers.authorization).replace("Bearer ", ""));

/** Waits until something is so, for what happens beside the request. */
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (let i = 0; i < 100; i += 1) {
    if (await isSo()) return;
    await wait(50);
  }
  throw new Error("it did not come about within five seconds");
};

describe("several keys in one channel", () => {
  it("all serve, and none is ever shown", async () => {
    const id = await add({ key: "key-a\nkey-b\nkey-c", multi_key: true });
    expect(new Set(await askTimes(30))).toEqual(new Set([200]));
    expect(new Set(keysAsked())).toEqual(new Set(["key-a", "key-b", "key-c"]));
    expect(await readChannel(id)).toMatchObject({ key: "", key_count: 3, dead_key_count: 0 });
  });

  it("without the flag make one channel each", async () => {
    await add({ key: "key-a\nkey-b" });
    const listed = await stage.root.data<ChannelWire[]>("GET", "/api/channel/?p=0");
    expect(listed.map(({ key_count }) => key_count)).toEqual([1, 1]);
  });

  it("a dead one is taken out of use alone, and the request goes on with another", async () => {
    await stage.setOption("RetryTimes", "1");
    stage.upstream.deadKeys.add("key-a");
    const id = await add({ key: "key-a\nkey-b", multi_key: true });
    expect(new Set(await askTimes(20))).toEqual(new Set([200]));
    expect(keysAsked().filter((key) => key === "key-a")).toHaveLength(1);
    expect(await readChannel(id)).toMatchObject({ status: 1, key_count: 2, dead_key_count: 1 });
  });

  it("switch the channel off when all of them are dead, and on again once one works", async () => {
    stage.upstream.deadKeys.add("key-a").add("key-b");
    const id = await add({ key: "key-a\nkey-b", multi_key: true });
    await askTimes(3);
    await until(async () => (await readChannel(id)).status === 3);
    expect(await readChannel(id)).toMatchObject({ key_count: 2, dead_key_count: 2 });
    expect(await ask()).toBe(503);
    stage.upstream.deadKeys.delete("key-b");
    await stage.setOption("AutomaticEnableChannelEnabled", "true");
    await until(async () => (await readChannel(id)).status === 1);
    stage.upstream.deadKeys.clear();
    await until(async () => (await readChannel(id)).dead_key_count === 0);
    expect(await ask()).toBe(200);
  });

  it("a channel that was switched off by hand stays off", async () => {
    stage.upstream.deadKeys.add("key-a");
    const id = await add({ key: "key-a" });
    await ask();
    await until(async () => (await readChannel(id)).status === 3);
    await stage.root.data("PUT", "/api/channel/", { id, status: 2 });
    stage.upstream.reset();
    await stage.setOption("AutomaticEnableChannelEnabled", "true");
    await wait(400);
    expect(await readChannel(id)).toMatchObject({ status: 2 });
    expect(stage.upstream.requests).toEqual([]);
  });
});

describe("the circuit breaker", () => {
  it("routes no request to a channel that keeps failing while another one works", async () => {
    await stage.setOption("RetryTimes", "1");
    await add({ name: "broken", key: "broken", priority: 9, model_mapping: '{"gpt-3.5-turbo":"fake--500"}' });
    await add({ name: "good", key: "good", priority: 1, model_mapping: '{"gpt-3.5-turbo":"gpt-4"}' });
    expect(new Set(await askTimes(12))).toEqual(new Set([200]));
    expect(keysAsked().filter((key) => key === "broken")).toHaveLength(5);
  });

  it("never refuses by itself: a lone channel is asked however often it failed", async () => {
    await add({ key: "broken", model_mapping: '{"gpt-3.5-turbo":"fake--500"}' });
    await askTimes(8);
    expect(stage.upstream.requests).toHaveLength(8);
  });
});

describe("prompt caches", () => {
  it("are found again: the turns of a long conversation go to one key", async () => {
    await add({ key: "key-a\nkey-b\nkey-c\nkey-d", multi_key: true });
    await askTimes(12, LONG);
    expect(new Set(keysAsked()).size).toBe(1);
  });
});

describe("a user of several groups", () => {
  it("T8: uses the channels of all of them, and pays the ratio of the first that has the model", async () => {
    await stage.setOption("GroupRatio", '{"default":1,"vip":2,"svip":3}');
    const bob = await stage.addAccount("bob", 5_000_000);
    await stage.root.data("PUT", "/api/user/", { id: bob.userId, group: "vip,svip" });
    await add({ name: "of vip", group: "vip", models: "gpt-4" });
    await add({ name: "of svip", group: "svip", models: "gpt-4,gpt-3.5-turbo" });
    const askBob = async (model: string) => {
      const response = await fetch(`${stage.server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${bob.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, messages: [{ role: "user", content: "hi" }] }),
      });
      await response.text();
      return response.status;
    };
    expect([await askBob("gpt-4"), await askBob("gpt-3.5-turbo")]).toEqual([200, 200]);
    const lines = await bob.usage();
    expect(lines.map(({ content }) => /分组倍率 ([\d.]+)/.exec(content)?.[1])).toEqual(["3.00", "2.00"]);
    const models = await fetch(`${stage.server.url}/v1/models`, {
      headers: { authorization: `Bearer ${bob.key}` },
    });
    const { data } = (await models.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(["gpt-3.5-turbo", "gpt-4"]);
    await stage.setOption("GroupRatio", '{"default":1,"vip":1,"svip":1}');
  });
});

describe("a channel's proxy", () => {
  it("carries its requests, and no answer shows its password", async () => {
    const seen: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket, head) => {
      seen.push(`${request.url} ${request.headers["proxy-authorization"]}`);
      const [host = "", port = ""] = String(request.url).split(":");
      const upstream = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    });
    const { host } = new URL(await listenOnLoopback(proxy));
    const id = await add({ proxy: `http://someone:pass-word@${host}` });
    expect(await ask()).toBe(200);
    const credentials = Buffer.from("someone:pass-word").toString("base64");
    expect(seen).toEqual([`${new URL(stage.upstream.url).host} Basic ${credentials}`]);
    const shown = await readChannel(id);
    expect(shown.proxy).toBe(`http://someone:***@${host}`);
    // What was shown can be sent back without losing the password.
    await stage.root.data("PUT", "/api/channel/", { id, proxy: shown.proxy, name: "renamed" });
    expect(await ask()).toBe(200);
    await stage.root.data("PUT", "/api/channel/", { id, proxy: "" });
    seen.length = 0;
    expect(await ask()).toBe(200);
    expect(seen).toEqual([]);
    await expect(stage.root.data("PUT", "/api/channel/", { id, proxy: "socks4://x" })).rejects.toThrow(
      "代理",
    );
    expect(JSON.stringify(await stage.root.data("GET", "/api/audit/?p=0"))).not.toContain("pass-word");
    proxy.closeAllConnections();
    proxy.close();
  });
});

describe("a channel's SOCKS5 proxy", () => {
  it("carries its requests and its tests, and no answer shows its password", async () => {
    const proxy = await startSocksProxy({ credentials: "someone:pass-word" });
    const id = await add({ proxy: `socks5://someone:pass-word@${proxy.host}` });
    expect(await ask()).toBe(200);
    await stage.root.data("GET", `/api/channel/test/${id}`);
    const { host } = new URL(stage.upstream.url);
    expect(new Set(proxy.asked)).toEqual(new Set([host]));
    expect((await readChannel(id)).proxy).toBe(`socks5://someone:***@${proxy.host}`);
    expect(JSON.stringify(await stage.root.data("GET", "/api/audit/?p=0"))).not.toContain("pass-word");
    await stage.root.data("PUT", "/api/channel/", { id, proxy: "" });
    await proxy.close();
  });
});

describe("a group that goes by price or speed", () => {
  afterAll(() => stage.setOption("GroupRouting", "{}"));

  const priced = (perMillion: number) =>
    JSON.stringify({
      rules: [{ model: "gpt-3.5-turbo", prices: [{ input: perMillion, output: perMillion * 2 }] }],
    });

  it("asks the cheapest channel that works, then the next, and tells administrators why", async () => {
    await stage.setOption("GroupRouting", '{"default":"cheapest"}');
    await stage.setOption("RetryTimes", "2");
    await add({ key: "key-unknown", weight: 1000 });
    const dear = await add({ key: "key-dear", weight: 1000, buying_prices: priced(2) });
    const cheap = await add({ key: "key-cheap", buying_prices: priced(1) });
    expect(await askTimes(5)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(keysAsked())).toEqual(new Set(["key-cheap"]));
    expect(await stage.root.data("GET", `/api/channel/choice/${cheap}`)).toMatchObject([
      { model: "gpt-3.5-turbo", whole_ms: expect.any(Number), usual_cost: 2_500_000 },
    ]);
    stage.upstream.script({ fault: "500" }, {});
    expect(await ask()).toBe(200);
    expect(keysAsked().slice(-2)).toEqual(["key-cheap", "key-dear"]);
    const [line] = await stage.root.data<{ request_id: string }[]>("GET", "/api/log/?p=0&type=2");
    const receipt = await stage.root.data<{ attempts: { channel: number; chosen_by?: string }[] }>(
      "GET",
      `/api/log/receipt?request_id=${line?.request_id}`,
    );
    expect(receipt.attempts.map(({ channel, chosen_by }) => [channel, chosen_by])).toEqual([
      [cheap, "cheapest"],
      [dear, "cheapest"],
    ]);
  });

  it("refuses a strategy that there is not", async () => {
    const change = { key: "GroupRouting", value: '{"default":"luckiest"}' };
    await expect(stage.root.data("PUT", "/api/option/", change)).rejects.toThrow("GroupRouting");
  });
});

describe("a channel with limits", () => {
  const REQUESTS = 12;

  const askAs = (api: "chat" | "messages", more: Record<string, unknown> = {}): Promise<Response> =>
    fetch(`${stage.server.url}/v1/${api === "chat" ? "chat/completions" : "messages"}`, {
      method: "POST",
      headers: {
        ...(api === "chat" ? { authorization: `Bearer ${alice.key}` } : { "x-api-key": alice.key }),
        "content-type": "application/json",
      },
      body: JSON.stringify({
        model: "gpt-3.5-turbo",
        max_tokens: 10,
        messages: [{ role: "user", content: "hi" }],
        ...more,
      }),
    });
  const use = (query = "") =>
    stage.root.data<{ id: number; active: number; waiting: number }[]>("GET", `/api/channel/use${query}`);

  it("never receives more concurrent requests, whole or as streams, and every waiting client gets an answer", async () => {
    const id = await add({ key: "key-a\nkey-b", multi_key: true, concurrency: 3, key_concurrency: 2 });
    expect(await readChannel(id)).toMatchObject({ concurrency: 3, key_concurrency: 2 });
    stage.upstream.script({ fault: "slow-first-byte", delayMs: 30 });
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, async (_, index) => {
        const response = await askAs(index % 2 ? "chat" : "messages", { stream: index % 3 === 0 });
        await response.text();
        return response.status;
      }),
    );
    expect(answers).toEqual(answers.map(() => 200));
    expect(stage.upstream.mostAtOnce).toBe(3);
    expect(await use()).toMatchObject([{ id, active: 0, waiting: 0 }]);
    expect(await use(`?ids=${id},999999`)).toEqual(await use());
    expect(await use(`?ids=${id + 1}`)).toEqual([]);
  });

  it("refuses a prompt at once that its minute has too few tokens for, in the client's protocol", async () => {
    const id = await add({ key: "key-a", tpm: 50 });
    const began = Date.now();
    for (const api of ["chat", "messages"] as const) {
      const refused = await askAs(api, { messages: [{ role: "user", content: "many words ".repeat(200) }] });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([413, null]);
      expect(await refused.text()).toContain("gpt-3.5-turbo");
    }
    expect(Date.now() - began).toBeLessThan(4000);
    expect(await ask()).toBe(200);
    await stage.root.data("PUT", "/api/channel/", { id, tpm: 0 });
  });

  it("refuses immediately with a retry time when its queue has length 0, in the client's protocol, and is skipped when another one is free", async () => {
    await stage.setOption("UpstreamQueueLength", "0");
    const id = await add({ key: "key-a", concurrency: 1, priority: 5 });
    stage.upstream.script({ fault: "slow-first-byte", delayMs: 5000 }, {});
    const leaving = new AbortController();
    const first = fetch(`${stage.server.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      headers: { authorization: `Bearer ${alice.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }] }),
    }).catch(() => undefined);
    await until(async () => (await use())[0]?.active === 1);
    for (const api of ["chat", "messages"] as const) {
      const refused = await askAs(api);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
      expect(await refused.json()).toMatchObject({ error: { type: expect.stringMatching(/./) } });
    }
    await add({ key: "key-b" });
    expect(await ask()).toBe(200);
    expect(keysAsked().at(-1)).toBe("key-b");
    // Who leaves frees the place.
    leaving.abort();
    await first;
    await until(async () => (await use())[0]?.active === 0);
    expect(await ask()).toBe(200);
    expect(keysAsked().at(-1)).toBe("key-a");
    await stage.root.data("PUT", "/api/channel/", { id, concurrency: 0 });
    expect(await readChannel(id)).not.toHaveProperty("concurrency");
    await stage.setOption("UpstreamQueueLength", "200");
  });
});
