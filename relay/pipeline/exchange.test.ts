import type { Channel } from "@tollgate/contract/api/channels";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import { type Account, hold } from "@tollgate/metering/ledger";
import { findPrice, type PriceBook } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryRates } from "../limits/memory-rates";
import { MemoryRefused } from "../memory-refused";
import type { ChargeRecord, RequestRecord } from "../ports/charges";
import type { Refusal } from "../ports/client";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { createRelay } from "../relay";
import { entryOf } from "../testing/entry-of";
import { RecordingResponse } from "../testing/recording-response";
import { MediaUnavailable } from "../transport/fetch-media";

const MODELS = parseRatioTable(
  '{"gpt-3.5-turbo":0.75,"gpt-4":15,"cheap":0.5,"wordless":1,"uncharted":0.75}',
)!;
const COMPLETIONS = parseRatioTable('{"cheap":1,"uncharted":2}')!;
const GROUPS = parseRatioTable('{"default":1}')!;

const channelOf = (id: number, more: Partial<Channel> = {}): UpstreamTarget =>
  entryOf({ id, models: ["gpt-3.5-turbo"], ...more });

interface Sent {
  request: UpstreamRequest;
  receiver: UpstreamReceiver;
  isAborted: boolean;
  resumed: number;
  /** Answers with a status and type, without a body yet. */
  head(status: number, type: string): void;
  json(status: number, value: unknown): void;
}

const setUp = (
  settings: {
    channels?: UpstreamTarget[];
    quota?: number;
    keyQuota?: number;
    retryTimes?: number;
    drainMs?: number;
    fetchMedia?: RelayPorts["fetchMedia"];
    prices?: Partial<PriceBook>;
    /** The channels of the groups that the key tries one after another. */
    groups?: Readonly<Record<string, readonly UpstreamTarget[]>>;
    /** How long requests wait for a full channel. */
    queueMs?: number;
  } = {},
) => {
  const user: Account = { id: 1, quota: settings.quota ?? 10_000, held: 0, isUnlimited: false };
  const keyAccount: Account = { id: 2, quota: settings.keyQuota ?? 10_000, held: 0, isUnlimited: false };
  const key: ApiKey = {
    id: 2,
    name: "laptop",
    status: 1,
    expiredTime: -1,
    account: keyAccount,
    ...(settings.groups && { group: "auto" }),
    user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: user },
  };
  const charges: ChargeRecord[] = [];
  const failures: RequestRecord[] = [];
  const sent: Sent[] = [];
  const commits: ((error: Error | undefined) => void)[] = [];
  /** Of each charge whether its client had been given something. */
  const deliveries: boolean[] = [];
  const state = {
    kept: 0,
    refusesMemory: false,
    /** What is held of the answer, as it was told last. */
    held: 0,
    mostHeld: Number.POSITIVE_INFINITY,
    isStorageSlow: false,
    deadKeys: [] as number[],
    reported: [] as string[],
    nowMs: 1_700_000_000_000,
  };
  const ports: RelayPorts = {
    directory: {
      findKey: () => key,
      keysOfChannel: () => [],
      groupsOf: () => Object.keys(settings.groups ?? {}),
      candidates: (group) => settings.groups?.[group] ?? settings.channels ?? [channelOf(1)],
      isListed: () => false,
      markKey: () => {},
      reportDeadKey: (channel) => state.deadKeys.push(channel.channel.id),
    },
    holds: { place: hold },
    upstreamBounds: {
      rates: new MemoryRates(() => state.nowMs),
      queueLength: () => (settings.queueMs === undefined ? 0 : 10),
      queueMs: () => settings.queueMs ?? 0,
      waited: () => undefined,
    },
    pricing: {
      find: (model, group) =>
        findPrice(
          { modelRatios: MODELS, completionRatios: COMPLETIONS, groupRatios: GROUPS, ...settings.prices },
          model,
          group,
          0,
        ),
      defaultHoldTokens: () => 500,
      drainMs: () => settings.drainMs ?? 0,
      countsDrainMs: () => 5000,
      retryTimes: () => settings.retryTimes ?? 0,
    },
    charges: {
      noteRefused() {},
      noteFailure(record) {
        failures.push(record);
      },
      commit(record, done, isDelivered) {
        charges.push(record);
        deliveries.push(isDelivered);
        if (state.isStorageSlow) commits.push(done);
        else done(undefined);
      },
    },
    // One token per four characters, so that expectations can be worked out by hand.
    tokenCounter: { count: (_model, text, done) => done(Math.ceil(text.length / 4)) },
    transport: {
      send(request, receiver) {
        const one: Sent = {
          request,
          receiver,
          isAborted: false,
          resumed: 0,
          head(status, type) {
            receiver.onHeaders(status, { "content-type": type }, () => {
              one.resumed += 1;
            });
          },
          json(status, value) {
            one.head(status, "application/json");
            receiver.onData(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)));
            receiver.onEnd();
          },
        };
        sent.push(one);
        receiver.onStart(() => {
          one.isAborted = true;
        });
      },
      close: async () => {},
    },
    fetchMedia: settings.fetchMedia ?? (() => Promise.reject(new Error("nothing is to be fetched"))),
    now: () => state.nowMs,
    random: () => 0,
    reportFailure: ({ detail }) => state.reported.push(typeof detail === "string" ? detail : detail.code),
  };
  const relay = createRelay(ports);
  const run = (body: Record<string, unknown> = {}, client = CLIENT_PROTOCOLS["openai-chat"]) => {
    const whole = { model: "gpt-3.5-turbo", messages: [{ role: "user", content: "hi" }], ...body };
    const response = new RecordingResponse();
    relay.run({
      client,
      key,
      pinned: undefined,
      rawBody: Buffer.from(JSON.stringify(whole)),
      body: whole,
      summary: client.summarizeRequest(whole),
      response,
      requestId: "req-1",
      clientHeaders: {},
      headers: { "x-request": "req-1" },
      describe: (refusal: Refusal) => ({
        status: refusal.upstream?.status ?? 500,
        code: refusal.code,
        message: refusal.code,
        retryAfterSeconds: refusal.retryAfterSeconds,
      }),
      memory: {
        take: () => (state.refusesMemory ? { code: "bodies-limited" } : undefined),
        hold(bytes) {
          state.held = bytes;
          return bytes <= state.mostHeld;
        },
        keep() {
          state.kept += 1;
          return () => {
            state.kept -= 1;
          };
        },
      },
    });
    return response;
  };
  const expectNothingLeft = () => {
    expect([user.held, keyAccount.held, relay.active, state.kept]).toEqual([0, 0, 0, 0]);
  };
  return {
    run,
    key,
    sent,
    charges,
    failures,
    commits,
    deliveries,
    user,
    keyAccount,
    relay,
    state,
    expectNothingLeft,
  };
};

const answer = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-3.5-turbo-0125",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 },
  vendor_extra: { kept: true },
};

