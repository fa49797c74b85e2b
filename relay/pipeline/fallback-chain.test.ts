import {
  type FallbackList,
  parseModelFallbacks,
  USUAL_CAUSES,
} from "@tollgate/contract/management/model-fallbacks";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { readShape } from "@tollgate/metering/priced-use";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it, vi } from "vitest";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import { entryOf } from "../testing/entry-of";
import { type Sent, smallRelay } from "../testing/small-relay";
import { fallbackCauseOf } from "./fallback-chain";

const CHAT = CLIENT_PROTOCOLS["openai-chat"];
const MODELS = ["m", "a", "b", "c"];
const RATIOS = parseRatioTable('{"m":10,"a":2,"b":1,"c":1}')!;
const ONES = parseRatioTable('{"m":1,"a":1,"b":1,"c":1}')!;

const answerOf = (model: string) => ({
  id: "x",
  object: "chat.completion",
  created: 1,
  model,
  choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 },
});

const TOO_LONG = {
  error: { message: "too long", type: "invalid_request_error", code: "context_length_exceeded" },
};
const UNFIT = { error: { message: "no", type: "invalid_request_error", code: "content_filter" } };
const WRONG = { error: { message: "no", type: "invalid_request_error", code: "invalid_value" } };

const setUp = (
  settings: {
    lists?: Record<string, unknown>;
    key?: Partial<ApiKey>;
    retryTimes?: number;
    quota?: number;
    types?: Readonly<Record<string, number>>;
    without?: readonly string[];
    now?: () => number;
  } = {},
) => {
  const lists = parseModelFallbacks(JSON.stringify(settings.lists ?? {})) as ReadonlyMap<
    string,
    FallbackList
  >;
  const channels = new Map<string, UpstreamTarget[]>(
    MODELS.filter((model) => !settings.without?.includes(model)).map((model, index) => [
      model,
      [entryOf({ id: index + 1, models: [model], type: settings.types?.[model] ?? 1 })],
    ]),
  );
  return smallRelay({
    channels: (model) => channels.get(model) ?? [],
    prices: { modelRatios: RATIOS, completionRatios: ONES },
    ...(settings.key ? { key: settings.key } : {}),
    ...(settings.quota === undefined ? {} : { quota: settings.quota }),
    retryTimes: settings.retryTimes ?? 0,
    ports: {
      fallbacks: { of: (model) => lists.get(model) ?? lists.get("*") },
      ...(settings.now ? { now: settings.now } : {}),
    },
  });
};

