import type { TimeLimits } from "@tollgate/contract/management/time-limits";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { entryOf } from "../testing/entry-of";
import type { RecordingResponse } from "../testing/recording-response";
import { type Sent, smallRelay } from "../testing/small-relay";

/* Time limits of channels and groups (docs/guides/channels.md#time-limits), against upstreams that lie. */

const CHAT = CLIENT_PROTOCOLS["openai-chat"];
const MESSAGES = CLIENT_PROTOCOLS["anthropic-messages"];
const RATIOS = parseRatioTable('{"m":1,"o4-mini":1}')!;
const PRICES = { modelRatios: RATIOS, completionRatios: RATIOS };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const ROLE = chunk({ role: "assistant", content: "" });
const EMPTY = chunk({ content: "" });
const WORD = chunk({ content: "word " });
const ARGUMENTS = chunk({ tool_calls: [{ index: 0, function: { arguments: "xyz" } }] });
const END = `${chunk({}, "stop")}data: ${JSON.stringify({ id: "x", choices: [], usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 } })}\n\ndata: [DONE]\n\n`;
const WHOLE = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
};

const head = ({ receiver }: Sent): void =>
  receiver.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
const say = ({ receiver }: Sent, text: string): boolean => receiver.onData(Buffer.from(text));
const answer = (sent: Sent): void => {
  head(sent);
  say(sent, ROLE + WORD + END);
  sent.receiver.onEnd();
};

const setUp = (limits: TimeLimits, ofGroup?: TimeLimits) =>
  smallRelay({
    channels: [entryOf({ id: 1, ...limits }), entryOf({ id: 2, priority: -1 })],
    prices: PRICES,
    retryTimes: 1,
    ports: { ...(ofGroup ? { timeLimitsOf: () => ofGroup } : {}) },
  });

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);
/** Sends the same every second. */
const repeat = async (sent: Sent, text: string, count: number): Promise<void> => {
  for (let second = 0; second < count; second += 1) {
    await seconds(1);
    say(sent, text);
  }
};
const outcomesOf = ({ charges, failures }: ReturnType<typeof smallRelay>): string[][] =>
  [...charges, ...failures].map(({ attempts }) => attempts.map(({ outcome }) => outcome));

describe.each([
  ["passed", CHAT],
  ["translated", MESSAGES],
] as const)("a stream that is %s", (_, client) => {
  const FIELDS = { stream: true, max_tokens: 100 };

  it("goes to the next channel without headers in time", async () => {
    const world = setUp({ headersSeconds: 5 });
    const response = world.chat(client, FIELDS);
    await seconds(4.9);
    expect(world.sent).toHaveLength(1);
    await seconds(0.2);
    expect(world.sent).toHaveLength(2);
    answer(world.sent[1]!);
    expect(response.text).toContain("word");
    expect(outcomesOf(world)).toEqual([["late-answer", "ok"]]);
  });

  it.each<[string, string[]]>([
    ["silence behind the headers", []],
    ["comments", [": ping\n\n"]],
    ["pings", ['data: {"type":"ping"}\n\n']],
    ["empty deltas", [EMPTY]],
    ["the role again and again", [ROLE]],
    ["one byte of an event a second", [...WORD.slice(0, 40)]],
  ])("goes to the next channel after the time to the first token with only %s", async (_name, texts) => {
    const world = setUp({ headersSeconds: 60, firstTokenSeconds: 10 });
    const response = world.chat(client, FIELDS);
    const [first] = world.sent;
    head(first!);
    say(first!, ROLE);
    for (let second = 0; second < 10; second += 1) {
      await seconds(1);
      say(first!, texts[second % texts.length] ?? "");
    }
    await seconds(0.1);
    expect(world.sent).toHaveLength(2);
    expect(response.headersSent).toBe(false);
    answer(world.sent[1]!);
    // A late answer of the first one changes nothing.
    say(first!, WORD + END);
    first!.receiver.onEnd();
    expect(response.writableEnded).toBe(true);
    expect(response.text.match(/word/g)).toHaveLength(1);
    expect(outcomesOf(world)).toEqual([["late-first-token", "ok"]]);
    expect([world.charges.length, world.user.held]).toEqual([1, 0]);
  });

  it.each<[string, string]>([
    ["silence", ""],
    ["comments", ": ping\n\n"],
    ["pings", 'data: {"type":"ping"}\n\n'],
    ["empty deltas", EMPTY],
  ])("ends after the time between tokens with only %s, and costs what was delivered", async (_name, text) => {
    const world = setUp({ tokenGapSeconds: 8 });
    const response = world.chat(client, FIELDS);
    const [first] = world.sent;
    head(first!);
    say(first!, ROLE + WORD);
    await repeat(first!, WORD, 20);
    expect(response.writableEnded).toBe(false);
    await repeat(first!, text, 8);
    expect(response.writableEnded).toBe(false);
    await repeat(first!, text, 2);
    expect(response.writableEnded).toBe(true);
    expect(response.text).toContain("upstream-interrupted");
    expect(world.sent).toHaveLength(1);
    expect(outcomesOf(world)).toEqual([["late-token"]]);
    expect(world.charges[0]).toMatchObject({ end: "interrupted" });
    expect(world.charges[0]?.quota).toBeGreaterThan(0);
    expect([world.failures.length, world.user.held]).toEqual([0, 0]);
  });

  it("takes the arguments of a call for content", async () => {
    const world = setUp({ tokenGapSeconds: 4 });
    const response = world.chat(client, { ...FIELDS, tools: [] });
    const [first] = world.sent;
    head(first!);
    say(
      first!,
      chunk({
        role: "assistant",
        tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "f", arguments: "" } }],
      }),
    );
    await repeat(first!, ARGUMENTS, 30);
    expect(response.writableEnded).toBe(false);
  });

  it("does not end for a client that does not read", async () => {
    const world = setUp({ tokenGapSeconds: 4 });
    const response = world.chat(client, FIELDS);
    const [first] = world.sent;
    head(first!);
    response.isReading = false;
    say(first!, ROLE + WORD);
    await seconds(60);
    expect(response.writableEnded).toBe(false);
    response.isReading = true;
    response.emit("drain");
    await seconds(3);
    say(first!, WORD + END);
    first!.receiver.onEnd();
    expect(outcomesOf(world)).toEqual([["ok"]]);
  });
});