const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
const USAGE = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage: answer.usage })}\n\n`;
const DONE = "data: [DONE]\n\n";
const FINISH = `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`;

describe("a client that does not read (S20)", () => {
  const WORDS = chunk({ content: "word ".repeat(2000) });
  const open = (mostHeld: number) => {
    const world = setUp();
    world.state.mostHeld = mostHeld;
    const response = world.run({ stream: true });
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    response.isReading = false;
    // The upstream goes on although it is held up.
    response.setMaxListeners(0);
    return { world, response, sent };
  };

  it("counts its unread bytes, and the kept text, with its user's memory", () => {
    const { world, response, sent } = open(Number.POSITIVE_INFINITY);
    let written = 0;
    for (let count = 0; count < 100; count += 1) {
      sent.receiver.onData(Buffer.from(WORDS));
      written += WORDS.length;
      response.writableLength = written;
    }
    expect(world.state.held).toBeGreaterThan(1.8 * written);
    response.writableLength = 0;
    sent.receiver.onData(Buffer.from(WORDS));
    expect(world.state.held).toBeLessThan(1.1 * written);
  });

  it("keeps no text beyond the bound, and pays for the delivered part", () => {
    const { world, response, sent } = open(200_000);
    for (let count = 0; count < 100; count += 1) sent.receiver.onData(Buffer.from(WORDS));
    expect(world.state.held).toBeLessThan(400_000);
    response.destroy();
    // A million characters at 0.38 tokens a byte.
    expect(world.charges[0]!.completionTokens).toBeGreaterThan(300_000);
    expect(world.charges[0]!.completionTokens).toBeLessThan(500_000);
    world.expectNothingLeft();
  });

  it("is counted for a whole answer that it has not taken yet", () => {
    const world = setUp();
    const response = world.run();
    response.onEnding = () => {
      response.writableLength = 500_000;
    };
    world.sent[0]!.json(200, answer);
    expect(world.state.held).toBe(500_000);
  });
});

describe("a JSON answer", () => {
  it("passes byte for byte and is charged by the contract's arithmetic", () => {
    const world = setUp();
    const response = world.run();
    const bytes = JSON.stringify(answer);
    world.sent[0]!.json(200, bytes);
    expect(response.status).toBe(200);
    expect(response.text).toBe(bytes);
    expect(world.charges).toMatchObject([{ quota: 18, promptTokens: 13, completionTokens: 5, channelId: 1 }]);
    expect([world.user.quota, world.keyAccount.quota]).toEqual([9982, 9982]);
    world.expectNothingLeft();
  });

  it("does not leave before its charge is durable", () => {
    const world = setUp();
    world.state.isStorageSlow = true;
    const response = world.run();
    world.sent[0]!.json(200, answer);
    expect(response.text).toBe("");
    world.commits[0]!(undefined);
    expect(response.text).toBe(JSON.stringify(answer));
  });

  it("becomes an error when its charge cannot be stored", () => {
    const world = setUp();
    world.state.isStorageSlow = true;
    const response = world.run();
    world.sent[0]!.json(200, answer);
    world.commits[0]!(new Error("disk full"));
    expect(response.text).toContain("storage-failing");
    expect(response.text).not.toContain("Hello!");
    world.expectNothingLeft();
  });

  it("is counted here when the upstream reports no usage", () => {
    const world = setUp();
    const response = world.run();
    world.sent[0]!.json(200, { ...answer, usage: undefined });
    expect(response.status).toBe(200);
    // The prompt: "user" and "hi" in some joining, 3 for the message, 3 for the priming; the answer: "Hello!".
    expect(world.charges[0]!.completionTokens).toBe(2);
    expect(world.charges[0]!.promptTokens).toBeGreaterThanOrEqual(8);
    expect(world.charges[0]!.content).toContainEqual({ code: "counted-here" });
  });
});

describe("pictures and sound in an answer", () => {
  it("count by their kind when the upstream reports no usage (M5)", () => {
    const url = `data:image/png;base64,${"AbCd".repeat(8250)}`;
    const image = { type: "image_url", image_url: { url } };
    const audio = { id: "s", data: "UklG".repeat(160_000), transcript: "four" };
    for (const [message, tokens] of [
      [{ role: "assistant", content: "four", images: [image] }, 1291],
      [{ role: "assistant", content: null, audio }, 251],
    ] as const) {
      const world = setUp();
      world.run();
      world.sent[0]!.json(200, {
        ...answer,
        usage: undefined,
        choices: [{ index: 0, message, finish_reason: "stop" }],
      });
      expect(world.charges).toMatchObject([{ completionTokens: tokens }]);
    }
  });
});

describe("images", () => {
  it("count when the upstream reports no usage", () => {
    const world = setUp();
    const image = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    world.run({ messages: [{ role: "user", content: [image, image] }] });
    world.sent[0]!.json(200, { ...answer, usage: undefined });
    expect(world.charges[0]!.promptTokens).toBeGreaterThan(2000);
  });
});

describe("images by their address", () => {
  const PNG = "iVBORw0KGgoAAAANSUhEUg==";
  const image = (url: string) => ({ type: "image_url", image_url: { url } });
  const asking = (...urls: string[]) => ({ messages: [{ role: "user", content: urls.map(image) }] });
  const GEMINI = [channelOf(1, { type: 24 })];
  /** Until everything that a fetch leads to has happened. */
  const settled = () => new Promise(setImmediate);

  it("are fetched, each once, for an upstream that takes none", async () => {
    const fetched: string[] = [];
    const world = setUp({
      channels: GEMINI,
      fetchMedia: async (url) => {
        fetched.push(url);
        return { data: PNG, mediaType: "image/png" };
      },
    });
    world.run(asking("https://x.test/a.png", "https://y.test/b.png", "https://x.test/a.png"));
    expect(world.sent).toHaveLength(0);
    await settled();
    expect(fetched).toEqual(["https://x.test/a.png", "https://y.test/b.png"]);
    const part = { inlineData: { mimeType: "image/png", data: PNG } };
    expect(JSON.parse(String(world.sent[0]!.request.body))).toMatchObject({
      contents: [{ parts: [part, part, part] }],
    });
  });

  it("stay addresses for an upstream that fetches them itself", () => {
    const world = setUp();
    world.run(asking("https://x.test/a.png"));
    expect(String(world.sent[0]!.request.body)).toContain("https://x.test/a.png");
  });

  it("that cannot be had end the request, naming the host alone, and nothing stays held", async () => {
    const world = setUp({
      channels: GEMINI,
      fetchMedia: () => Promise.reject(new MediaUnavailable({ code: "media-refused", status: 404 })),
    });
    const response = world.run(asking("https://x.test/a.png?token=secret"));
    await settled();
    expect(response.text).toContain("request-invalid");
    expect(response.text).not.toContain("secret");
    expect(world.sent).toHaveLength(0);
    world.expectNothingLeft();
  });

  it("that there is no room for end the request with the reason, and nothing stays held", async () => {
    const world = setUp({
      channels: GEMINI,
      fetchMedia: async (_url, _most, _signal, memory) => {
        const refusal = memory.take(1);
        if (refusal) throw new MemoryRefused(refusal);
        return { data: PNG, mediaType: "image/png" };
      },
    });
    world.state.refusesMemory = true;
    const response = world.run(asking("https://x.test/a.png"));
    await settled();
    expect(response.text).toContain("bodies-limited");
    expect(world.sent).toHaveLength(0);
    world.expectNothingLeft();
  });

  describe("for a channel that takes one request at a time", () => {
    const limited = [{ scope: "channel", id: 1, limits: { concurrency: 1 } }] as const;
    const channels = GEMINI.map((entry) => ({ ...entry, limited }));
    const slowly = (queueMs?: number, others: UpstreamTarget[] = []) => {
      let give = (): void => {};
      const fetchMedia = () =>
        new Promise<{ data: string; mediaType: string }>((resolve) => {
          give = () => resolve({ data: PNG, mediaType: "image/png" });
        });
      const world = setUp({ channels: [...others, ...channels], fetchMedia, queueMs, retryTimes: 1 });
      const answerTo = (index: number) =>
        world.sent[index]!.json(200, {
          candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
          usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
        });
      return { ...world, answerTo, give: () => give() };
    };

    it("keep neither its place nor quota from others while they are fetched", async () => {
      const { run, sent, user, answerTo, give, charges, expectNothingLeft } = slowly();
      run(asking("https://x.test/a.png"));
      expect([sent.length, user.held]).toEqual([0, 0]);
      run();
      expect(sent).toHaveLength(1);
      answerTo(0);
      give();
      await settled();
      expect(sent).toHaveLength(2);
      expect(String(sent[1]!.request.body)).toContain(PNG);
      answerTo(1);
      expect(charges).toHaveLength(2);
      expectNothingLeft();
    });

    it("end with the failure before them if it is full then", async () => {
      const { run, sent, answerTo, give, expectNothingLeft } = slowly(undefined, [channelOf(2)]);
      const fail = (index: number) => sent[index]!.json(503, { error: { message: "down" } });
      const response = run(asking("https://x.test/a.png"));
      fail(0);
      run();
      fail(1);
      expect(sent).toHaveLength(3);
      give();
      await settled();
      expect(response.text).toContain("upstream-failed");
      answerTo(2);
      expectNothingLeft();
    });

    it("do not count as a wait for it", async () => {
      const { run, sent, state, answerTo, give, expectNothingLeft } = slowly(5000);
      run();
      const response = run(asking("https://x.test/a.png"));
      answerTo(0);
      run();
      expect(sent).toHaveLength(2);
      state.nowMs += 6000;
      give();
      await settled();
      await new Promise((resolve) => setTimeout(resolve, 150));
      expect([response.text, sent.length]).toEqual(["", 2]);
      answerTo(1);
      expect(sent).toHaveLength(3);
      answerTo(2);
      expectNothingLeft();
    });
  });

  it("are of no use to a client that has left meanwhile, and not read any further", async () => {
    let give = (): void => {};
    let signalled: AbortSignal | undefined;
    const world = setUp({
      channels: GEMINI,
      fetchMedia: (_url, _most, signal) =>
        new Promise((resolve) => {
          signalled = signal;
          give = () => resolve({ data: PNG, mediaType: "image/png" });
        }),
    });
    const response = world.run(asking("https://x.test/a.png"));
    expect(signalled?.aborted).toBe(false);
    response.destroy();
    expect(signalled?.aborted).toBe(true);
    give();
    await settled();
    expect(world.sent).toHaveLength(0);
    expect(world.charges).toHaveLength(0);
    world.expectNothingLeft();
  });
});

describe("an upstream that reports impossible usage", () => {
  it.each([
    ["of both", { prompt_tokens: 2 ** 53 - 1, completion_tokens: 2 ** 53 - 1 }, 8, 2],
    ["of the answer", { prompt_tokens: 13, completion_tokens: 100_000_001 }, 13, 2],
    ["of the prompt", { prompt_tokens: 1e15, completion_tokens: 5 }, 8, 5],
  ])(
    "is charged by the gateway's own count in place of a number %s beyond measure (M13)",
    (_, usage, prompt, completion) => {
      const world = setUp();
      world.run();
      world.sent[0]!.json(200, { ...answer, usage });
      expect(world.charges).toMatchObject([
        { promptTokens: prompt, completionTokens: completion, shortfall: 0 },
      ]);
      world.expectNothingLeft();
    },
  );
});

describe("an upstream that tells that nothing was written", () => {
  const nothing = { prompt_tokens: 13, completion_tokens: 0, total_tokens: 13 };

  it("although it gave words, whole or as a stream, at its begin or at its end, is not believed", () => {
    for (const events of [
      chunk({ content: "Hello!" }, { usage: nothing }) + FINISH + DONE,
      chunk({ content: "Hello!" }) + FINISH + chunk({}, { choices: [], usage: nothing }) + DONE,
      chunk({ reasoning_content: "Hello!" }) + FINISH + chunk({}, { choices: [], usage: nothing }) + DONE,
    ]) {
      const world = setUp();
      world.run({ stream: true });
      world.sent[0]!.head(200, "text/event-stream");
      world.sent[0]!.receiver.onData(Buffer.from(events));
      expect(world.charges).toMatchObject([{ promptTokens: 13, completionTokens: 2 }]);
    }
    const world = setUp();
    world.run();
    world.sent[0]!.json(200, { ...answer, usage: nothing });
    expect(world.charges).toMatchObject([{ promptTokens: 13, completionTokens: 2 }]);
  });

  it("and gave none is believed", () => {
    const world = setUp();
    world.run();
    const cut = { index: 0, message: { role: "assistant", content: "" }, finish_reason: "length" };
    world.sent[0]!.json(200, { ...answer, choices: [cut], usage: nothing });
    expect(world.charges).toMatchObject([{ completionTokens: 0, completionSource: "upstream" }]);
  });

  it("or one token at the begin of a Messages stream is not believed at its end", () => {
    const text = "four".repeat(10);
    const start = {
      type: "message",
      role: "assistant",
      content: [],
      usage: { input_tokens: 13, output_tokens: 1 },
    };
    const events = [
      { type: "message_start", message: { id: "m", model: "m", ...start } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    for (const client of [CLIENT_PROTOCOLS["anthropic-messages"], CLIENT_PROTOCOLS["openai-chat"]]) {
      const world = setUp({ channels: [channelOf(1, { type: 14 })] });
      world.run({ stream: true, max_tokens: 100 }, client);
      world.sent[0]!.head(200, "text/event-stream");
      world.sent[0]!.receiver.onData(Buffer.from(events.join("")));
      world.sent[0]!.receiver.onEnd();
      expect(world.charges).toMatchObject([{ promptTokens: 13, completionTokens: 10 }]);
    }
  });
});

describe("a request whose key is taken out of use while it is under way (M11)", () => {
  it("is not sent once its images are there", async () => {
    const world = setUp({
      channels: [channelOf(1, { type: 24 })],
      fetchMedia: async () => ({ data: "iVBORw0KGgo=", mediaType: "image/png" }),
    });
    const content = [{ type: "image_url", image_url: { url: "https://x.test/a.png" } }];
    const response = world.run({ messages: [{ role: "user", content }] });
    world.key.user.status = 2;
    await new Promise(setImmediate);
    expect(response.text).toContain("user-disabled");
    expect(world.sent).toHaveLength(0);
    world.expectNothingLeft();
  });

  it("is not sent to another channel", () => {
    const world = setUp({ channels: [channelOf(1), channelOf(2)], retryTimes: 1 });
    const response = world.run();
    world.key.status = 2;
    world.sent[0]!.json(500, { error: { message: "down" } });
    expect(response.text).toContain("token-disabled");
    expect(world.sent).toHaveLength(1);
    world.expectNothingLeft();
  });
});

describe("a key that goes from group to group", () => {
  const groupRatios = parseRatioTable('{"cheap":0.5,"default":1,"dear":2}')!;
  const failing = (sent: Sent) => sent.json(500, {});

  it("is charged at the price of the group that answered, which its charge names", () => {
    const groups = { dear: [channelOf(1), channelOf(2)], none: [], cheap: [channelOf(3)] };
    const world = setUp({ groups, prices: { groupRatios } });
    const response = world.run();
    failing(world.sent[0]!);
    world.sent[1]!.json(200, answer);
    expect(response.status).toBe(200);
    // No retry in the first group: RetryTimes is 0.
    expect(world.sent).toHaveLength(2);
    expect(world.charges).toMatchObject([{ channelId: 3, quota: 9, group: "cheap" }]);
    expect(world.charges[0]?.content).toContainEqual({ code: "by-group", group: "cheap" });
    expect(world.user.quota).toBe(10_000 - 9);
    world.expectNothingLeft();
  });

  it("tries as many keys as RetryTimes allows in each group, and no key twice", () => {
    const groups = { dear: [channelOf(1), channelOf(2), channelOf(3)], cheap: [channelOf(1), channelOf(4)] };
    const world = setUp({ groups, prices: { groupRatios }, retryTimes: 2 });
    const response = world.run();
    for (let i = 0; i < 4; i++) failing(world.sent[i]!);
    expect(world.sent).toHaveLength(4);
    expect(response.text).toContain("upstream-failed");
    expect(world.charges).toEqual([]);
    expect(world.failures).toMatchObject([{ group: "cheap" }]);
    world.expectNothingLeft();
  });

  it("stays where the caller is wrong, or a stream has begun", () => {
    const groups = { dear: [channelOf(1)], cheap: [channelOf(2)] };
    const wrong = setUp({ groups, prices: { groupRatios } });
    wrong.run();
    wrong.sent[0]!.json(400, { error: { message: "too long", type: "invalid_request_error" } });
    expect(wrong.sent).toHaveLength(1);
    const begun = setUp({ groups, prices: { groupRatios } });
    begun.run({ stream: true });
    begun.sent[0]!.head(200, "text/event-stream");
    begun.sent[0]!.receiver.onData(Buffer.from(chunk({ content: "Hel" })));
    begun.sent[0]!.receiver.onFailure({ kind: "reset", detail: "" });
    expect(begun.sent).toHaveLength(1);
    begun.expectNothingLeft();
  });

  it("goes on where a group has no price for the model", () => {
    const groups = {
      dear: [channelOf(1, { modelMapping: { "gpt-3.5-turbo": "priceless" } })],
      cheap: [channelOf(2)],
    };
    const world = setUp({ groups, prices: { groupRatios } });
    world.run();
    world.sent[0]!.json(200, answer);
    expect(world.charges).toMatchObject([{ channelId: 2, quota: 9, group: "cheap" }]);
    world.expectNothingLeft();
  });

  it("goes on where the balance does not do for a group's price, with the same upstream key as well", () => {
    const groups = { dear: [channelOf(1), channelOf(2)], cheap: [channelOf(1)] };
    // 100 tokens of an answer are held: 416 at the price of the first group, 104 at that of the second.
    for (const balances of [{ quota: 150 }, { keyQuota: 150 }]) {
      const world = setUp({ groups, prices: { groupRatios }, ...balances });
      const response = world.run({ max_tokens: 100 });
      expect(world.sent).toHaveLength(1);
      world.sent[0]!.json(200, answer);
      expect(response.status).toBe(200);
      expect(world.charges).toMatchObject([{ channelId: 1, quota: 9, group: "cheap" }]);
      world.expectNothingLeft();
    }
    const world = setUp({ groups, prices: { groupRatios }, quota: 50 });
    expect(world.run({ max_tokens: 100 }).text).toContain("user-quota-exceeded");
    expect(world.sent).toHaveLength(0);
    world.expectNothingLeft();
  });

  it("goes on when requests under way hold the quota that the first group would need", () => {
    const groups = { dear: [channelOf(1)], cheap: [channelOf(2)] };
    const world = setUp({ groups, prices: { groupRatios }, quota: 600 });
    const other: Account = { id: 3, quota: 0, held: 0, isUnlimited: true };
    expect(hold(world.user, other, 400, false)).toBeTypeOf("object");
    world.run({ max_tokens: 100 });
    world.sent[0]!.json(200, answer);
    expect(world.charges).toMatchObject([{ channelId: 2, group: "cheap" }]);
    expect(world.user.held).toBe(400);
  });

  it("never pays for a group that did not answer, whichever fail", () => {
    let seed = 20_261_123;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const price: Record<string, number> = { cheap: 9, default: 18, dear: 35 };
    for (let round = 0; round < 150; round++) {
      const names = ["cheap", "default", "dear"].sort(() => random(2) - 0.5);
      const groups = Object.fromEntries(
        names.map((name, index) => [
          name,
          Array.from({ length: random(3) }, (_, at) => channelOf(index * 10 + at + 1)),
        ]),
      );
      const quota = random(3) === 0 ? 10 + random(60) : 10_000;
      const world = setUp({ groups, prices: { groupRatios }, retryTimes: random(3), quota });
      const response = world.run();
      let at = 0;
      while (at < world.sent.length) {
        const sent = world.sent[at++]!;
        if (random(3) > 0) failing(sent);
        else sent.json(200, answer);
      }
      const [charge] = world.charges;
      expect(world.charges.length).toBe(response.status === 200 ? 1 : 0);
      if (charge) {
        expect(groups[charge.group]?.some(({ channel }) => channel.id === charge.channelId)).toBe(true);
        expect(charge.quota + charge.shortfall).toBe(price[charge.group]);
      }
      expect(world.user.quota).toBe(quota - (charge?.quota ?? 0));
      world.expectNothingLeft();
    }
  });
});

describe("an upstream that fails", () => {
  it.each<[string, (sent: Sent) => void, string]>([
    ["answers 200 with nothing", (sent) => sent.json(200, ""), "upstream-empty"],
    ["answers 200 without choices", (sent) => sent.json(200, { choices: [] }), "upstream-empty"],
    [
      "hides an error in a 200",
      (sent) => sent.json(200, { error: { message: "no", type: "server_error" } }),
      "upstream",
    ],
    ["answers with HTML", (sent) => sent.json(502, "<html>bad gateway</html>"), "upstream-failed"],
    ["answers with garbage", (sent) => sent.json(200, "%%%"), "upstream"],
    [
      "has a dead key",
      (sent) => sent.json(401, { error: { message: "bad key", code: "invalid_api_key" } }),
      "upstream-unusable",
    ],
    [
      "is at its limit",
      (sent) => sent.json(429, { error: { message: "slow down", code: "rate_limit_exceeded" } }),
      "upstream-rate-limited",
    ],
    [
      "cannot be reached",
      (sent) => sent.receiver.onFailure({ kind: "connect", detail: "ECONNREFUSED 10.0.0.1" }),
      "upstream-failed",
    ],
    [
      "does not answer",
      (sent) => sent.receiver.onFailure({ kind: "timeout", detail: "" }),
      "upstream-timeout",
    ],
  ])("that %s costs nothing", (_, fail, code) => {
    const world = setUp();
    const response = world.run();
    fail(world.sent[0]!);
    expect(response.status).not.toBe(200);
    expect(response.text).toContain(code);
    expect(response.text).not.toMatch(/10\.0\.0\.1|<html>|upstream-key|upstream\.test/);
    expect(world.charges).toEqual([]);
    expect(world.user.quota).toBe(10_000);
    world.expectNothingLeft();
  });

  it("passes on a caller's mistake, with the upstream's status", () => {
    const world = setUp({ retryTimes: 3, channels: [channelOf(1), channelOf(2)] });
    const response = world.run();
    world.sent[0]!.json(400, {
      error: { message: "too long", type: "invalid_request_error", code: "context_length_exceeded" },
    });
    expect(response.status).toBe(400);
    expect(world.sent).toHaveLength(1);
    world.expectNothingLeft();
  });

  it("is replaced by other channels, each tried once, higher priorities first", () => {
    const channels = [channelOf(3, { priority: 5 }), channelOf(1), channelOf(2)];
    const world = setUp({ retryTimes: 5, channels });
    const response = world.run();
    world.sent[0]!.json(500, {});
    world.sent[1]!.receiver.onFailure({ kind: "reset", detail: "" });
    world.sent[2]!.json(200, answer);
    expect(response.status).toBe(200);
    expect(world.charges).toMatchObject([{ channelId: 2, quota: 18 }]);
    expect(world.sent).toHaveLength(3);
    world.expectNothingLeft();
  });

  it("cannot disturb its replacement with later events of its connection", () => {
    const world = setUp({ retryTimes: 1, channels: [channelOf(1), channelOf(2)] });
    const response = world.run({ stream: true });
    const [first] = world.sent;
    first!.head(200, "text/event-stream");
    first!.receiver.onData(Buffer.from('data: {"error":{"message":"overloaded","type":"server_error"}}\n\n'));
    expect(first!.isAborted).toBe(true);
    // A connection that was given up reports so later, when the next attempt is under way.
    first!.receiver.onFailure({ kind: "reset", detail: "aborted" });
    world.sent[1]!.head(200, "text/event-stream");
    world.sent[1]!.receiver.onData(Buffer.from(chunk({ content: "Hello!" }) + USAGE + DONE));
    expect(response.text).toBe(chunk({ content: "Hello!" }) + DONE);
    expect(world.charges).toMatchObject([{ channelId: 2, quota: 18 }]);
    world.expectNothingLeft();
  });

  it("is not replaced beyond RetryTimes", () => {
    const world = setUp({ retryTimes: 1, channels: [channelOf(1), channelOf(2), channelOf(3)] });
    world.run();
    world.sent[0]!.json(500, {});
    world.sent[1]!.json(500, {});
    expect(world.sent).toHaveLength(2);
    world.expectNothingLeft();
  });

  it("with a dead key is reported", () => {
    const world = setUp();
    world.run();
    world.sent[0]!.json(401, { error: { message: "bad key", code: "invalid_api_key" } });
    expect(world.state.deadKeys).toEqual([1]);
  });
});

describe("requests that cannot be paid or offered", () => {
  it.each([
    ["an empty user", { quota: 0 }, "user-quota-exceeded"],
    ["a key with too little", { keyQuota: 10 }, "token-quota-exceeded"],
    ["a group without a channel", { channels: [] }, "model-unknown"],
  ])("%s is refused before the upstream is asked", (_, settings, code) => {
    const world = setUp(settings);
    const response = world.run();
    expect(response.text).toContain(code);
    expect(world.sent).toEqual([]);
    world.expectNothingLeft();
  });

  it("a model without a price is refused", () => {
    const world = setUp();
    const response = world.run({ model: "unpriced" });
    expect(response.text).toContain("model-price-missing");
    expect(world.sent).toEqual([]);
  });

  it("a model whose output has no price is refused like one without any (M6)", () => {
    const world = setUp();
    const response = world.run({ model: "wordless" });
    expect(response.text).toContain("output-price-missing");
    expect(world.sent).toEqual([]);
    world.expectNothingLeft();
  });

  it("a model whose output has no price on one channel is asked of another that maps it to one that has (M6)", () => {
    const world = setUp({
      channels: [channelOf(1, { priority: 1 }), channelOf(2, { modelMapping: { wordless: "cheap" } })],
    });
    world.run({ model: "wordless" });
    expect(JSON.parse(String(world.sent[0]!.request.body))).toMatchObject({ model: "cheap" });
  });

  it("holds cover the client's limit, so that parallel requests cannot overdraw", () => {
    const world = setUp({ quota: 1700, keyQuota: 100_000 });
    world.run({ max_tokens: 1000 });
    const second = world.run({ max_tokens: 1000 });
    expect(second.text).toContain("user-quota-held");
    expect(second.headers["retry-after"]).toBe("1");
    expect(world.sent).toHaveLength(1);
    world.sent[0]!.json(200, answer);
    expect(world.user.quota).toBe(1682);
    world.expectNothingLeft();
  });

  /** What must be there, found by giving the user that and one less; and what is held of a large balance. */
  const heldAtLeastAndMost = (ask: (settings: { quota: number; keyQuota: number }) => number): number[] => {
    const most = ask({ quota: 1e12, keyQuota: 1e12 });
    let [refused, enough] = [0, most];
    while (enough - refused > 1) {
      const quota = Math.floor((refused + enough) / 2);
      if (ask({ quota, keyQuota: 1e12 }) === 0) refused = quota;
      else enough = quota;
    }
    expect(ask({ quota: 1e12, keyQuota: enough - 1 })).toBe(0);
    return [enough, most];
  };

  // The prompt "user\nhi" is 7 bytes: an estimate of 2 tokens, 7 at worst; 3 for the message, 3 for the priming.
  it.each<[string, Record<string, unknown>, "openai-chat" | "anthropic-messages", number, number]>([
    ["the client's limit, at the price of the answer", { max_tokens: 100 }, "openai-chat", 8 + 200, 13 + 200],
    [
      "PreConsumedQuota where there is no limit, and the most that the model writes (M2)",
      { model: "uncharted" },
      "openai-chat",
      8 + 1000,
      13 + 65_536,
    ],
    ["every one of several answers", { max_tokens: 100, n: 3 }, "openai-chat", 8 + 600, 13 + 600],
    [
      "the largest of all limits (M2)",
      { max_completion_tokens: 1, max_tokens: 2000 },
      "openai-chat",
      8 + 4000,
      13 + 4000,
    ],
    [
      "a limit that only another parser reads (M2)",
      { max_tokens: 1, extra_body: { max_new_tokens: "2000" }, best_of: 2 },
      "openai-chat",
      8 + 8000,
      13 + 8000,
    ],
    [
      "the most that the model writes where an upstream may not know the client's limit (M2)",
      { model: "uncharted", max_completion_tokens: 100, reasoning_effort: "high" },
      "openai-chat",
      8 + 200,
      13 + 65_536,
    ],
    ["the limit of the Messages API", { max_tokens: 100 }, "anthropic-messages", 8 + 200, 13 + 200],
    [
      "tools, which are part of the prompt",
      { max_tokens: 100, tools: [{ type: "function", function: { name: "f".repeat(993) } }] },
      "openai-chat",
      // '[{"type":"function","function":{"name":"…"}}]' and its line break are 1038 bytes more.
      6 + Math.floor((1045 * 38) / 100) + 200,
      6 + 1045 + 200,
    ],
    [
      "a file by its size, an image by the largest there is (M2)",
      {
        model: "uncharted",
        max_tokens: 100,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "hi" },
              { type: "file", file: { file_data: `data:text/plain;base64,${"A".repeat(399_977)}` } },
              { type: "image_url", image_url: { url: "https://x.test/a.png" } },
            ],
          },
        ],
      },
      "openai-chat",
      8 + 2000 + 200,
      13 + 300_000 + 5000 + 200,
    ],
    [
      "a file that is only named by the longest context (M2)",
      {
        model: "uncharted",
        max_tokens: 100,
        messages: [{ role: "user", content: [{ type: "file", file: { file_id: "f" } }] }],
      },
      "openai-chat",
      7 + 1000 + 200,
      10 + 1_000_000 + 200,
    ],
  ])("the hold covers %s", (_, body, client, least, most) => {
    const held = heldAtLeastAndMost((settings) => {
      const world = setUp(settings);
      world.run(body, CLIENT_PROTOCOLS[client]);
      return world.user.held;
    });
    expect(held).toEqual([Math.ceil(least * 0.75), Math.ceil(most * 0.75)]);
  });

  it.each<[string, number, string, Record<string, unknown>, number, number]>([
    [
      "a limit that is raised for a thinking budget",
      14,
      "claude-3-7",
      { reasoning_effort: "low" },
      1124,
      1124,
    ],
    ["the client's limit where nothing raises it", 14, "claude-3-7", {}, 100, 100],
    ["no less than PreConsumedQuota where the upstream takes no limit", 21, "library", {}, 500, 32_768],
    [
      "a limit above PreConsumedQuota where the upstream takes none",
      21,
      "library",
      { max_tokens: 600 },
      600,
      32_768,
    ],
    ["every answer without a limit", 1, "gpt-4o", { max_tokens: undefined, n: 3 }, 1500, 3 * 16_384],
  ])("the hold covers %s", (_, type, model, body, least, most) => {
    const held = heldAtLeastAndMost((settings) => {
      const world = setUp({
        ...settings,
        channels: [channelOf(1, { type, modelMapping: { "gpt-3.5-turbo": model } })],
        prices: { modelPrices: new Map([[model, [{ input: 0, output: 2 }]]]) },
      });
      world.run({ max_tokens: 100, ...body });
      return world.user.held;
    });
    expect(held).toEqual([least, most]);
  });

  it("a limit under the newer name holds where the vendor says that it reads it", () => {
    const world = setUp({ channels: [channelOf(1, { baseUrl: "https://api.openai.com" })] });
    world.run({ max_completion_tokens: 100 });
    expect(world.user.held).toBe(Math.ceil((13 + 200) * 0.75));
  });

  it("sixty answers at once of an upstream that knows no limit cost at most the balance and one answer (M2)", () => {
    const world = setUp({ quota: 10_000, keyQuota: 1_000_000 });
    for (let i = 0; i < 60; i += 1) world.run({ model: "uncharted", max_completion_tokens: 1 });
    for (const sent of world.sent)
      sent.json(200, { ...answer, usage: { prompt_tokens: 13, completion_tokens: 27_000 } });
    expect(world.sent).toHaveLength(1);
    expect(world.charges).toMatchObject([{ quota: 10_000 }]);
    expect(world.user.quota).toBe(0);
    world.expectNothingLeft();
  });

  it("an unlimited key is bounded by its user", () => {
    const world = setUp({ quota: 800, keyQuota: 0 });
    world.keyAccount.isUnlimited = true;
    expect(world.run({ max_tokens: 1000 }).text).toContain("user-quota-exceeded");
    world.run();
    world.sent[0]!.json(200, { ...answer, usage: { prompt_tokens: 13, completion_tokens: 5000 } });
    expect([world.user.quota, world.keyAccount.quota]).toEqual([0, 0]);
    expect(world.charges).toMatchObject([{ quota: 800 }]);
    world.expectNothingLeft();
  });

  it("stops at zero when the upstream used more than the balance, and records the shortfall", () => {
    const world = setUp({ quota: 800, keyQuota: 800 });
    world.run();
    world.sent[0]!.json(200, {
      ...answer,
      usage: { prompt_tokens: 13, completion_tokens: 5000, total_tokens: 5013 },
    });
    expect(world.user.quota).toBe(0);
    expect(world.charges[0]).toMatchObject({
      quota: 800,
      content: expect.arrayContaining([{ code: "user-shortfall", quota: 7510 - 800 }]),
    });
    world.expectNothingLeft();
  });
});

describe("cached tokens", () => {
  const cachedAnswer = {
    ...answer,
    usage: { prompt_tokens: 1000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 800 } },
  };

  it("cost the vendor's factor, which the log line and the receipt tell", () => {
    const world = setUp({
      prices: {
        modelRatios: parseRatioTable('{"gpt-3.5-turbo":1}')!,
        cacheRatios: new Map([["gpt-3.5-turbo", { read: 0.5 }]]),
      },
    });
    world.run();
    world.sent[0]!.json(200, cachedAnswer);
    expect(world.charges).toMatchObject([
      {
        quota: 620,
        promptTokens: 1000,
        content: [
          { code: "ratios", model: "1.00", group: "1.00" },
          { code: "cache-read", count: 800, weight: "0.5" },
        ],
        formula: "ceil((200 × 1 + 800 × 0.5 + 10 × 2) × 1 × 1) = 620",
        usage: { cacheReadTokens: 800 },
      },
    ]);
  });

  it("cost as much as any input when the administrator wants it so", () => {
    const world = setUp({
      channels: [channelOf(1, { models: ["gpt-5"] })],
      prices: { fallbackRatio: parseDecimal(1), isCacheBilled: false },
    });
    world.run({ model: "gpt-5" });
    world.sent[0]!.json(200, cachedAnswer);
    expect(world.charges).toMatchObject([
      { quota: 1010, content: [{ code: "ratios", model: "1.00", group: "1.00" }] },
    ]);
  });

  it("that the client asks to be written are held at the price of writing", () => {
    const world = setUp({ quota: 1e6, keyQuota: 1e6, prices: { fallbackRatio: parseDecimal(1) } });
    const ask = (cache_control?: object) => {
      world.run(
        {
          model: "claude-sonnet-4-5",
          max_tokens: 100,
          messages: [{ role: "user", content: [{ type: "text", text: "x".repeat(10_000), cache_control }] }],
        },
        CLIENT_PROTOCOLS["anthropic-messages"],
      );
      const { held } = world.user;
      world.sent.at(-1)!.receiver.onFailure({ kind: "reset", detail: "" });
      return held - 100;
    };
    const read = ask();
    expect(read).toBeGreaterThan(3800);
    expect(ask({ type: "ephemeral", ttl: "1h" })).toBe(read * 2);
    world.expectNothingLeft();
  });
});

describe("model mapping", () => {
  it("renames the model, keeps every other field, and charges by the new name", () => {
    const world = setUp({ channels: [channelOf(1, { modelMapping: { "gpt-3.5-turbo": "cheap" } })] });
    world.run({ temperature: 0, unknown_field: [1, 2], stop: ["x"] });
    expect(JSON.parse(String(world.sent[0]!.request.body))).toEqual({
      model: "cheap",
      messages: [{ role: "user", content: "hi" }],
      temperature: 0,
      unknown_field: [1, 2],
      stop: ["x"],
    });
    world.sent[0]!.json(200, answer);
    expect(world.charges).toMatchObject([{ model: "cheap", quota: 9 }]);
  });

  it("sends the client's own bytes when there is nothing to change", () => {
    const world = setUp();
    world.run({ temperature: 0 });
    expect(world.sent[0]!.request.body).toBeInstanceOf(Uint8Array);
    expect(world.sent[0]!.request).toMatchObject({
      origin: "http://upstream.test",
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer upstream-key" },
    });
  });
});

describe("a stream", () => {
  const open = (world: ReturnType<typeof setUp>, body: object = {}) => {
    const response = world.run({ stream: true, ...body });
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    return { response, sent, push: (text: string) => sent.receiver.onData(Buffer.from(text)) };
  };

  it("asks the upstream for usage and keeps it from a client that did not ask", () => {
    const world = setUp();
    const { response, sent, push } = open(world);
    expect(JSON.parse(String(sent.request.body))).toMatchObject({ stream_options: { include_usage: true } });
    push(chunk({ role: "assistant", content: "" }));
    expect(response.headersSent).toBe(false);
    push(chunk({ content: "Hel" }) + chunk({ content: "lo!" }));
    push(USAGE);
    push(DONE);
    sent.receiver.onEnd();
    expect(response.text).toBe(
      chunk({ role: "assistant", content: "" }) +
        chunk({ content: "Hel" }) +
        chunk({ content: "lo!" }) +
        DONE,
    );
    expect(world.charges).toMatchObject([{ quota: 18 }]);
    world.expectNothingLeft();
  });

  it("passes the usage to a client that asked", () => {
    const world = setUp();
    const { response, push } = open(world, { stream_options: { include_usage: true } });
    push(chunk({ content: "Hello!" }) + USAGE + DONE);
    expect(response.text).toBe(chunk({ content: "Hello!" }) + USAGE + DONE);
  });

  it("keeps the end back until the charge is durable", () => {
    const world = setUp();
    world.state.isStorageSlow = true;
    const { response, push } = open(world);
    push(chunk({ content: "Hello!" }));
    push(USAGE + DONE);
    expect(response.text).toBe(chunk({ content: "Hello!" }));
    expect(response.writableEnded).toBe(false);
    world.commits[0]!(undefined);
    expect(response.text.endsWith(DONE)).toBe(true);
    expect(response.writableEnded).toBe(true);
  });

  it("whose charge cannot be stored ends with an error, stays charged, and is no failed request (M8)", () => {
    const world = setUp();
    world.state.isStorageSlow = true;
    const { response, push } = open(world);
    push(chunk({ content: "Hello!" }));
    push(USAGE + DONE);
    expect(world.deliveries).toEqual([true]);
    world.commits[0]!(new Error("disk full"));
    expect(response.text).toContain("storage-interrupted");
    expect(response.text).not.toContain("[DONE]");
    expect(response.writableEnded).toBe(true);
    expect(world.failures).toEqual([]);
    expect(world.user.quota).toBe(9982);
    world.expectNothingLeft();
  });

  it("comes out the same however its bytes are cut", () => {
    const whole = chunk({ content: "你好" }) + chunk({ content: "，世界🌍" }) + USAGE + DONE;
    const bytes = Buffer.from(whole);
    for (const size of [1, 2, 3, 7, 64, bytes.length]) {
      const world = setUp();
      const { response, sent } = open(world);
      for (let from = 0; from < bytes.length; from += size) {
        sent.receiver.onData(bytes.subarray(from, from + size));
      }
      sent.receiver.onEnd();
      expect(response.text).toBe(chunk({ content: "你好" }) + chunk({ content: "，世界🌍" }) + DONE);
      expect(world.charges).toMatchObject([{ quota: 18 }]);
      world.expectNothingLeft();
    }
  });

  it("that ends without content is an error, and free", () => {
    const role = chunk({ role: "assistant", content: "" });
    for (const events of ["", DONE, role + DONE, role + FINISH + DONE]) {
      const world = setUp();
      const { response, sent, push } = open(world);
      if (events !== "") push(events);
      sent.receiver.onEnd();
      expect(response.status).not.toBe(200);
      expect(response.text).toContain("upstream-empty");
      expect(world.charges).toEqual([]);
      world.expectNothingLeft();
    }
  });

  it("whose first event is an error is replaced by another channel", () => {
    const world = setUp({ retryTimes: 1, channels: [channelOf(1), channelOf(2)] });
    const { response, push } = open(world);
    push('data: {"error":{"message":"overloaded","type":"server_error"}}\n\n');
    expect(world.sent).toHaveLength(2);
    world.sent[1]!.head(200, "text/event-stream");
    world.sent[1]!.receiver.onData(Buffer.from(chunk({ content: "Hello!" }) + USAGE + DONE));
    expect(response.text).toBe(chunk({ content: "Hello!" }) + DONE);
    expect(world.charges).toMatchObject([{ channelId: 2, quota: 18 }]);
    world.expectNothingLeft();
  });

  it.each(["openai-chat", "anthropic-messages"] as const)(
    "that is whole is charged whatever error its upstream tells behind it (to a client of %s)",
    (name) => {
      const world = setUp();
      const response = world.run({ stream: true, max_tokens: 100 }, CLIENT_PROTOCOLS[name]);
      const sent = world.sent[0]!;
      sent.head(200, "text/event-stream");
      sent.receiver.onData(Buffer.from(chunk({ content: "Hello!" }) + FINISH));
      sent.receiver.onData(
        Buffer.from(`${USAGE}data: {"error":{"message":"overloaded","type":"server_error"}}\n\n`),
      );
      sent.receiver.onEnd();
      expect(world.charges).toMatchObject([{ quota: 18 }]);
      expect(response.text).not.toMatch(/overloaded|error/);
      world.expectNothingLeft();
    },
  );

  it("whose upstream tells less output behind more is charged for the more", () => {
    const world = setUp();
    const { sent, push } = open(world);
    push(
      chunk({ content: "Hello!" }) +
        FINISH +
        USAGE.replace('"completion_tokens":5', '"completion_tokens":4000'),
    );
    push(USAGE + DONE);
    sent.receiver.onEnd();
    expect(world.charges).toMatchObject([{ completionTokens: 4000 }]);
  });

  it("that breaks off ends with an error event, without an end mark, and is free", () => {
    const world = setUp();
    const { response, sent, push } = open(world);
    push(chunk({ content: "Hel" }));
    sent.receiver.onFailure({ kind: "reset", detail: "ECONNRESET" });
    expect(response.text.startsWith(chunk({ content: "Hel" }))).toBe(true);
    expect(response.text).toContain("upstream-interrupted");
    expect(response.text).not.toContain("[DONE]");
    expect(response.writableEnded).toBe(true);
    expect(world.charges).toEqual([]);
    expect(world.user.quota).toBe(10_000);
    world.expectNothingLeft();
  });

  it("without content counts when the upstream reports work", () => {
    const world = setUp();
    const { response, push } = open(world);
    push(chunk({ role: "assistant", content: "" }) + FINISH + USAGE + DONE);
    expect(response.text).toBe(chunk({ role: "assistant", content: "" }) + FINISH + DONE);
    expect(world.charges).toMatchObject([{ quota: 18 }]);
  });

  it("that is closed in order is whole when the model had finished, and broken off when not", () => {
    const finished = setUp();
    const whole = open(finished);
    whole.push(chunk({ content: "Hello!" }) + FINISH + USAGE);
    whole.sent.receiver.onEnd();
    expect(whole.response.text).toBe(chunk({ content: "Hello!" }) + FINISH);
    expect(finished.charges).toMatchObject([{ quota: 18 }]);

    const cut = setUp();
    const half = open(cut);
    half.push(chunk({ content: "Hel" }));
    half.sent.receiver.onEnd();
    expect(half.response.text).toContain("upstream-interrupted");
    expect(cut.charges).toEqual([]);
    cut.expectNothingLeft();
  });

  describe("whose connection fails", () => {
    const GEMINI = (more: object) =>
      `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: "Hello!" }] }, ...more }], usageMetadata: { promptTokenCount: 13, candidatesTokenCount: 5 } })}\n\n`;
    const gemini = { channels: [channelOf(1, { type: 24, models: ["cheap"] })] };

    it.each(["reset", "timeout"] as const)("behind all of the answer (%s) is whole", (kind) => {
      for (const torn of ["", "data: [DO", 'data: {"choices":[{"delta":{"conte']) {
        const world = setUp();
        const { response, sent, push } = open(world);
        push(chunk({ content: "Hello!" }) + FINISH + USAGE + torn);
        sent.receiver.onFailure({ kind, detail: "" });
        expect(response.text.trimEnd()).toBe((chunk({ content: "Hello!" }) + FINISH).trimEnd());
        expect(world.charges).toMatchObject([{ quota: 18, end: "complete" }]);
        world.expectNothingLeft();
      }
    });

    it.each([
      ["the stop reason", chunk({ content: "Hello!" }) + USAGE],
      ["the usage", chunk({ content: "Hello!" }) + FINISH],
    ])("before %s is free", (_, events) => {
      const world = setUp();
      const { response, sent, push } = open(world);
      push(events);
      sent.receiver.onFailure({ kind: "reset", detail: "ECONNRESET" });
      expect(response.text).toContain("upstream-interrupted");
      expect(world.charges).toEqual([]);
      world.expectNothingLeft();
    });

    it("behind the stop reason of a translated stream without an end mark is whole", () => {
      const whole = setUp(gemini);
      const finished = open(whole, { model: "cheap" });
      finished.push(GEMINI({ finishReason: "STOP" }));
      finished.sent.receiver.onFailure({ kind: "reset", detail: "ECONNRESET" });
      expect(finished.response.text).toContain('"finish_reason":"stop"');
      expect(finished.response.text).not.toContain("upstream-interrupted");
      expect(whole.charges).toMatchObject([{ promptTokens: 13, completionTokens: 5, end: "complete" }]);
      whole.expectNothingLeft();

      const cut = setUp(gemini);
      const half = open(cut, { model: "cheap" });
      half.push(GEMINI({}));
      half.sent.receiver.onFailure({ kind: "reset", detail: "ECONNRESET" });
      expect(half.response.text).toContain("upstream-interrupted");
      expect(cut.charges).toEqual([]);
      expect(cut.state.reported).toEqual(["ECONNRESET"]);
      cut.expectNothingLeft();
    });
  });

  it("that the client leaves is stopped, and the delivered part is charged", () => {
    const world = setUp();
    const { response, sent, push } = open(world);
    push(chunk({ content: "12345678" }));
    push(chunk({ content: "abcd" }));
    response.destroy();
    expect(sent.isAborted).toBe(true);
    expect(world.charges).toMatchObject([
      { completionTokens: 3, content: expect.arrayContaining([{ code: "left-and-received" }]) },
    ]);
    world.expectNothingLeft();
  });

  it("that the client leaves before anything was delivered is free", () => {
    const world = setUp();
    const { response, sent } = open(world);
    response.destroy();
    expect(sent.isAborted).toBe(true);
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });

  it("is slowed down by a client that does not read", () => {
    const world = setUp();
    const { response, sent, push } = open(world);
    response.isReading = false;
    expect(push(chunk({ content: "Hello" }))).toBe(false);
    expect(sent.resumed).toBe(0);
    response.emit("drain");
    expect(sent.resumed).toBe(1);
  });

  it.each([
    [6000, 1],
    [2000, 0],
  ])(
    "that breaks off after its client held it up for %d ms is charged for the delivered part %d times",
    (pauseMs, times) => {
      const world = setUp();
      const response = world.run({ stream: true });
      const { receiver, head } = world.sent[0]!;
      head(200, "text/event-stream");
      response.isReading = false;
      receiver.onData(Buffer.from(chunk({ content: "four".repeat(10) })));
      world.state.nowMs += pauseMs;
      response.isReading = true;
      response.emit("drain");
      // An upstream that cannot write for so long gives up, and its client must not gain by that.
      receiver.onFailure({ kind: "reset", detail: "reset" });
      expect(response.text).toContain("upstream-interrupted");
      expect(world.charges).toHaveLength(times);
      if (times === 1)
        expect(world.charges).toMatchObject([
          {
            completionTokens: 10,
            end: "interrupted",
            content: expect.arrayContaining([{ code: "held-up" }]),
          },
        ]);
      world.expectNothingLeft();
    },
  );

  it("that breaks off while its client holds it up is charged for the delivered part", () => {
    const world = setUp();
    const response = world.run({ stream: true });
    const { receiver, head } = world.sent[0]!;
    head(200, "text/event-stream");
    response.isReading = false;
    receiver.onData(Buffer.from(chunk({ content: "four".repeat(10) })));
    world.state.nowMs += 6000;
    receiver.onFailure({ kind: "reset", detail: "reset" });
    expect(world.charges).toMatchObject([{ completionTokens: 10 }]);
    world.expectNothingLeft();
  });

  it("without usage is counted from the delivered part, also after many events", async () => {
    const world = setUp();
    const { sent, push } = open(world);
    for (let i = 0; i < 1000; i += 1) push(chunk({ content: "abcd" }));
    push(DONE);
    sent.receiver.onEnd();
    await expect.poll(() => world.charges).toHaveLength(1);
    expect(world.charges).toMatchObject([{ completionTokens: 1000 }]);
  });

  it.each(["application/json", "Application/JSON; Charset=UTF-8", "text/json"])(
    "is made of a whole answer when the upstream does not stream (%s)",
    (type) => {
      const world = setUp();
      const response = world.run({ stream: true });
      world.sent[0]!.head(200, type);
      world.sent[0]!.receiver.onData(Buffer.from(JSON.stringify(answer)));
      world.sent[0]!.receiver.onEnd();
      expect(response.headers["content-type"]).toContain("text/event-stream");
      expect(response.text).toContain("Hello!");
      expect(response.text.endsWith(DONE)).toBe(true);
      expect(world.charges).toMatchObject([{ quota: 18 }]);
    },
  );
});

describe("a whole answer of many megabytes that is translated", () => {
  const content = "words ".repeat(600_000);
  const large = { ...answer, choices: [{ ...answer.choices[0]!, message: { role: "assistant", content } }] };
  const messages = CLIENT_PROTOCOLS["anthropic-messages"];

  it("is written in steps, between which others come", async () => {
    const world = setUp({ quota: 1e9, keyQuota: 1e9 });
    const response = world.run({ max_tokens: 9 }, messages);
    const upstream = JSON.stringify(large);
    const write = vi.spyOn(JSON, "stringify");
    try {
      world.sent[0]!.json(200, upstream);
      await expect.poll(() => response.writableEnded).toBe(true);
      const lengths = write.mock.results.map(({ value }) => String(value).length);
      expect(lengths.filter((length) => length > 200_000).length).toBeGreaterThan(10);
      expect(Math.max(...lengths)).toBeLessThan(600_000);
    } finally {
      write.mockRestore();
    }
    expect(JSON.parse(response.text)).toMatchObject({
      content: [{ type: "text", text: content }],
      usage: { input_tokens: 13, output_tokens: 5 },
    });
    expect(world.charges).toMatchObject([{ quota: 18, end: "complete" }]);
    world.expectNothingLeft();
  });

  it("is told as a stream where its client asked for one", async () => {
    const world = setUp({ quota: 1e9, keyQuota: 1e9 });
    const response = world.run({ max_tokens: 9, stream: true }, messages);
    world.sent[0]!.json(200, large);
    await expect.poll(() => response.writableEnded).toBe(true);
    expect(response.headers["content-type"]).toContain("text/event-stream");
    expect(response.text).toContain(content);
    expect(world.charges).toMatchObject([{ quota: 18 }]);
    world.expectNothingLeft();
  });

  it("costs nothing where its client leaves while it is written", async () => {
    const world = setUp({ quota: 1e9, keyQuota: 1e9 });
    const response = world.run({ max_tokens: 9 }, messages);
    world.sent[0]!.json(200, large);
    let turns = 0;
    // Read in some turns, then written in some.
    while (turns < 8) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    expect(response.writableEnded).toBe(false);
    response.destroy();
    await expect.poll(() => world.failures).toMatchObject([{ end: "client-left" }]);
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });
});

describe("the record of a request", () => {
  it("of an answer: the time of each channel's answer, and the failed attempts", () => {
    const world = setUp({ retryTimes: 1, channels: [channelOf(1), channelOf(2)] });
    world.run();
    world.state.nowMs += 30;
    world.sent[0]!.json(500, { error: { message: "inside" } });
    world.state.nowMs += 5;
    world.sent[1]!.head(200, "application/json");
    world.state.nowMs += 7;
    world.sent[1]!.receiver.onData(Buffer.from(JSON.stringify(answer)));
    world.sent[1]!.receiver.onEnd();
    expect(world.charges).toMatchObject([
      {
        requestedModel: "gpt-3.5-turbo",
        model: "gpt-3.5-turbo",
        isStream: false,
        end: "complete",
        startedAtMs: 1_700_000_000_000,
        durationMs: 42,
        firstByteMs: undefined,
        promptSource: "upstream",
        completionSource: "upstream",
        formula: "ceil((13 × 1 + 5 × 2) × 0.75 × 1) = 18",
        attempts: [
          { channelId: 1, outcome: "overloaded", status: 500, startedMs: 0, firstByteMs: 30, durationMs: 30 },
          { channelId: 2, outcome: "ok", status: 200, startedMs: 30, firstByteMs: 5, durationMs: 12 },
        ],
      },
    ]);
    expect(world.failures).toEqual([]);
  });

  it("of an upstream that reports an empty prompt: the prompt is counted here, as is one that is not reported", () => {
    const usages = [{ completion_tokens: 5 }, { prompt_tokens: 0, completion_tokens: 5 }];
    const charges = usages.map((usage) => {
      const world = setUp();
      world.run();
      world.sent[0]!.json(200, { ...answer, usage });
      return world.charges[0];
    });
    expect(charges[1]).toMatchObject({
      promptTokens: charges[0]?.promptTokens,
      completionTokens: 5,
      promptSource: "counted",
      completionSource: "upstream",
    });
    expect(charges[1]?.promptTokens).toBeGreaterThan(0);
  });

  it("of a stream: when it began for the client, and how it ended", () => {
    const world = setUp();
    const response = world.run({ stream: true });
    const sent = world.sent[0]!;
    world.state.nowMs += 10;
    sent.head(200, "text/event-stream");
    world.state.nowMs += 10;
    sent.receiver.onData(Buffer.from(chunk({ content: "12345678" })));
    world.state.nowMs += 10;
    response.destroy();
    expect(world.charges).toMatchObject([
      { isStream: true, end: "client-left", firstByteMs: 20, durationMs: 30, completionSource: "counted" },
    ]);
  });

  it("of a request that came to nothing: every attempt, and no charge", () => {
    const world = setUp({ retryTimes: 1, channels: [channelOf(1), channelOf(2)] });
    world.run();
    world.sent[0]!.json(500, { error: { message: "inside" } });
    world.sent[1]!.receiver.onFailure({ kind: "reset", detail: "gone" });
    expect(world.charges).toEqual([]);
    expect(world.failures).toMatchObject([
      {
        end: "failed",
        channelId: 2,
        attempts: [
          { outcome: "overloaded", status: 500 },
          { outcome: "network", status: 0, firstByteMs: undefined },
        ],
      },
    ]);
  });

  it("of a stream that broke off, of a client that left, and of an unpaid rest", () => {
    const broken = setUp();
    broken.run({ stream: true });
    broken.sent[0]!.head(200, "text/event-stream");
    broken.sent[0]!.receiver.onData(Buffer.from(chunk({ content: "Hello" })));
    broken.sent[0]!.receiver.onFailure({ kind: "reset", detail: "gone" });
    expect(broken.failures).toMatchObject([{ end: "interrupted", attempts: [{ outcome: "network" }] }]);
    const left = setUp();
    left.run().destroy();
    expect(left.failures).toMatchObject([{ end: "client-left", attempts: [{ outcome: "client-left" }] }]);
    const poor = setUp({ quota: 1 });
    poor.run();
    expect(poor.failures).toMatchObject([{ end: "failed", model: "gpt-3.5-turbo", attempts: [] }]);
    const unknown = setUp({ channels: [] });
    unknown.run({ model: "made-up" });
    expect(unknown.failures).toMatchObject([{ requestedModel: "made-up", model: "", channelId: 0 }]);
  });
});

describe("a client that leaves, under the policy of reading on", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const leave = (settings: Parameters<typeof setUp>[0] = {}) => {
    const world = setUp({ drainMs: 5000, ...settings });
    const response = world.run({ stream: true });
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    return { world, response, sent, push: (text: string) => sent.receiver.onData(Buffer.from(text)) };
  };

  it("pays the upstream's own count of the whole answer", () => {
    const { world, response, sent, push } = leave();
    push(chunk({ content: "Hel" }));
    response.destroy();
    expect(sent.isAborted).toBe(false);
    expect(world.charges).toEqual([]);
    const before = response.text;
    push(chunk({ content: "lo!" }) + FINISH + USAGE + DONE);
    expect(world.charges).toMatchObject([
      {
        quota: 18,
        promptTokens: 13,
        completionTokens: 5,
        content: expect.arrayContaining([{ code: "left-and-drained" }]),
      },
    ]);
    expect(response.text).toBe(before);
    world.expectNothingLeft();
    sent.receiver.onEnd();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("pays the upstream's own count when the connection fails behind the whole answer", () => {
    const { world, response, sent, push } = leave();
    push(chunk({ content: "Hel" }));
    response.destroy();
    push(chunk({ content: "lo!" }) + FINISH + USAGE);
    sent.receiver.onFailure({ kind: "reset", detail: "ECONNRESET" });
    expect(world.charges).toMatchObject([
      { quota: 18, content: expect.arrayContaining([{ code: "left-and-drained" }]) },
    ]);
    world.expectNothingLeft();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("pays for the delivered part when the upstream does not end in time", () => {
    const { world, response, sent, push } = leave();
    push(chunk({ content: "12345678" }));
    response.destroy();
    push(chunk({ content: "this came after it had left" }));
    vi.advanceTimersByTime(4999);
    expect(world.charges).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent.isAborted).toBe(true);
    expect(world.charges).toMatchObject([
      { completionTokens: 2, content: expect.arrayContaining([{ code: "left-and-received" }]) },
    ]);
    world.expectNothingLeft();
  });

  it("pays for the delivered part when the upstream reports no usage", () => {
    const { world, response, push } = leave();
    push(chunk({ content: "12345678" }));
    response.destroy();
    push(chunk({ content: "this came after it had left" }) + FINISH + DONE);
    expect(world.charges).toMatchObject([
      { completionTokens: 2, content: expect.arrayContaining([{ code: "left-and-received" }]) },
    ]);
    world.expectNothingLeft();
  });

  it("pays nothing when the upstream breaks off", () => {
    const { world, response, sent, push } = leave();
    push(chunk({ content: "Hel" }));
    response.destroy();
    sent.receiver.onFailure({ kind: "reset", detail: "" });
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("pays nothing when nothing had been delivered, and the upstream is stopped at once", () => {
    const { world, response, sent } = leave();
    response.destroy();
    expect(sent.isAborted).toBe(true);
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });

  it("is charged as ever when it leaves after the end", () => {
    const { world, response, push } = leave();
    world.state.isStorageSlow = true;
    push(chunk({ content: "Hello!" }) + FINISH + USAGE + DONE);
    response.destroy();
    world.commits[0]!(undefined);
    expect(world.charges).toMatchObject([
      { quota: 18, content: [expect.objectContaining({ code: "ratios" })] },
    ]);
    world.expectNothingLeft();
  });

  it("does not hold up an upstream that it had slowed down", () => {
    const { response, sent, push } = leave();
    response.isReading = false;
    expect(push(chunk({ content: "Hel" }))).toBe(false);
    response.destroy();
    expect(sent.resumed).toBe(1);
    expect(push(chunk({ content: "lo!" }))).toBe(true);
  });

  it("keeps its hold until the count is known", () => {
    const { world, response, push } = leave({ quota: 1000, keyQuota: 1000 });
    push(chunk({ content: "Hel" }));
    response.destroy();
    expect(world.user.held).toBeGreaterThan(0);
    push(FINISH + USAGE + DONE);
    expect(world.user.quota).toBe(982);
    world.expectNothingLeft();
  });

  it("pays for the delivered part when the process stops meanwhile", () => {
    const { world, response, push } = leave();
    push(chunk({ content: "12345678" }));
    response.destroy();
    void world.relay.drain(1);
    vi.advanceTimersByTime(1);
    expect(world.charges).toMatchObject([{ completionTokens: 2 }]);
    world.expectNothingLeft();
    vi.advanceTimersByTime(10_000);
    expect(world.charges).toHaveLength(1);
  });
});

describe("a client that leaves an answer whose reasoning is hidden (M5)", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const MODEL = "gpt-5";
  const usage = {
    prompt_tokens: 13,
    completion_tokens: 4020,
    completion_tokens_details: { reasoning_tokens: 4000 },
  };
  const END = `${FINISH}data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\n${DONE}`;

  const leave = (body: object = {}) => {
    const world = setUp({
      channels: [channelOf(1, { models: [MODEL] })],
      quota: 1e6,
      keyQuota: 1e6,
      prices: { fallbackRatio: parseDecimal(1) },
    });
    const response = world.run({ model: MODEL, stream: true, ...body });
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    const push = (text: string) => sent.receiver.onData(Buffer.from(text));
    push(chunk({ content: "12345678" }));
    response.destroy();
    return { world, sent, push };
  };

  it("pays for the reasoning and the delivered part, and not for anything after it left", () => {
    const { world, sent, push } = leave();
    expect(sent.isAborted).toBe(false);
    push(chunk({ content: "this came after it had left" }) + END);
    expect(world.charges).toMatchObject([
      {
        promptTokens: 13,
        completionTokens: 4002,
        content: expect.arrayContaining([{ code: "left-and-received" }]),
      },
    ]);
    world.expectNothingLeft();
  });

  it("pays for the delivered part when the upstream does not end in time", () => {
    const { world, sent } = leave();
    vi.advanceTimersByTime(5000);
    expect(sent.isAborted).toBe(true);
    expect(world.charges).toMatchObject([{ completionTokens: 2 }]);
    world.expectNothingLeft();
  });

  it("stops the upstream at once where no reasoning was asked for", () => {
    const { world, sent } = leave({ reasoning_effort: "none" });
    expect(sent.isAborted).toBe(true);
    expect(world.charges).toMatchObject([{ completionTokens: 2 }]);
    world.expectNothingLeft();
  });
});

describe("a client that leaves an answer to content that cannot be counted here", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const FILE = { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } };
  const PICTURE = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
  const SOUND = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };
  const told = (more: object = {}) =>
    `${FINISH}data: ${JSON.stringify({ id: "c", choices: [], usage: { prompt_tokens: 250_000, completion_tokens: 900, ...more } })}\n\n${DONE}`;

  const leave = (body: object, model = "gpt-4o") => {
    const channels = [channelOf(1, { models: [model] })];
    const world = setUp({ channels, quota: 1e7, keyQuota: 1e7, prices: { fallbackRatio: parseDecimal(1) } });
    const response = world.run({ model, stream: true, ...body });
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    const push = (text: string) => sent.receiver.onData(Buffer.from(text));
    push(chunk({ content: "12345678" }));
    response.destroy();
    return { world, sent, push };
  };

  it("pays for a file by its size where the answer outlasts the time", () => {
    const large = { file_data: `data:application/pdf;base64,${"A".repeat(1_333_332)}` };
    const { world, sent } = leave({ messages: [{ content: [{ type: "file", file: large }] }] });
    vi.advanceTimersByTime(5000);
    expect(sent.isAborted).toBe(true);
    expect(world.charges[0]?.promptTokens).toBeGreaterThan(20_000);
    expect(world.charges[0]?.promptTokens).toBeLessThan(20_020);
    world.expectNothingLeft();
  });

  it("pays for no more of a file than the model can read", () => {
    const text = { file_data: `data:text/plain;base64,${"A".repeat(4_000_000)}` };
    const { world } = leave({ messages: [{ content: [{ type: "file", file: text }] }] });
    vi.advanceTimersByTime(5000);
    expect(world.charges).toMatchObject([{ promptTokens: 128_000 }]);
  });

  it("pays for the tokens of a prediction that the model rejected", () => {
    const { world, sent, push } = leave({ prediction: { type: "content", content: "code ".repeat(4000) } });
    expect(sent.isAborted).toBe(false);
    push(told({ completion_tokens_details: { reasoning_tokens: 0, rejected_prediction_tokens: 300 } }));
    expect(world.charges).toMatchObject([{ promptTokens: 250_000, completionTokens: 302 }]);
    world.expectNothingLeft();
  });

  it("pays for no more of a prediction than the upstream says that was written", () => {
    const { world, push } = leave({ prediction: { type: "content", content: "code" } });
    push(told({ completion_tokens_details: { rejected_prediction_tokens: 90_000_000 } }));
    expect(world.charges).toMatchObject([{ completionTokens: 902 }]);
  });

  it.each([
    ["a file", FILE],
    ["a picture", PICTURE],
    ["sound", SOUND],
  ])("pays for %s in its prompt by the upstream's usage, and for the delivered part", (_kind, part) => {
    const { world, push } = leave({ messages: [{ role: "user", content: [part] }] });
    push(chunk({ content: "this came after it had left" }) + told());
    expect(world.charges).toMatchObject([{ promptTokens: 250_000, completionTokens: 2 }]);
    world.expectNothingLeft();
  });

  it("stops the upstream at once where its prompt is told already", () => {
    const usage = { prompt_tokens: 250_000, completion_tokens: 1 };
    const world = setUp({ quota: 1e7, keyQuota: 1e7 });
    const response = world.run({ stream: true, messages: [{ role: "user", content: [FILE] }] });
    world.sent[0]!.head(200, "text/event-stream");
    world.sent[0]!.receiver.onData(Buffer.from(chunk({ content: "12345678" }, { usage })));
    response.destroy();
    expect(world.sent[0]!.isAborted).toBe(true);
    expect(world.charges).toMatchObject([{ promptTokens: 250_000, completionTokens: 2 }]);
  });

  it.each([
    ["deepseek-reasoner", { reasoning: { exclude: true } }],
    ["deepseek-reasoner", { include_reasoning: false }],
    ["qwen3-32b", { reasoning_format: "hidden" }],
    ["gemini-2.5-pro", {}],
    ["grok-4", {}],
  ])("pays the reasoning that %s is asked to hide, or hides (%j)", (model, body) => {
    const { world, push } = leave(body, model);
    push(told({ completion_tokens_details: { reasoning_tokens: 800 } }));
    expect(world.charges).toMatchObject([{ promptTokens: 250_000, completionTokens: 802 }]);
    world.expectNothingLeft();
  });

  it.each(["gpt-4o", "deepseek-chat", "grok-4-fast-non-reasoning", "gemini-2.0-flash"])(
    "stops %s at once where nothing is hidden",
    (model) => {
      const { world, sent } = leave({}, model);
      expect(sent.isAborted).toBe(true);
      expect(world.charges).toMatchObject([{ completionTokens: 2 }]);
    },
  );
});

describe("a stopping process", () => {
  it("waits for running requests, then charges the delivered parts", async () => {
    const world = setUp();
    const response = world.run({ stream: true });
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    sent.receiver.onData(Buffer.from(chunk({ content: "12345678" })));
    await world.relay.drain(1);
    expect(sent.isAborted).toBe(true);
    expect(response.text).toContain("shutting-down");
    expect(world.charges).toMatchObject([{ completionTokens: 2 }]);
    world.expectNothingLeft();
  });
});

describe("an answer that this program cannot read to its end", () => {
  const DEEP = "[".repeat(100_000);
  const CLIENTS = ["openai-chat", "anthropic-messages", "openai-responses", "gemini-generate"] as const;
  const ADDRESS = { model: "gpt-3.5-turbo", isStream: true };
  const BODIES = {
    "openai-chat": {},
    "anthropic-messages": { max_tokens: 100 },
    "openai-responses": { input: "hi", messages: undefined },
    "gemini-generate": { contents: [{ role: "user", parts: [{ text: "hi" }] }], messages: undefined },
  };
  /** Channel types by the protocol that their upstreams speak. */
  const UPSTREAMS = [
    ["Chat Completions", 1],
    ["Messages", 14],
    ["Gemini", 24],
  ] as const;
  /** A call with deep arguments, as the three shapes stream it: as text, and as an object. */
  const deepCall = (type: number, args: string): string => {
    switch (type) {
      case 14:
        return (
          `data: {"type":"message_start","message":{"id":"m","model":"m","usage":{"input_tokens":9,"output_tokens":1}}}\n\n` +
          `data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"word"}}\n\n` +
          `data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"f","input":{"a":${args}}}}\n\n` +
          `data: {"type":"content_block_stop","index":1}\n\n`
        );
      case 24:
        return (
          `data: {"candidates":[{"content":{"parts":[{"text":"word"}]}}]}\n\n` +
          `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":${args}}}}]}}]}\n\n`
        );
      default:
        return (
          chunk({ content: "word" }) +
          `data: {"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":{"a":${args}}}}]}}]}\n\n` +
          FINISH +
          DONE
        );
    }
  };

  it.each(CLIENTS.flatMap((client) => UPSTREAMS.map(([name, type]) => [client, name, type] as const)))(
    "ends for %s clients of %s upstreams, whose calls are nested deeply",
    async (client, _name, type) => {
      for (const args of [DEEP, DEEP + "]".repeat(DEEP.length)]) {
        const world = setUp({ channels: [channelOf(1, { type })] });
        const response = world.run(
          { stream: true, ...BODIES[client] },
          {
            ...CLIENT_PROTOCOLS[client],
            summarizeRequest: (body) => CLIENT_PROTOCOLS[client].summarizeRequest(body, ADDRESS),
          },
        );
        const sent = world.sent[0]!;
        sent.head(200, "text/event-stream");
        expect(() => sent.receiver.onData(Buffer.from(deepCall(type, args)))).not.toThrow();
        sent.receiver.onEnd();
        await expect.poll(() => response.writableEnded || response.destroyed).toBe(true);
        world.expectNothingLeft();
      }
    },
  );

  it.each(CLIENTS)("ends for %s clients when a whole answer is nested deeply", (client) => {
    for (const [, type] of UPSTREAMS) {
      const world = setUp({ channels: [channelOf(1, { type })] });
      const response = world.run(
        { ...BODIES[client] },
        {
          ...CLIENT_PROTOCOLS[client],
          summarizeRequest: (body) =>
            CLIENT_PROTOCOLS[client].summarizeRequest(body, { ...ADDRESS, isStream: false }),
        },
      );
      const args = DEEP + "]".repeat(DEEP.length);
      const call = { id: "t", type: "function", function: { name: "f", arguments: "@" } };
      const message = { role: "assistant", content: null, tool_calls: [call] };
      const answers: Record<number, string> = {
        1: JSON.stringify({ id: "c", choices: [{ index: 0, message, finish_reason: "tool_calls" }] }),
        14: `{"id":"m","type":"message","content":[{"type":"tool_use","id":"t","name":"f","input":{"a":"@"}}],"stop_reason":"tool_use"}`,
        24: `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":"@"}}}]},"finishReason":"STOP"}]}`,
      };
      world.sent[0]!.json(200, answers[type]!.replace('"@"', args));
      expect(response.writableEnded).toBe(true);
      expect(world.charges).toEqual([]);
      world.expectNothingLeft();
    }
  });

  it("reads arguments that are text, however deep they are", () => {
    for (const type of [1, 14, 24]) {
      const world = setUp({ channels: [channelOf(1, { type: 1 })] });
      const client = type === 1 ? "openai-chat" : type === 14 ? "anthropic-messages" : "gemini-generate";
      const response = world.run(
        { ...BODIES[client] },
        {
          ...CLIENT_PROTOCOLS[client],
          summarizeRequest: (body) =>
            CLIENT_PROTOCOLS[client].summarizeRequest(body, { ...ADDRESS, isStream: false }),
        },
      );
      const args = `{"a":${DEEP}${"]".repeat(DEEP.length)}}`;
      const call = { id: "t", type: "function", function: { name: "f", arguments: args } };
      const message = { role: "assistant", content: null, tool_calls: [call] };
      world.sent[0]!.json(200, { ...answer, choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
      expect(response.status).toBe(200);
      expect(world.charges).toMatchObject([{ quota: 18 }]);
      world.expectNothingLeft();
    }
  });

  it("is charged as far as it was delivered when its end cannot be written, and the client is told", () => {
    const client = {
      ...CLIENT_PROTOCOLS["anthropic-messages"],
      createStreamWriter: (
        ...args: Parameters<(typeof CLIENT_PROTOCOLS)["anthropic-messages"]["createStreamWriter"]>
      ) => ({
        ...CLIENT_PROTOCOLS["anthropic-messages"].createStreamWriter(...args),
        push: (part: { kind: string }) => (part.kind === "text" ? "event: x\ndata: {}\n\n" : ""),
        end: () => {
          throw new RangeError("Maximum call stack size exceeded");
        },
      }),
    };
    const world = setUp();
    const response = world.run({ stream: true, max_tokens: 50 }, client);
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    sent.receiver.onData(Buffer.from(chunk({ content: "12345678" })));
    sent.receiver.onData(Buffer.from(FINISH + USAGE + DONE));
    sent.receiver.onEnd();
    expect(response.text).toContain("internal");
    expect(response.writableEnded).toBe(true);
    expect(world.charges).toMatchObject([{ promptTokens: 13, completionTokens: 5 }]);
    world.expectNothingLeft();
  });

  it.each([
    ["its first bytes", 0],
    ["later ones", 1],
  ])("ends and leaves nothing held when this program fails over %s", (_, passing) => {
    const world = setUp();
    const response = world.run({ stream: true });
    const write = response.write.bind(response);
    let written = 0;
    response.write = (bytes) => {
      written += 1;
      if (written === passing + 1) throw new TypeError("it cannot be written");
      return write(bytes);
    };
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    for (let i = 0; i < 3; i += 1)
      expect(() => sent.receiver.onData(Buffer.from(chunk({ content: "12345678" })))).not.toThrow();
    expect(sent.isAborted).toBe(true);
    expect(response.writableEnded || response.destroyed).toBe(true);
    expect(response.text).toContain("internal");
    expect(world.charges).toHaveLength(1);
    world.expectNothingLeft();
  });

  it("costs nothing when it cannot be written whole, and the client is told", () => {
    const client = {
      ...CLIENT_PROTOCOLS["anthropic-messages"],
      encodeResponse: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    };
    const world = setUp();
    const response = world.run({ max_tokens: 50 }, client);
    world.sent[0]!.json(200, answer);
    expect(response.text).toContain("internal");
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });
});

