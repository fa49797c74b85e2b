import { setTimeout as wait } from "node:timers/promises";
import { FAULTS, type FaultName } from "@tollgate/testkit/fake-upstream/faults";
import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Figures, type Stage, startStage } from "./stage";
import {
  type ClientShape,
  PATHS,
  type RawAnswer,
  readError,
  sendRaw,
  smallCall,
  smallRequest,
  understand,
} from "./wire";

/** How long an upstream may be silent here; short, because silence is one of the faults. */
const IDLE_TIMEOUT_MS = 300;
const FIRST_BYTE_TIMEOUT_MS = 700;
const UPSTREAM_KEY = "upstream-key";

const CHAT_MODEL = "gpt-3.5-turbo";
const MESSAGES_MODEL = "claude-2";
const GEMINI_MODEL = "gemini-2.5-flash";
/** Offered by OpenAI in Responses alone. */
const RESPONSES_MODEL = "gpt-5-codex";
const TWICE_MODEL = "gpt-4";

/** What 13 prompt and 5 completion tokens cost: ceil((13 + 5 × completion ratio) × model ratio). */
const PRICES: Readonly<Record<string, number>> = {
  [CHAT_MODEL]: 18,
  [MESSAGES_MODEL]: 154,
  // 13 and 5 tokens at 0.3 and 2.5 USD a million, and at 1.25 and 10.
  [GEMINI_MODEL]: 9,
  [RESPONSES_MODEL]: 34,
  [TWICE_MODEL]: 345,
};

/**
 * Ways from a client's shape to an upstream's; the model decides to which upstream. Each shape stands on either side
 * of a translation, and passes where both are the same.
 */
const LANES: readonly { client: ClientShape; upstream: ClientShape; model: string }[] = [
  { client: "chat", upstream: "chat", model: CHAT_MODEL },
  { client: "chat", upstream: "messages", model: MESSAGES_MODEL },
  { client: "messages", upstream: "chat", model: CHAT_MODEL },
  { client: "messages", upstream: "messages", model: MESSAGES_MODEL },
  { client: "gemini", upstream: "gemini", model: GEMINI_MODEL },
  { client: "gemini", upstream: "chat", model: CHAT_MODEL },
  { client: "messages", upstream: "gemini", model: GEMINI_MODEL },
  { client: "responses", upstream: "responses", model: RESPONSES_MODEL },
  { client: "responses", upstream: "messages", model: MESSAGES_MODEL },
  { client: "chat", upstream: "responses", model: RESPONSES_MODEL },
];

type Outcome =
  /** Everything arrived and was charged by the upstream's numbers. */
  | "whole"
  /** Everything arrived and was charged by the gateway's own count. */
  | "counted"
  /** All of the text arrived and was charged; whether the end mark did is the upstream's affair. */
  | "whole without mark"
  /** A beginning arrived, then an error event, and nothing was charged. */
  | "broken off"
  /** Nothing arrived but an error with this status, and nothing was charged. */
  | number;

const OUTCOMES: Readonly<Record<FaultName, { json: Outcome; stream: Outcome }>> = {
  slow: { json: "whole", stream: "whole" },
  "slow-first-byte": { json: "whole", stream: "whole" },
  "empty-stream": { json: 502, stream: 502 },
  "empty-body": { json: 502, stream: 502 },
  "done-only-stream": { json: 502, stream: 502 },
  "error-in-200": { json: 502, stream: 502 },
  "error-in-stream": { json: 502, stream: 502 },
  "error-mid-stream": { json: 502, stream: "broken off" },
  "reset-mid-stream": { json: 502, stream: "broken off" },
  "reset-before-answer": { json: 502, stream: 502 },
  "stall-mid-stream": { json: 504, stream: "broken off" },
  "cut-mid-stream": { json: 502, stream: "broken off" },
  // Without RetryTimes nothing is tried again: the client is told, and may come back.
  "429-then-ok": { json: 429, stream: 429 },
  "429": { json: 429, stream: 429 },
  "500": { json: 502, stream: 502 },
  "503": { json: 502, stream: 502 },
  "400": { json: 400, stream: 400 },
  // The gateway's key is dead, not the client's.
  "401": { json: 503, stream: 503 },
  "html-502": { json: 502, stream: 502 },
  garbage: { json: 502, stream: 502 },
  "stream-without-done": { json: "whole", stream: "whole without mark" },
  "split-everywhere": { json: "whole", stream: "whole" },
  "wrong-content-type": { json: "whole", stream: "whole" },
  "no-usage": { json: "counted", stream: "counted" },
  "usage-in-every-chunk": { json: "whole", stream: "whole" },
  "usage-with-last-choice": { json: "whole", stream: "whole" },
  "huge-event": { json: "whole", stream: "whole" },
};