it("gives requests that think their own time, and no other bound without one", async () => {
  const thinking = { stream: true, reasoning_effort: "high" };
  const world = setUp({ headersSeconds: 2, firstTokenSeconds: 3, thinkingSeconds: 30 });
  world.chat(CHAT, thinking);
  await seconds(29);
  expect(world.sent).toHaveLength(1);
  await seconds(1.1);
  expect(world.sent).toHaveLength(2);

  const unbounded = setUp({ headersSeconds: 2, firstTokenSeconds: 3 });
  unbounded.chat(CHAT, { stream: true, model: "o4-mini" });
  unbounded.chat(CHAT, { stream: true, model: "o4-mini", reasoning_effort: "none" });
  await seconds(100);
  expect(unbounded.sent).toHaveLength(3);
});

it("bounds an answer without streaming until it is complete", async () => {
  const world = setUp({ headersSeconds: 1, firstTokenSeconds: 1, wholeAnswerSeconds: 20 });
  const response = world.chat(CHAT, {});
  const [first] = world.sent;
  first!.receiver.onHeaders(200, { "content-type": "application/json" }, () => {});
  const text = JSON.stringify(WHOLE);
  for (let second = 0; second < 20; second += 1) {
    await seconds(1);
    say(first!, text[second] ?? "");
  }
  await seconds(0.1);
  expect(world.sent).toHaveLength(2);
  world.sent[1]!.json(200, WHOLE);
  expect(response.status).toBe(200);
  expect(outcomesOf(world)).toEqual([["late-answer", "ok"]]);
});

it("prefers the channel's limit to the group's, and takes the group's without one", async () => {
  const world = setUp({ headersSeconds: 20 }, { headersSeconds: 5, firstTokenSeconds: 30 });
  world.chat(CHAT, { stream: true });
  await seconds(19);
  expect(world.sent).toHaveLength(1);
  await seconds(1.1);
  expect(world.sent).toHaveLength(2);
  await seconds(5.1);
  expect(outcomesOf(world)).toEqual([["late-answer", "late-answer"]]);
});

it("pauses a key that is late again and again", async () => {
  const world = setUp({ firstTokenSeconds: 1 });
  for (let round = 0; round < 5; round += 1) {
    world.chat(CHAT, { stream: true });
    await seconds(1.1);
    answer(world.sent.at(-1)!);
  }
  expect(world.relay.standing().openCircuits).toEqual(new Map([[1, 1]]));
});

/** One thing that an upstream does, and how long it waits before. */
interface Step {
  waitMs: number;
  text: string | "head" | "end" | "break";
}