describe("a failure of this program before anything was sent", () => {
  const SOUND = { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } };

  it("tells the operator no secret of the channel, whatever its error says", () => {
    const channel = channelOf(1);
    const protocol = {
      ...channel.protocol,
      passThrough: undefined,
      buildRequest: () => {
        throw new TypeError("the header Bearer upstream-key cannot be sent");
      },
    };
    const world = setUp({ channels: [{ ...channel, protocol }] });
    expect(world.run().text).toContain("internal");
    expect(world.state.reported.join()).toContain("cannot be sent");
    expect(world.state.reported.join()).not.toContain("upstream-key");
    world.expectNothingLeft();
  });

  it.each([
    ["cannot be said to the channel", [{ role: "user", content: [SOUND] }], "request-invalid"],
    ["this program fails over", [{ role: "user", content: [{ type: "text", text: "fails" }] }], "internal"],
  ])(
    "does not count against a channel that is tried again: %s keeps the channel's trial",
    (_, messages, code) => {
      const messagesApi = channelOf(1, { type: 14 });
      const protocol = {
        ...messagesApi.protocol,
        buildRequest: (...args: Parameters<typeof messagesApi.protocol.buildRequest>) => {
          if (JSON.stringify(args[0].turns).includes("fails")) throw new TypeError("unforeseen");
          return messagesApi.protocol.buildRequest(...args);
        },
      };
      const world = setUp({ channels: [{ ...messagesApi, protocol }, channelOf(2)] });
      const asked = () => world.sent.at(-1)!.request.path;
      for (let i = 0; i < 5; i += 1) {
        world.run();
        expect(asked()).toBe("/v1/messages");
        world.sent.at(-1)!.json(500, {});
      }
      world.run();
      expect(asked()).toBe("/v1/chat/completions");
      world.state.nowMs += 60_000;
      expect(world.run({ messages }).text).toContain(code);
      world.run();
      expect(asked()).toBe("/v1/messages");
    },
  );
});