describe("another model in place of one that cannot answer", () => {
  it("answers, is charged at its own price, and is named by the answer, a header and the receipt", () => {
    const { relay: _, ...world } = setUp({ lists: { m: ["a", "b"] } });
    const response = world.chat(CHAT, { max_tokens: 100 });
    const heldForFirst = world.user.held;
    world.sent[0]?.json(429, { error: { message: "slow down" } });
    expect(world.sent[1]?.body()).toMatchObject({ model: "a", max_tokens: 100 });
    expect(world.sent[1]?.held).toBeLessThan(heldForFirst);
    world.sent[1]?.json(200, answerOf("a"));
    expect(JSON.parse(response.text)).toMatchObject({ model: "a" });
    expect(response.headers["x-tollgate-fallback-model"]).toBe("a");
    expect(world.charges).toMatchObject([
      {
        requestedModel: "m",
        model: "a",
        quota: 36,
        attempts: [{ outcome: "rate-limited" }, { outcome: "ok", fallbackModel: "a" }],
      },
    ]);
    expect(world.charges[0]?.attempts[0]).not.toHaveProperty("fallbackModel");
    expect([world.user.held, world.user.quota]).toEqual([0, 1_000_000 - 36]);
  });

  it.each([
    ["openai-chat", {}],
    ["openai-responses", { messages: undefined, input: "hi" }],
    ["anthropic-messages", { max_tokens: 50 }],
    ["gemini-generate", { messages: undefined, contents: [{ role: "user", parts: [{ text: "hi" }] }] }],
  ] as const)(
    "is named by the answer in %s, also where the upstream speaks another protocol",
    (name, fields) => {
      const withKeys = CLIENT_PROTOCOLS[name as ClientProtocolName];
      const response = setUp({ lists: { m: ["a"] }, types: { m: 14, a: 8 } });
      const told = response.chat(withKeys, fields);
      response.sent[0]?.json(529, { error: { type: "overloaded_error", message: "busy" } });
      response.sent[1]?.json(200, answerOf("a"));
      expect(told.status).toBe(200);
      expect(told.text).toContain('"a"');
      expect(told.text).not.toContain('"m"');
    },
  );

  it("is noted for each model that could not answer: its upstream's name, the reason and the number of attempts", () => {
    const world = setUp({ lists: { m: ["gone", "a", "b"] }, without: ["gone"] });
    world.chat(CHAT, {});
    world.sent[0]?.json(429, {});
    world.sent[1]?.json(500, {});
    world.sent[2]?.json(200, answerOf("b"));
    expect(world.charges).toMatchObject([
      {
        model: "b",
        replaced: [
          { model: "m", refusal: "upstream-rate-limited", attempts: 1, by: "gone" },
          { model: "", refusal: "model-unknown", attempts: 1, by: "a" },
          { model: "a", refusal: "upstream-failed", attempts: 2, by: "b" },
        ],
      },
    ]);
  });

  it("is no more than noted where none answers: the last one's own refusal, the client is told the first one's", () => {
    const world = setUp({ lists: { m: ["a", "gone"] }, without: ["gone"] });
    const response = world.chat(CHAT, {});
    world.sent[0]?.json(429, {});
    world.sent[1]?.json(500, {});
    expect(response.text).toContain("upstream-rate-limited");
    expect(world.failures).toMatchObject([
      {
        model: "",
        refusal: "model-unknown",
        replaced: [
          { model: "m", refusal: "upstream-rate-limited", attempts: 1, by: "a" },
          { model: "a", refusal: "upstream-failed", attempts: 2, by: "gone" },
        ],
      },
    ]);
    const alone = setUp();
    alone.chat(CHAT, {});
    alone.sent[0]?.json(500, {});
    expect(alone.failures[0]?.replaced).toBeUndefined();
  });

  it("comes for the causes that its list names, and never for a wrong request or an empty balance", () => {
    const causes: [unknown, number, object, boolean][] = [
      [["a"], 429, {}, true],
      [["a"], 500, {}, true],
      [["a"], 401, { error: { code: "invalid_api_key" } }, true],
      [["a"], 400, TOO_LONG, true],
      [["a"], 400, UNFIT, false],
      [{ models: ["a"], on: ["content-filter"] }, 400, UNFIT, true],
      [{ models: ["a"], on: ["content-filter"] }, 500, {}, false],
      [["a"], 400, WRONG, false],
    ];
    for (const [list, status, body, isReplaced] of causes) {
      const world = setUp({ lists: { m: list } });
      world.chat(CHAT, {});
      world.sent[0]?.json(status, body);
      expect(world.sent.length, JSON.stringify([list, status, body])).toBe(isReplaced ? 2 : 1);
    }
    const poor = setUp({ lists: { m: ["b"] }, quota: 20 });
    expect(poor.chat(CHAT, { max_tokens: 100 }).text).toContain("user-quota");
    expect(poor.sent).toHaveLength(0);
    for (const code of [
      "token-disabled",
      "user-quota-exceeded",
      "request-invalid",
      "shutting-down",
      "internal",
    ] as const)
      expect(fallbackCauseOf({ code })).toBeUndefined();
  });

  it.each(["image_content_policy_violation", "bio_policy", "cyber_policy", "misalignment_policy_violation"])(
    "is an unfit prompt for the code %s (C16)",
    (code) => {
      const upstream = { status: 400, code, message: "no" };
      expect(fallbackCauseOf({ code: "upstream-refused", upstream })).toBe("content-filter");
    },
  );

  it("is used when no channel offers the requested model, and skips one of the list", () => {
    const world = setUp({ lists: { "*": ["c", "gone", "b"] }, without: ["c", "m"] });
    const response = world.chat(CHAT, {});
    expect(world.sent[0]?.body()).toMatchObject({ model: "b" });
    world.sent[0]?.json(200, answerOf("b"));
    expect(response.status).toBe(200);
  });

  it("is the client's own choice where it lists models, which no upstream is told", () => {
    const world = setUp({ lists: { m: ["c"] } });
    world.chat(CHAT, { models: ["m", "b", "a", "b"], route: "fallback" });
    world.sent[0]?.json(503, {});
    expect(world.sent[0]?.body()).toEqual({ model: "m", messages: [{ role: "user", content: "hi" }] });
    expect(world.sent[1]?.body()).toEqual({ model: "b", messages: [{ role: "user", content: "hi" }] });
    world.sent[1]?.json(503, {});
    expect(world.sent[2]?.body()).toMatchObject({ model: "a" });
    const response = world.sent[2];
    response?.json(503, {});
    // No further one, and none of the site's.
    expect(world.sent).toHaveLength(3);
    expect([world.user.held, world.charges.length]).toEqual([0, 0]);
  });

  it("is absent for a key that wants none, and limited to models that a key may use", () => {
    const off = setUp({ lists: { m: ["a"] }, key: { hasNoFallbacks: true } });
    off.chat(CHAT, { models: ["b"] });
    off.sent[0]?.json(500, {});
    expect(off.sent).toHaveLength(1);
    const bound = setUp({ lists: { m: ["a", "b"] }, key: { models: new Set(["m", "b"]) } });
    bound.chat(CHAT, {});
    bound.sent[0]?.json(500, {});
    expect(bound.sent[1]?.body()).toMatchObject({ model: "b" });
  });

  it("begins no later than two minutes after the request, and is at most eight", () => {
    let nowMs = 0;
    const late = setUp({ lists: { m: ["a"] }, now: () => nowMs });
    late.chat(CHAT, {});
    nowMs = 121_000;
    late.sent[0]?.json(500, {});
    expect(late.sent).toHaveLength(1);
    const long = setUp();
    long.chat(CHAT, { models: Array.from({ length: 1000 }, (_, index) => `x${index}`).concat("a") });
    long.sent[0]?.json(500, {});
    expect(long.sent).toHaveLength(1);
  });

  it("tells why the model that was asked for could not answer when none could", () => {
    const world = setUp({ lists: { m: ["a"] } });
    const response = world.chat(CHAT, {});
    world.sent[0]?.json(429, {});
    world.sent[1]?.json(400, WRONG);
    expect(response.text).toContain("upstream-rate-limited");
    // No model has answered.
    expect(response.headers).not.toHaveProperty("x-tollgate-fallback-model");
    expect(world.failures).toMatchObject([{ requestedModel: "m", model: "a" }]);
  });

  it("is none for operations, whose units are a model's own", () => {
    const world = setUp({ lists: { m: ["a"] } });
    world.operate(CHAT, OPERATIONS.embeddings, "m", { model: "m", input: "x" });
    world.sent[0]?.json(500, {});
    expect(world.sent).toHaveLength(1);
  });

  it.each([70_000, 2_500_000])(
    "comes for a request of %i bytes that only lists models, which is read again for an upstream of another protocol",
    async (size) => {
      const world = setUp({ types: { m: 1, a: 14 }, quota: 1_000_000_000 });
      const messages = [{ role: "user", content: "x".repeat(size) }];
      world.chat(CHAT, { model: undefined, models: ["m", "a"], messages, max_tokens: 50 });
      await expect.poll(() => world.sent).toHaveLength(1);
      expect(world.sent[0]?.body()).toMatchObject({ model: "m" });
      world.sent[0]?.json(500, {});
      await expect.poll(() => world.sent).toHaveLength(2);
      expect(world.sent[1]?.body()).toMatchObject({ model: "a" });
    },
  );

  it("does not read a large request in one turn of the event loop", async () => {
    const channels = [entryOf({ id: 1 }), entryOf({ id: 2 })];
    const world = smallRelay({
      channels: (model) => (model === "m" ? channels.slice(1) : channels),
      prices: { modelRatios: RATIOS, completionRatios: ONES },
      quota: 1_000_000_000,
    });
    const messages = Array.from({ length: 2500 }, () => ({ role: "user", content: "x".repeat(1000) }));
    world.chat(CHAT, { models: ["a"], messages, max_tokens: 50 });
    await expect.poll(() => world.sent).toHaveLength(1);
    const parse = vi.spyOn(JSON, "parse");
    world.sent[0]?.json(500, {});
    await expect.poll(() => world.sent).toHaveLength(2);
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(1_000_000);
  });

  it("is stored under its own name for repricing", () => {
    const world = setUp({ lists: { m: ["a"] } });
    world.chat(CHAT, {});
    world.sent[0]?.json(500, {});
    world.sent[1]?.json(200, answerOf("a"));
    expect(readShape(world.charges[0]?.use.shape ?? "")).toMatchObject({ model: "a", requestedModel: "a" });
  });

  it("comes before the first byte only", () => {
    const world = setUp({ lists: { m: ["a"] } });
    const response = world.chat(CHAT, { stream: true });
    const { receiver } = world.sent[0]!;
    receiver.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
    receiver.onData(
      Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}\n\n'),
    );
    receiver.onFailure({ kind: "reset", detail: "gone" });
    expect(world.sent).toHaveLength(1);
    expect(response.headers).not.toHaveProperty("x-tollgate-fallback-model");
  });
});