const scheduleOf = (random: () => number, isStream: boolean): Step[] => {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const waitMs = (): number => pick([0, 5, 300, 900, 2100, 4500, 9000, 40_000]);
  const steps: Step[] = [{ waitMs: waitMs(), text: "head" }];
  const texts = isStream
    ? [ROLE, EMPTY, WORD, WORD, WORD, ": ping\n\n", ...WORD.slice(0, 3)]
    : [" ", "\n", JSON.stringify(WHOLE).slice(0, 9)];
  const count = Math.floor(random() * 9);
  for (let index = 0; index < count; index += 1) steps.push({ waitMs: waitMs(), text: pick(texts) });
  const ends: Step["text"][] = isStream ? [`\n\n${WORD}${END}`, END] : [JSON.stringify(WHOLE)];
  if (random() < 0.8) steps.push({ waitMs: waitMs(), text: pick(ends) });
  if (random() < 0.7) steps.push({ waitMs: waitMs(), text: pick(["end", "end", "break"]) });
  return steps;
};

/** Does what the schedule says. */
const play = async (sent: Sent, steps: readonly Step[]): Promise<void> => {
  for (const { waitMs, text } of steps) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (text === "head") {
      const isStream = sent.body().stream === true;
      const type = isStream ? "text/event-stream" : "application/json";
      sent.receiver.onHeaders(200, { "content-type": type }, () => {});
    } else if (text === "end") sent.receiver.onEnd();
    else if (text === "break") sent.receiver.onFailure({ kind: "reset", detail: "" });
    else say(sent, text);
    if (text === "break" || text === "end") return;
  }
  // What the process-wide time-outs do to a silent upstream.
  await new Promise((resolve) => setTimeout(resolve, 300_000));
  sent.receiver.onFailure({ kind: "timeout", detail: { code: "idle-timeout" } });
};

/** Reads the client's end of it: a whole answer, or one error. */
const endOf = (
  response: RecordingResponse,
  client: typeof CHAT,
  isStream: boolean,
): "whole" | "error" | string => {
  if (!response.writableEnded) return "unended";
  const errors = response.text.match(/upstream-\w+/g)?.length ?? 0;
  const ends = client === CHAT ? /data: \[DONE\]/g : /event: message_stop/g;
  const whole = isStream ? (response.text.match(ends)?.length ?? 0) : Number(response.status === 200);
  if (whole === 1 && errors === 0) return "whole";
  return whole === 0 && errors >= 1 ? "error" : `${whole} ends and ${errors} errors: ${response.text}`;
};

it.each(seeds(300))(
  "gives one answer or one error for any delays and bounds, charged once (seed %i)",
  async (seed) => {
    const random = createRandom(seed);
    const maybe = (): number | undefined => (random() < 0.6 ? Math.ceil(random() * 6) : undefined);
    const limits = (): TimeLimits => ({
      headersSeconds: maybe(),
      firstTokenSeconds: maybe(),
      tokenGapSeconds: maybe(),
      thinkingSeconds: maybe(),
      wholeAnswerSeconds: maybe(),
    });
    const channels = [1, 2, 3].map((id) => entryOf({ id, priority: -id, ...limits() }));
    const ofGroup = limits();
    const world = smallRelay({
      channels,
      prices: PRICES,
      retryTimes: 2,
      ports: { timeLimitsOf: () => ofGroup },
    });
    const isStream = random() < 0.8;
    const client = random() < 0.5 ? CHAT : MESSAGES;
    const before = world.user.quota;
    const response = world.chat(client, {
      max_tokens: 50,
      ...(isStream ? { stream: true } : {}),
      ...(random() < 0.2 ? { reasoning_effort: "high" } : {}),
    });
    if (random() < 0.3) {
      response.isReading = false;
      setTimeout(() => {
        response.isReading = true;
        response.emit("drain");
      }, random() * 9000);
    }
    let played = 0;
    for (let round = 0; round < 8 && !response.writableEnded; round += 1) {
      for (const sent of world.sent.slice(played)) void play(sent, scheduleOf(random, isStream));
      played = world.sent.length;
      for (let wait = 0; wait < 1000 && played === world.sent.length && !response.writableEnded; wait += 1)
        await seconds(0.5);
    }
    await seconds(1000);
    const end = endOf(response, client, isStream);
    expect(["whole", "error"]).toContain(end);
    expect(world.user.held).toBe(0);
    expect(world.relay.active).toBe(0);
    expect(world.charges.length + world.failures.length).toBe(1);
    const charged = world.charges.reduce((sum, { quota }) => sum + quota, 0);
    expect(world.user.quota).toBe(before - charged);
    if (end === "whole") expect(world.charges).toHaveLength(1);
    if (end === "error" && !response.text.includes("word")) expect(charged).toBe(0);
  },
);