describe("events behind the end of a stream", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const CASES = [
    ["a stream that passes", "openai-chat"],
    ["a stream that is translated", "anthropic-messages"],
  ] as const;

  const open = (client: "openai-chat" | "anthropic-messages") => {
    const world = setUp();
    const response = world.run({ stream: true, max_tokens: 50 }, CLIENT_PROTOCOLS[client]);
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    sent.receiver.onData(Buffer.from(chunk({ content: "Hello!" }) + FINISH + USAGE + DONE));
    return { world, response, sent };
  };

  it.each(CASES)("is not read for ever: %s", (_, client) => {
    const { world, response, sent } = open(client);
    const comment = Buffer.from(`: ${"x".repeat(1000)}\n\n`);
    let pushed = 0;
    for (; pushed < 200 && !sent.isAborted; pushed += 1) {
      sent.receiver.onData(comment);
      vi.advanceTimersByTime(0);
    }
    expect(pushed).toBeLessThan(100);
    expect(response.writableEnded).toBe(true);
    expect(world.charges).toMatchObject([{ quota: 18 }]);
    world.expectNothingLeft();
  });

  it.each(CASES)("is not waited for for ever: %s", (_, client) => {
    const { world, response, sent } = open(client);
    vi.advanceTimersByTime(5000);
    expect(sent.isAborted).toBe(true);
    expect(response.writableEnded).toBe(true);
    expect(world.charges).toMatchObject([{ quota: 18 }]);
    world.expectNothingLeft();
  });

  it.each(CASES)("leaves the connection in order when it ends by itself: %s", (_, client) => {
    const { world, sent } = open(client);
    sent.receiver.onEnd();
    expect(vi.getTimerCount()).toBe(0);
    expect(sent.isAborted).toBe(false);
    world.expectNothingLeft();
  });
});