describe("whatever upstreams say of a chain of models", () => {
  const LIES: ((sent: Sent) => void)[] = [
    (sent) => sent.json(200, answerOf("liar")),
    (sent) => sent.json(200, { ...answerOf("m"), usage: { prompt_tokens: -5, completion_tokens: 2 ** 60 } }),
    (sent) => sent.json(200, { ...answerOf("m"), choices: [] }),
    (sent) => sent.json(200, { error: { message: "context_length_exceeded" } }),
    (sent) => sent.json(400, TOO_LONG),
    (sent) => sent.json(400, WRONG),
    (sent) => sent.json(429, {}),
    (sent) => sent.json(500, "nonsense"),
    (sent) => sent.receiver.onFailure({ kind: "timeout", detail: "" }),
    (sent) => {
      sent.json(200, answerOf("m"));
      sent.json(200, answerOf("m"));
    },
  ];

  it("holds end, balances stay above zero, and one model at most is charged, the one that answered (seeded)", () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const random = createRandom(seed);
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
      const quota = pick([100, 2000, 50_000]);
      const world = setUp({
        lists: {
          m: pick<readonly string[]>([["a"], ["a", "b", "c"], ["m", "c"], []]),
          a: ["m"],
          "*": ["m", "a"],
        },
        retryTimes: pick([0, 1, 3]),
        quota,
        without: pick<readonly string[]>([[], ["m"], ["a"], ["b", "c"]]),
      });
      const requests = 1 + Math.floor(random() * 3);
      const responses = Array.from({ length: requests }, () =>
        world.chat(CHAT, {
          model: pick(["m", "a", "b", "nobody's"]),
          max_tokens: pick([10, 100, undefined]),
          ...(random() < 0.3
            ? { models: pick<unknown>([["b"], ["nobody's", "c"], [], "x", [1, null]]) }
            : {}),
        }),
      );
      for (let at = 0; at < world.sent.length; at += 1) {
        if (random() < 0.1) responses[Math.floor(random() * requests)]?.emit("close");
        LIES[Math.floor(random() * LIES.length)]?.(world.sent[at]!);
        expect(world.user.quota, `seed ${seed}`).toBeGreaterThanOrEqual(0);
      }
      const charged = world.charges.reduce((sum, charge) => sum + charge.quota, 0);
      expect([world.user.held, world.key.account.held, world.relay.active], `seed ${seed}`).toEqual([
        0, 0, 0,
      ]);
      expect(world.user.quota, `seed ${seed}`).toBe(quota - charged);
      expect(world.charges.length + world.failures.length, `seed ${seed}`).toBe(requests);
      expect(world.sent.length).toBeLessThanOrEqual(requests * 9 * 4);
      for (const charge of world.charges) {
        const last = charge.attempts.at(-1);
        expect(charge.model, `seed ${seed}`).toBe(last?.fallbackModel ?? charge.requestedModel);
        expect(last?.outcome).toBe("ok");
      }
    }
  });
});

describe("the lists of fallbacks", () => {
  it("are a list of names for each model, or one with causes", () => {
    expect(parseModelFallbacks('{"m":["a","a"],"*":{"models":["b"],"on":["timeout"]}}')).toEqual(
      new Map([
        ["m", { models: ["a"], on: USUAL_CAUSES }],
        ["*", { models: ["b"], on: ["timeout"] }],
      ]),
    );
    for (const wrong of [
      "[]",
      "x",
      '{"m":"a"}',
      '{"m":[1]}',
      '{"m":{"models":["a"],"on":["never"]}}',
      '{"":["a"]}',
    ])
      expect(parseModelFallbacks(wrong)).toHaveProperty("fault");
    expect(parseModelFallbacks(JSON.stringify({ m: Array.from({ length: 9 }, (_, i) => `x${i}`) }))).toEqual({
      fault: "m",
    });
  });
});