type Outcomes = Partial<Record<FaultName, Outcome>>;

/** Where a shape's stream is told apart by its last event. */
const STREAM_OUTCOMES: Readonly<Record<ClientShape, Outcomes>> = {
  chat: {},
  messages: {},
  // The last event repeats the whole answer, and nothing else says that it is whole.
  responses: { "done-only-stream": "whole", "stream-without-done": "broken off" },
  gemini: {},
};

const outcomeOf = (fault: FaultName, upstream: ClientShape, isStream: boolean): Outcome => {
  const { json, stream } = OUTCOMES[fault];
  return isStream ? (STREAM_OUTCOMES[upstream][fault] ?? stream) : json;
};

const rows = LANES.flatMap((lane) =>
  [false, true].flatMap((isStream) =>
    (Object.keys(FAULTS) as FaultName[]).map((fault) => ({
      ...lane,
      fault,
      isStream,
      kind: isStream ? "stream" : "JSON",
      outcome: outcomeOf(fault, lane.upstream, isStream),
    })),
  ),
);

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage({
    IDLE_TIMEOUT_MS: String(IDLE_TIMEOUT_MS),
    FIRST_BYTE_TIMEOUT_MS: String(FIRST_BYTE_TIMEOUT_MS),
  });
  const base_url = stage.upstream.url;
  const key = UPSTREAM_KEY;
  await addChannel(stage.root, { type: 8, base_url, key, models: CHAT_MODEL });
  await addChannel(stage.root, { type: 14, base_url, key, models: MESSAGES_MODEL });
  await addChannel(stage.root, { type: 24, base_url, key, models: GEMINI_MODEL });
  await addChannel(stage.root, { type: 1, base_url, key, models: RESPONSES_MODEL });
  account = await stage.addAccount("alice", 100_000_000);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

const send = (
  client: ClientShape,
  model: string,
  isStream: boolean,
  headers: Record<string, string> = {},
): Promise<RawAnswer> => {
  const { path, body } = smallCall(client, model, isStream);
  return sendRaw(stage.server.url + path, { authorization: `Bearer ${account.key}`, ...headers }, body);
};

/** How the balances moved, and that the user's and the key's moved alike. */
const chargedSince = async (before: Figures): Promise<{ quota: number; requests: number }> => {
  const after = await account.figures();
  const quota = before.user.quota - after.user.quota;
  expect({
    used: after.user.used - before.user.used,
    tokenRemain: before.token.remain - after.token.remain,
    tokenUsed: after.token.used - before.token.used,
  }).toEqual({ used: quota, tokenRemain: quota, tokenUsed: quota });
  return { quota, requests: after.user.requests - before.user.requests };
};

/** Nothing of the upstream or of the gateway's inside may reach a client. */
const expectNothingTold = (text: string): void => {
  expect(text).not.toContain(new URL(stage.upstream.url).host);
  expect(text).not.toContain(UPSTREAM_KEY);
  expect(text).not.toContain("example.com");
  expect(text).not.toMatch(/ECONN|UND_ERR|<html|\n\s+at |node_modules|SyntaxError/);
};