describe("items that are billed apart from tokens, or change their price (M13)", () => {
  const tierRatios = parseRatioTable('{"priority":2,"flex":0.5,"fast":6,"us":1.1}')!;
  const toolPrices = parseRatioTable(
    '{"web_search":10,"web_search_preview":25,"google_search":14,"google_search_prompt":35,"plugins":4}',
  )!;
  const PRICES = { tierRatios, toolPrices };
  const RICH = { quota: 10_000_000, keyQuota: 10_000_000 };
  const CHANNELS = [1, 14, 24].map((type) => channelOf(1, { type, models: ["cheap"] }));
  const channelFor = (client: keyof typeof CLIENT_PROTOCOLS): UpstreamTarget[] => [
    CHANNELS[client === "anthropic-messages" ? 1 : client === "gemini-generate" ? 2 : 0]!,
  ];
  const bodyOf = (request: UpstreamRequest): Record<string, unknown> =>
    JSON.parse(
      typeof request.body === "string" ? request.body : Buffer.from(request.body as Uint8Array).toString(),
    ) as Record<string, unknown>;

  describe("tiers", () => {
    const RESPONSES = CLIENT_PROTOCOLS["openai-responses"];

    it.each<[string, Record<string, unknown>]>([
      ["a dearer tier", { service_tier: "priority" }],
      ["a cheaper tier", { service_tier: "flex" }],
      ["a tier that nobody knows", { service_tier: "PRIORITY" }],
      ["a tier that is no text", { service_tier: ["priority"] }],
      ["a faster mode", { speed: "fast" }],
      ["what some servers read elsewhere", { extra_body: { service_tier: "priority" } }],
    ])("that have no price do not reach the upstream: %s", (_, fields) => {
      const world = setUp();
      world.run({ ...fields, temperature: 1 });
      const { extra_body, ...sent } = bodyOf(world.sent[0]!.request);
      expect(sent).toEqual({
        model: "gpt-3.5-turbo",
        messages: [{ role: "user", content: "hi" }],
        temperature: 1,
      });
      expect(extra_body ?? {}).toEqual({});
      world.sent[0]!.json(200, { ...answer, service_tier: "priority" });
      expect(world.charges).toMatchObject([{ quota: 18 }]);
      world.expectNothingLeft();
    });

    it.each(["auto", "default", "standard_only", null])(
      "of the usual price pass in the client's own bytes: %s",
      (tier) => {
        const world = setUp();
        world.run({ service_tier: tier });
        expect(world.sent[0]!.request.body).toBeInstanceOf(Uint8Array);
        expect(bodyOf(world.sent[0]!.request)).toMatchObject({ service_tier: tier });
      },
    );

    it("are left out of translated requests, too", () => {
      const world = setUp();
      world.run({ input: "hi", messages: undefined, service_tier: "priority" }, RESPONSES);
      expect(bodyOf(world.sent[0]!.request)).not.toHaveProperty("service_tier");
    });

    it("do not change where an answer is computed without a word", () => {
      const world = setUp();
      const response = world.run({ inference_geo: "us" });
      expect(response.text).toContain("request-invalid");
      expect(world.sent).toEqual([]);
      world.expectNothingLeft();
    });

    it.each<[string, Record<string, unknown>, unknown, number, string]>([
      ["the tier that was asked for", { service_tier: "priority" }, undefined, 35, " × 2)"],
      ["the tier that was served", { service_tier: "priority" }, "priority", 35, " × 2)"],
      ["the usual one in its place", { service_tier: "priority" }, "default", 18, "× 1)"],
      ["no tier that nobody knows", { service_tier: "priority" }, "cheapest", 35, " × 2)"],
      ["no cheaper one that was not asked for", { service_tier: "priority" }, "flex", 35, " × 2)"],
      ["no dearer one that was not asked for", { service_tier: "flex" }, "priority", 18, "× 1)"],
      ["a cheaper one that was served", { service_tier: "flex" }, "flex", 9, " × 0.5)"],
      ["no cheaper one that is not told", { service_tier: "flex" }, undefined, 18, "× 1)"],
      ["no cheaper one that was not served", { service_tier: "flex" }, "default", 18, "× 1)"],
      ["a speed", { speed: "fast" }, "default", 104, " × 6)"],
      ["a speed at a place", { speed: "fast", inference_geo: "us" }, undefined, 114, " × 6 × 1.1)"],
    ])("that have one are charged: %s", (_, fields, served, quota, factor) => {
      for (const isStream of [false, true]) {
        const world = setUp({ prices: PRICES });
        world.run({ ...fields, stream: isStream });
        expect(bodyOf(world.sent[0]!.request)).toMatchObject(fields);
        if (isStream) {
          const sent = world.sent[0]!;
          const tier = served === undefined ? {} : { service_tier: served };
          sent.head(200, "text/event-stream");
          sent.receiver.onData(Buffer.from(chunk({ content: "Hello!" }, tier) + FINISH));
          sent.receiver.onData(
            Buffer.from(
              USAGE.replace("{", `{${JSON.stringify(tier).slice(1, -1)}${served === undefined ? "" : ","}`),
            ),
          );
          sent.receiver.onData(Buffer.from(DONE));
          sent.receiver.onEnd();
        } else world.sent[0]!.json(200, { ...answer, service_tier: served });
        expect(world.charges).toMatchObject([{ quota }]);
        expect(world.charges[0]?.formula).toContain(factor);
        world.expectNothingLeft();
      }
    });

    it("are held for: a user with less than the tier's price is refused", () => {
      const body = { max_tokens: 100, service_tier: "priority" };
      expect(setUp({ quota: 200 }).run(body).text).toBe("");
      expect(setUp({ quota: 200, prices: PRICES }).run(body).text).toContain("user-quota-exceeded");
      const world = setUp({ prices: PRICES, quota: 400 });
      world.run(body);
      expect(world.user.held).toBeGreaterThan(300);
    });

    it("that Anthropic tells are its speed and its place", () => {
      const world = setUp({ prices: PRICES, channels: channelFor("anthropic-messages"), ...RICH });
      world.run(
        { model: "cheap", max_tokens: 10, speed: "fast", inference_geo: "us" },
        CLIENT_PROTOCOLS["anthropic-messages"],
      );
      const usage = { input_tokens: 100, output_tokens: 20, speed: "standard", inference_geo: "us" };
      world.sent[0]!.json(200, {
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "a" }],
        usage,
      });
      expect(world.charges).toMatchObject([{ quota: 66 }]);
    });
  });

  describe("tools that vendors run", () => {
    const RESPONSES = CLIENT_PROTOCOLS["openai-responses"];
    const search = { type: "web_search_20250305", name: "web_search", max_uses: 3 };
    const found = (id: string) => ({ type: "web_search_tool_result", tool_use_id: id, content: [] });
    const failed = {
      type: "web_search_tool_result",
      tool_use_id: "e",
      content: { type: "web_search_tool_result_error" },
    };
    const call = (id: string) => ({
      type: "web_search_call",
      id,
      status: "completed",
      action: { type: "search" },
    });
    const broken = { type: "web_search_call", id: "f", status: "failed", action: { type: "search" } };
    const opened = { type: "web_search_call", id: "o", action: { type: "open_page" } };
    const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: "a" }] };
    const USED = { input_tokens: 100, output_tokens: 20 };

    const ask = (client: keyof typeof CLIENT_PROTOCOLS, body: Record<string, unknown>, more: object = {}) => {
      const world = setUp({ prices: PRICES, channels: channelFor(client), ...RICH, ...more });
      const whole = client === "openai-responses" ? { input: "hi", messages: undefined } : {};
      const limit = client === "anthropic-messages" ? { max_tokens: 10 } : {};
      const response = world.run({ model: "cheap", ...whole, ...limit, ...body }, CLIENT_PROTOCOLS[client]);
      return { world, response };
    };

    it.each<[string, keyof typeof CLIENT_PROTOCOLS, Record<string, unknown>, string]>([
      [
        "code interpreter",
        "openai-responses",
        { tools: [{ type: "code_interpreter", container: { type: "auto" } }] },
        "tools[0]",
      ],
      [
        "hosted shell",
        "openai-responses",
        { tools: [{ type: "shell", environment: { type: "container_auto" } }] },
        "tools[0]",
      ],
      [
        "tool handed in later",
        "openai-responses",
        {
          input: [
            { type: "message", role: "user", content: "hi" },
            { type: "additional_tools", tools: [{ type: "x_search" }] },
          ],
        },
        "input[1].tools[0]",
      ],
      [
        "adviser of another model",
        "anthropic-messages",
        { tools: [{ type: "advisor_20260301", name: "advisor", model: "claude-opus-4-8" }] },
        "tools[0]",
      ],
      [
        "execution of code",
        "anthropic-messages",
        { tools: [{ type: "code_execution_20250825", name: "code_execution" }] },
        "tools[0]",
      ],
      ["tool of Zhipu's", "openai-chat", { tools: [{ type: "retrieval", retrieval: {} }] }, "tools[0]"],
      ["tool of Google's", "gemini-generate", { tools: [{ googleMaps: {} }] }, "tools[0].googleMaps"],
    ])("are refused where they have no price: a %s", (_, client, body, field) => {
      const whole = client === "gemini-generate" ? { contents: [{ parts: [{ text: "hi" }] }] } : {};
      const task = UPSTREAM_PROTOCOLS[client].extras?.({ ...whole, ...body }, "m");
      expect(task?.tools.map(({ path }) => path.join("."))).toEqual([
        field.replaceAll("[", ".").replaceAll("]", ""),
      ]);
      if (client === "gemini-generate") return;
      const { world, response } = ask(client, body);
      expect(response.text).toContain("request-invalid");
      expect(world.sent).toEqual([]);
      world.expectNothingLeft();
    });

    it.each<[string, keyof typeof CLIENT_PROTOCOLS, Record<string, unknown>]>([
      ["functions", "openai-chat", { tools: [{ type: "function", function: { name: "f" } }] }],
      [
        "the client's own",
        "openai-responses",
        { tools: [{ type: "local_shell" }, { type: "apply_patch" }, { type: "mcp", server_label: "m" }] },
      ],
      [
        "of Anthropic's shape",
        "anthropic-messages",
        {
          tools: [
            { name: "f", input_schema: {} },
            { type: "bash_20250124", name: "bash" },
            { type: "web_fetch_20250910", name: "web_fetch" },
          ],
        },
      ],
      [
        "code that comes with a search",
        "anthropic-messages",
        {
          tools: [
            { ...search, type: "web_fetch_20260209" },
            { type: "code_execution_20260120", name: "code_execution" },
          ],
        },
      ],
    ])("that cost nothing but tokens pass in the client's own bytes: %s", (_, client, body) => {
      const { world } = ask(client, body);
      expect(world.sent[0]?.request.body).toBeInstanceOf(Uint8Array);
    });

    it("and switches in fields of their own are left out without a price, so is the picture that agents offer", () => {
      const { world } = ask("openai-chat", {
        fallbacks: [{ model: "dear" }],
        models: ["dear"],
        enable_search: true,
        web_search: { enable: true },
        with_search_enhance: true,
        plugins: [{ id: "web" }],
      });
      const sent = bodyOf(world.sent[0]!.request);
      expect(Object.keys(sent).sort()).toEqual(["messages", "model", "plugins", "web_search"]);
      world.sent[0]!.json(200, answer);
      expect(world.charges).toMatchObject([{ quota: 9 + 2000 + 5000 }]);
      const off = { web_search: { enable: false } };
      expect(bodyOf(ask("openai-chat", off).world.sent[0]!.request)).toMatchObject(off);
      // Of the others, no upstream reads such a switch.
      const others = { web_search_options: { enable: false }, search_parameters: { enable: false } };
      const left = Object.keys(bodyOf(ask("openai-chat", others).world.sent[0]!.request));
      expect(left.sort()).toEqual(["messages", "model"]);
      const agent = ask("openai-responses", {
        tools: [{ type: "function", name: "f" }, { type: "image_generation" }, { type: "custom", name: "c" }],
      });
      expect(bodyOf(agent.world.sent[0]!.request).tools).toEqual([
        { type: "function", name: "f" },
        { type: "custom", name: "c" },
      ]);
    });

    it.each<
      [string, keyof typeof CLIENT_PROTOCOLS, Record<string, unknown>, Record<string, unknown>, number]
    >([
      [
        "as Anthropic tells",
        "anthropic-messages",
        { tools: [search] },
        {
          content: [{ type: "text", text: "a" }],
          usage: { ...USED, server_tool_use: { web_search_requests: 2 } },
        },
        2,
      ],
      [
        "as its answer shows",
        "anthropic-messages",
        { tools: [search] },
        { content: [found("1"), found("2"), failed, { type: "text", text: "a" }], usage: USED },
        2,
      ],
      [
        "whichever is more",
        "anthropic-messages",
        { tools: [search] },
        {
          content: [found("1"), { type: "text", text: "a" }],
          usage: { ...USED, server_tool_use: { web_search_requests: 0 } },
        },
        1,
      ],
      [
        "none",
        "anthropic-messages",
        { tools: [search] },
        { content: [{ type: "text", text: "a" }], usage: USED },
        0,
      ],
      [
        "as OpenAI's answer shows",
        "openai-responses",
        { tools: [{ type: "web_search" }] },
        {
          object: "response",
          status: "completed",
          output: [call("1"), call("2"), broken, opened, message],
          usage: USED,
        },
        2,
      ],
      [
        "at the older tool's price",
        "openai-responses",
        { tools: [{ type: "web_search_preview" }] },
        { object: "response", status: "completed", output: [call("1"), call("2"), message], usage: USED },
        5,
      ],
    ])("are charged by the call: %s", (_, client, body, said, times) => {
      const { world } = ask(client, body);
      world.sent[0]!.json(200, { type: "message", role: "assistant", ...said });
      expect(world.charges).toMatchObject([{ quota: 60 + times * 5000 }]);
      if (times === 2)
        expect(world.charges[0]?.formula).toBe(
          "ceil((100 × 1 + 20 × 1) × 0.5 × 1 + 2 × 10 ÷ 1000 × 500000 × 1) = 10060",
        );
      world.expectNothingLeft();
    });

    it("are charged as far as the answer was delivered when the client leaves", () => {
      const event = (type: string, fields: object) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
      const done = (item: object, output_index: number) =>
        event("response.output_item.done", { item, output_index });
      const openai = ask("openai-responses", { stream: true, tools: [{ type: "web_search" }] });
      const first = openai.world.sent[0]!;
      first.head(200, "text/event-stream");
      first.receiver.onData(Buffer.from(event("response.output_text.delta", { delta: "Hello!" })));
      first.receiver.onData(Buffer.from(done(call("1"), 0) + done(call("1"), 0) + done(call("2"), 1)));
      openai.response.destroy();
      expect(openai.world.charges[0]?.formula).toContain(" + 2 × 10 ÷ 1000");

      const anthropic = ask("anthropic-messages", { stream: true, tools: [search] });
      const second = anthropic.world.sent[0]!;
      second.head(200, "text/event-stream");
      const block = (index: number, content_block: object) =>
        event("content_block_start", { index, content_block });
      second.receiver.onData(
        Buffer.from(event("message_start", { message: { usage: { input_tokens: 9, output_tokens: 1 } } })),
      );
      second.receiver.onData(
        Buffer.from(block(0, { type: "text", text: "Hello!" }) + block(1, found("1")) + block(2, found("2"))),
      );
      anthropic.response.destroy();
      expect(anthropic.world.charges[0]?.formula).toContain(" + 2 × 10 ÷ 1000");
    });

    it("of Google's are charged as reported at the end, also when the client leaves before", () => {
      const leave = (body: object) => {
        const channels = channelFor("gemini-generate");
        const { world, response } = ask("openai-chat", { stream: true, ...body }, { channels });
        const sent = world.sent[0]!;
        sent.head(200, "text/event-stream");
        const push = (fields: object) =>
          sent.receiver.onData(Buffer.from(`data: ${JSON.stringify(fields)}\n\n`));
        push({ candidates: [{ content: { role: "model", parts: [{ text: "Hello!" }] } }] });
        response.destroy();
        if (!sent.isAborted)
          push({
            candidates: [
              {
                content: { role: "model", parts: [{ text: "more" }] },
                finishReason: "STOP",
                groundingMetadata: { webSearchQueries: ["a", "b"] },
              },
            ],
            usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
          });
        sent.receiver.onEnd();
        world.expectNothingLeft();
        return world.charges[0]?.formula;
      };
      expect(leave({ web_search_options: {} })).toContain(" + 2 × 14 ÷ 1000");
      expect(leave({})).not.toContain("÷ 1000 × 500000");
    });

    it("are charged when the request is translated, too", () => {
      const world = setUp({ prices: PRICES, channels: channelFor("anthropic-messages"), ...RICH });
      world.run(
        { model: "cheap", input: "hi", messages: undefined, tools: [{ type: "web_search" }] },
        RESPONSES,
      );
      const usage = { ...USED, server_tool_use: { web_search_requests: 1 } };
      world.sent[0]!.json(200, {
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "a" }],
        usage,
      });
      expect(world.charges).toMatchObject([{ quota: 60 + 5000 }]);
    });

    it("of Google's are billed by the search, or by the prompt that was searched for", () => {
      const { extras, readUsage } = UPSTREAM_PROTOCOLS["gemini-generate"];
      const names = (model: string) =>
        extras?.({ tools: [{ googleSearch: {} }, { urlContext: {} }] }, model)?.tools.map(
          ({ counts }) => counts,
        );
      expect(names("gemini-2.5-pro")).toEqual(["google_search_prompt"]);
      expect(names("gemini-3.5-flash")).toEqual(["google_search"]);
      const told = readUsage({ candidates: [{ groundingMetadata: { webSearchQueries: ["a", "b"] } }] });
      expect(told.toolCalls).toEqual({ google_search: 2, google_search_prompt: 1 });
    });

    it("are held for as often as the request allows, by default ten times", () => {
      const free = { modelRatios: parseRatioTable('{"cheap":0}')! };
      const held = (tool: object) =>
        ask("anthropic-messages", { tools: [tool] }, { prices: { ...PRICES, ...free } }).world.user.held;
      expect(held(search)).toBe(3 * 5000);
      expect(held({ ...search, max_uses: undefined })).toBe(10 * 5000);
      const { response } = ask(
        "anthropic-messages",
        { tools: [search] },
        { prices: { ...PRICES, ...free }, quota: 0 },
      );
      expect(response.text).toContain("user-quota-exceeded");
    });
  });
});

describe("work that takes too long for one turn of the event loop", () => {
  const MB = 1024 * 1024;
  const LONG = "word ".repeat(MB);
  const large = {
    ...answer,
    choices: [{ ...answer.choices[0], message: { role: "assistant", content: LONG } }],
  };
  const turns = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it("is done in steps: an answer of many megabytes", async () => {
    const world = setUp();
    const response = world.run();
    world.sent[0]!.json(200, large);
    expect(response.headersSent).toBe(false);
    await turns(3);
    expect(response.headersSent).toBe(false);
    await turns(20);
    expect(response.text).toBe(JSON.stringify(large));
    expect(world.charges).toMatchObject([{ quota: 18 }]);
    world.expectNothingLeft();
  });

  it("is useless to a client that leaves in the middle of it, and not charged", async () => {
    const world = setUp();
    const response = world.run();
    world.sent[0]!.json(200, large);
    await turns(2);
    response.destroy();
    await turns(20);
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });

  it("fails as at once where it is no JSON, or holds too much", async () => {
    const objects = `${JSON.stringify(answer).slice(0, -1)},"more":[${"{},".repeat(2 * MB)}{}]}`;
    for (const bytes of [JSON.stringify(large).slice(1), "[".repeat(5 * MB), objects]) {
      const world = setUp();
      const response = world.run();
      world.sent[0]!.json(200, bytes);
      await turns(20);
      expect(response.text).toContain("upstream");
      expect(world.charges).toEqual([]);
      world.expectNothingLeft();
    }
  });

  const content = [{ role: "user", content: LONG }];
  const channels = [channelOf(1, { type: 14 }), channelOf(2)];
  const settings = { channels, retryTimes: 1, quota: 9_000_000, keyQuota: 9_000_000 };

  it("is done in steps: a request of many megabytes for another protocol, and reading it again", async () => {
    const world = setUp(settings);
    const response = world.run({ messages: content });
    expect(world.sent).toEqual([]);
    await turns(20);
    const [first] = world.sent;
    expect(Buffer.concat(first!.request.body as Uint8Array[]).toString()).toContain(LONG);
    first!.json(500, {});
    expect(world.sent).toHaveLength(1);
    await turns(20);
    world.sent[1]!.json(200, answer);
    expect(response.text).toBe(JSON.stringify(answer));
    expect(world.charges).toHaveLength(1);
    world.expectNothingLeft();
  });

  it.each([0, 2])("is not sent for a client that leaves meanwhile, after %i turns", async (count) => {
    const world = setUp(settings);
    const response = world.run({ messages: content });
    await turns(count);
    response.destroy();
    await turns(20);
    expect(world.sent).toEqual([]);
    world.expectNothingLeft();

    const again = setUp(settings);
    const left = again.run({ messages: content });
    await turns(20);
    again.sent[0]!.json(500, {});
    await turns(count);
    left.destroy();
    await turns(20);
    expect(again.sent).toHaveLength(1);
    expect(again.failures).toMatchObject([{ end: "client-left" }]);
    again.expectNothingLeft();
  });

  it("is refused like everything else where the process has to stop meanwhile", async () => {
    const world = setUp(settings);
    const response = world.run({ messages: content });
    const drained = world.relay.drain(0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await drained;
    await turns(20);
    expect(response.text).toContain("shutting-down");
    expect(world.sent).toEqual([]);
    world.expectNothingLeft();
  });
});

describe("a large event of a translated stream", () => {
  const DATA = "QUJD".repeat(500_000);
  const part = (inner: object) => ({ candidates: [{ index: 0, content: { parts: [inner] } }] });
  const picture = `data: ${JSON.stringify(part({ inlineData: { mimeType: "image/png", data: DATA } }))}\n\n`;
  const last = {
    ...part({ text: "there" }),
    usageMetadata: { promptTokenCount: 13, candidatesTokenCount: 1290 },
  };
  const finish = `data: ${JSON.stringify({ ...last, candidates: [{ ...last.candidates[0], finishReason: "STOP" }] })}\n\n`;

  const begin = () => {
    const world = setUp({ channels: [channelOf(1, { type: 24 })] });
    const response = world.run({ stream: true });
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    return { world, response, sent };
  };
  const turn = () => new Promise(setImmediate);
  const contentOf = (text: string): string =>
    [...text.matchAll(/^data: (\{.*)$/gm)]
      .map(([, event]) => JSON.parse(event!) as { choices: { delta: { content?: string } }[] })
      .map(({ choices }) => choices[0]?.delta.content ?? "")
      .join("");

  it("passes in steps, its upstream waiting, and is charged by its upstream's last usage", async () => {
    const { world, response, sent } = begin();
    expect(sent.receiver.onData(Buffer.from(picture))).toBe(false);
    // What was on its way already waits for its turn.
    sent.receiver.onData(Buffer.from(finish));
    sent.receiver.onEnd();
    expect(response.text).toBe("");
    await expect.poll(() => response.writableEnded).toBe(true);
    expect(contentOf(response.text)).toBe(`![image](data:image/png;base64,${DATA})there`);
    expect(world.charges).toMatchObject([{ promptTokens: 13, completionTokens: 1290 }]);
    world.expectNothingLeft();
  });

  it("is free when its client leaves while it is read", async () => {
    const { world, response, sent } = begin();
    sent.receiver.onData(Buffer.from(picture));
    await turn();
    response.destroy();
    for (let i = 0; i < 50; i += 1) await turn();
    expect(response.text).toBe("");
    expect(world.charges).toEqual([]);
    expect(sent.isAborted).toBe(true);
    world.expectNothingLeft();
  });

  it("is charged when its client leaves while it is written", async () => {
    const { world, response, sent } = begin();
    sent.receiver.onData(Buffer.from(picture));
    while (response.byteCount < 100_000) await turn();
    response.destroy();
    const given = response.byteCount;
    for (let i = 0; i < 50; i += 1) await turn();
    expect(given).toBeLessThan(DATA.length);
    expect(response.byteCount).toBe(given);
    // A picture, however large, and the address around it.
    expect(world.charges).toMatchObject([{ completionTokens: 1293 }]);
    expect(sent.isAborted).toBe(true);
    world.expectNothingLeft();
  });

  it("is charged when the process stops while it is written", async () => {
    const { world, response, sent } = begin();
    sent.receiver.onData(Buffer.from(picture));
    while (response.byteCount < 100_000) await turn();
    await world.relay.drain(0);
    await turn();
    expect(response.writableEnded).toBe(true);
    expect(world.charges).toMatchObject([{ completionTokens: 1293 }]);
    world.expectNothingLeft();
  });

  it("is free when its upstream fails behind it", async () => {
    const { world, response, sent } = begin();
    sent.receiver.onData(Buffer.from(picture));
    sent.receiver.onFailure({ kind: "reset", detail: "gone" });
    await expect.poll(() => response.writableEnded).toBe(true);
    expect(response.byteCount).toBeGreaterThan(DATA.length);
    expect(response.text).toContain("upstream-interrupted");
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });
});

describe("the writes of one turn (issue 11: no hold above 50 ms)", () => {
  const LONG = "word ".repeat(1_200_000);
  const MOST = 2_000_000;
  /** The longest JSON that was written at once meanwhile. */
  const longestWritten = async (act: () => void, isDone: () => boolean): Promise<number> => {
    const { stringify } = JSON;
    let longest = 0;
    JSON.stringify = ((value: unknown) => {
      const text = stringify(value);
      longest = Math.max(longest, text?.length ?? 0);
      return text;
    }) as typeof JSON.stringify;
    try {
      act();
      for (let i = 0; i < 2000 && !isDone(); i += 1) await new Promise(setImmediate);
    } finally {
      JSON.stringify = stringify;
    }
    return longest;
  };
  const RESPONSES = CLIENT_PROTOCOLS["openai-responses"];
  const CHAT = { channels: [channelOf(1, { type: 8 })], quota: 9_000_000, keyQuota: 9_000_000 };

  it("is a piece of a whole answer, for a client that asked for a stream", async () => {
    const world = setUp(CHAT);
    const response = world.run({ input: "hi", messages: undefined, stream: true }, RESPONSES);
    const bytes = JSON.stringify({
      ...answer,
      choices: [{ index: 0, message: { role: "assistant", content: LONG }, finish_reason: "stop" }],
    });
    const longest = await longestWritten(
      () => world.sent[0]!.json(200, bytes),
      () => response.writableEnded,
    );
    expect(response.text.split(LONG)).toHaveLength(6);
    expect(longest).toBeLessThan(MOST);
    world.expectNothingLeft();
  });

  it("is a piece of a request that its answer repeats", async () => {
    const world = setUp(CHAT);
    const response = world.run({ input: "hi", messages: undefined, instructions: LONG }, RESPONSES);
    await expect.poll(() => world.sent.length).toBe(1);
    const bytes = JSON.stringify(answer);
    const longest = await longestWritten(
      () => world.sent[0]!.json(200, bytes),
      () => response.writableEnded,
    );
    expect(response.text).toContain(LONG);
    expect(longest).toBeLessThan(MOST);
    world.expectNothingLeft();
  });

  it("is a piece of a call's arguments in a request that another try reads again", async () => {
    const channels = [channelOf(1, { type: 8 }), channelOf(2, { type: 8 })];
    const world = setUp({ ...CHAT, channels, retryTimes: 1 });
    const call = { type: "tool_use", id: "t", name: "f", input: { LONG } };
    const result = { type: "tool_result", tool_use_id: "t", content: "b" };
    const messages = [
      { role: "user", content: "a" },
      { role: "assistant", content: [call] },
      { role: "user", content: [result] },
    ];
    const response = world.run({ max_tokens: 9, messages }, CLIENT_PROTOCOLS["anthropic-messages"]);
    await expect.poll(() => world.sent.length).toBe(1);
    const longest = await longestWritten(
      () => world.sent[0]!.json(500, "{}"),
      () => world.sent.length > 1,
    );
    const sent = JSON.parse(Buffer.concat(world.sent[1]!.request.body as Uint8Array[]).toString());
    expect(sent).toMatchObject({
      messages: [{}, { tool_calls: [{ function: { arguments: JSON.stringify({ LONG }) } }] }, {}],
    });
    expect(longest).toBeLessThan(MOST);
    world.sent[1]!.json(200, answer);
    await expect.poll(() => response.writableEnded).toBe(true);
    world.expectNothingLeft();
  });
});