describe("an upstream with the fault", () => {
  it.each(rows)("$fault as $kind, $client → $upstream: $outcome", async (row) => {
    const { client, model, isStream, outcome, fault } = row;
    const before = await account.figures();
    stage.upstream.script({ fault, delayMs: fault === "slow" ? 5 : 50 });
    const answer = await send(client, model, isStream);
    const charged = await chargedSince(before);
    const requestId = answer.headers.get("x-oneapi-request-id");
    expect(requestId).toMatch(/^\w{20,}$/);

    if (typeof outcome === "number") {
      expect(answer.status).toBe(outcome);
      const error = readError(client, JSON.parse(answer.text));
      expect(error.requestId).toBe(requestId);
      expect(error.message.length).toBeGreaterThan(10);
      expectNothingTold(answer.text);
      expect(charged).toEqual({ quota: 0, requests: 0 });
    } else {
      expect(answer.status, answer.text).toBe(200);
      const { text, isEnded, error, usage } = understand(client, isStream, answer.text);
      const whole = fault === "huge-event" ? "0123456789abcdef".repeat(65_536) : DEFAULT_TEXT;
      if (outcome === "broken off") {
        expect(whole.startsWith(text) && text !== "", text).toBe(true);
        // Without its end mark an answer may have lost nothing but that.
        if (fault !== "stream-without-done") expect(text).not.toBe(whole);
        expect(isEnded).toBe(false);
        expect(error?.requestId).toBe(requestId);
        expect(error?.message).toContain("未扣费");
        expectNothingTold(answer.text);
        expect(charged).toEqual({ quota: 0, requests: 0 });
      } else {
        expect(text === whole).toBe(true);
        expect(error).toBeUndefined();
        if (outcome !== "whole without mark") expect(isEnded).toBe(true);
        expect(charged.requests).toBe(1);
        const [line] = await account.usage();
        expect(line).toMatchObject({ quota: charged.quota, model_name: model });
        if (outcome === "counted") {
          expect(charged.quota).toBeGreaterThan(0);
          expect(line?.content).toContain("用量由网关计算");
        } else {
          expect(charged.quota).toBe(PRICES[model]);
          expect(line).toMatchObject({ prompt_tokens: 13, completion_tokens: 5 });
          // A chat client that did not ask for usage in its stream is told none.
          if (!isStream) expect(usage).toEqual({ input: 13, output: 5 });
        }
      }
    }

    // Whatever happened, the next request finds everything in order.
    stage.upstream.script({});
    const next = await send(client, model, isStream);
    expect(understand(client, isStream, next.text)).toMatchObject({ text: DEFAULT_TEXT, isEnded: true });
    expect((await chargedSince(before)).quota).toBe(charged.quota + PRICES[model]!);
  });

  it.each([false, true])("a late first byte is given up (stream: %s)", async (isStream) => {
    const before = await account.figures();
    stage.upstream.script({ fault: "slow-first-byte", delayMs: FIRST_BYTE_TIMEOUT_MS * 3 });
    const answer = await send("chat", CHAT_MODEL, isStream);
    expect(answer.status).toBe(504);
    expect(readError("chat", JSON.parse(answer.text))).toMatchObject({ code: "upstream_timeout" });
    expect(await chargedSince(before)).toEqual({ quota: 0, requests: 0 });
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
  });
});

describe("the answer that a client reads", () => {
  it.each<[FaultName, string, string]>([
    ["500", "The upstream service failed", "上游服务出错"],
    ["429", "at their limit", "当前分组上游负载已饱和"],
    ["401", "cannot be used now", "暂不可用"],
    ["empty-body", "empty answer", "空的回答"],
    ["stall-mid-stream", "did not answer in time", "上游响应超时"],
  ])("of %s is English when it asks for English, else Chinese", async (fault, english, chinese) => {
    stage.upstream.script({ fault });
    const headers = { "accept-language": "en-US,en;q=0.9" };
    const reading = (["chat", "messages"] as const).map(async (client) => {
      const [inEnglish, inChinese] = await Promise.all([
        send(client, CHAT_MODEL, false, headers),
        send(client, CHAT_MODEL, false),
      ]);
      expect(readError(client, JSON.parse(inEnglish.text)).message).toContain(english);
      expect(readError(client, JSON.parse(inChinese.text)).message).toContain(chinese);
    });
    await Promise.all(reading);
  });

  it("of a stream that breaks off is English when it asks for English", async () => {
    stage.upstream.script({ fault: "reset-mid-stream" });
    const answer = await send("chat", CHAT_MODEL, true, { "accept-language": "en" });
    expect(understand("chat", true, answer.text).error?.message).toContain("was not charged");
  });
});

describe("a client that hangs up", () => {
  /** One token each, as the gateway's tokenizer counts them. */
  const WORDS = 60;
  const LONG_TEXT = "word ".repeat(WORDS);

  /** Opens a stream, reads until the text is long enough, and leaves. @returns the text that was read. */
  const readAndLeave = async (client: ClientShape, model: string, characters: number): Promise<string> => {
    const leaving = new AbortController();
    const { path, body } = smallCall(client, model, true);
    const response = await fetch(stage.server.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    if (!reader) throw new Error(`no stream: ${response.status}`);
    let raw = "";
    const decoder = new TextDecoder();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      raw += decoder.decode(read.value as Uint8Array, { stream: true });
      // Up to the last whole event: a cut one cannot be read.
      const { text } = understand(client, true, raw.slice(0, raw.lastIndexOf("\n") + 1));
      if (text.length < characters) continue;
      leaving.abort();
      return text;
    }
    throw new Error("the stream ended before the client could leave");
  };

  it.each(LANES)(
    "in the middle of a stream pays for the delivered part ($client → $upstream)",
    async (lane) => {
      const { client, model } = lane;
      const before = await account.figures();
      stage.upstream.script({ fault: "slow", delayMs: 20, text: LONG_TEXT, pieces: WORDS });
      const text = await readAndLeave(client, model, 50);
      await expect.poll(async () => (await account.figures()).user.requests).toBe(before.user.requests + 1);
      const [line] = await account.usage();
      const words = text.length / 5;
      expect(line?.completion_tokens).toBeGreaterThanOrEqual(words);
      // What left the gateway but was not read any more may be a few words.
      expect(line?.completion_tokens).toBeLessThanOrEqual(words + 5);
      expect(line?.content).toContain("客户端中断");
      const { quota } = await chargedSince(before);
      expect(quota).toBe(line?.quota);
      expect(quota).toBeGreaterThan(0);
      // A model that reasons without showing it is read on for that count (docs/reference/interruptions.md).
      const isReadOn = model === RESPONSES_MODEL;
      await expect.poll(() => stage.upstream.requests[0]?.isAbandoned ?? false).toBe(!isReadOn);
    },
  );

  it.each([false, true])("before the first byte pays nothing (stream: %s)", async (isStream) => {
    const before = await account.figures();
    stage.upstream.script({ fault: "slow-first-byte", delayMs: FIRST_BYTE_TIMEOUT_MS - 100 });
    const leaving = AbortSignal.timeout(100);
    await expect(
      fetch(stage.server.url + PATHS.chat, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}` },
        body: JSON.stringify(smallRequest(CHAT_MODEL, { stream: isStream })),
        signal: leaving,
      }),
    ).rejects.toThrow();
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
    // Long enough for a charge that must not come.
    await wait(100);
    expect(await chargedSince(before)).toEqual({ quota: 0, requests: 0 });
  });
});

describe("with RetryTimes and two channels", () => {
  let upper: number;
  let lower: number;
  let round = 0;

  beforeAll(async () => {
    const base_url = stage.upstream.url;
    upper = await addChannel(stage.root, { base_url, models: TWICE_MODEL, priority: 10 });
    lower = await addChannel(stage.root, { base_url, models: TWICE_MODEL, priority: 5 });
    await stage.setOption("RetryTimes", "2");
  });

  // What a test did to a key must not keep the next one away from it: the circuit breaker goes by the key.
  beforeEach(async () => {
    round += 1;
    for (const id of [upper, lower])
      await stage.root.data("PUT", "/api/channel/", { id, key: `upstream-key-${round}` });
  });

  afterAll(() => stage.setOption("RetryTimes", "0"));

  const REPLACEABLE: readonly FaultName[] = [
    "500",
    "503",
    "429",
    "401",
    "html-502",
    "garbage",
    "empty-body",
    "empty-stream",
    "done-only-stream",
    "error-in-200",
    "error-in-stream",
    "reset-before-answer",
  ];

  it.each(REPLACEABLE.flatMap((fault) => [false, true].map((isStream) => ({ fault, isStream }))))(
    "$fault before the first byte is replaced by the second channel, charged once (stream: $isStream)",
    async ({ fault, isStream }) => {
      const before = await account.figures();
      stage.upstream.script({ fault }, {});
      const answer = await send("chat", TWICE_MODEL, isStream);
      expect(answer.status).toBe(200);
      expect(understand("chat", isStream, answer.text)).toMatchObject({ text: DEFAULT_TEXT, isEnded: true });
      expect(stage.upstream.requests).toHaveLength(2);
      expect(await chargedSince(before)).toEqual({ quota: PRICES[TWICE_MODEL], requests: 1 });
      expect((await account.usage())[0]).toMatchObject({ channel: lower, quota: PRICES[TWICE_MODEL] });
    },
  );

  it("two failures end in one error, free, after each channel was asked once", async () => {
    const before = await account.figures();
    stage.upstream.script({ fault: "500" });
    const answer = await send("chat", TWICE_MODEL, false);
    expect(answer.status).toBe(502);
    expect(stage.upstream.requests).toHaveLength(2);
    expect(await chargedSince(before)).toEqual({ quota: 0, requests: 0 });
  });

  it.each<FaultName>(["error-mid-stream", "reset-mid-stream", "cut-mid-stream"])(
    "%s is not tried again: the client has a beginning already",
    async (fault) => {
      const before = await account.figures();
      stage.upstream.script({ fault }, {});
      const answer = await send("chat", TWICE_MODEL, true);
      expect(understand("chat", true, answer.text).error).toBeDefined();
      expect(stage.upstream.requests).toHaveLength(1);
      expect(await chargedSince(before)).toEqual({ quota: 0, requests: 0 });
    },
  );
});
