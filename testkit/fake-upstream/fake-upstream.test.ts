import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream";
import { FAULTS, type FaultName } from "./faults";
import { DEFAULT_TEXT } from "./upstream-script";

let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterEach(() => upstream.reset());
afterAll(() => upstream.close());

const PATHS = { openai: "/v1/chat/completions", anthropic: "/v1/messages" };

const ask = (shape: keyof typeof PATHS, body: Record<string, unknown> = {}) =>
  fetch(upstream.url + PATHS[shape], {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "fake-gpt", messages: [{ role: "user", content: "hi" }], ...body }),
  });

/** An answer of either shape, as far as these tests look into it. */
interface AnswerBody {
  choices: { finish_reason: string; message: { content: string | null } }[];
  content: unknown;
  usage: unknown;
}

const readJson = async (asked: Promise<Response>): Promise<AnswerBody> =>
  (await (await asked).json()) as AnswerBody;

/** The data of each event, "[DONE]" included. */
const readEvents = async (response: Response): Promise<string[]> =>
  (await response.text())
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice(6));

const textOf = (events: string[]): string =>
  events
    .filter((data) => data !== "[DONE]")
    .map((data) => JSON.parse(data))
    .map((data) => data.choices?.[0]?.delta?.content ?? data.delta?.text ?? "")
    .join("");

describe("good answers", () => {
  it("answers Chat Completions", async () => {
    const body = await readJson(ask("openai"));
    expect(body.choices[0]?.message.content).toBe(DEFAULT_TEXT);
    expect(body.usage).toEqual({ prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 });
  });

  it("streams Chat Completions, with usage only when asked for", async () => {
    const plain = await readEvents(await ask("openai", { stream: true }));
    expect(textOf(plain)).toBe(DEFAULT_TEXT);
    expect(plain.join()).not.toContain("usage");
    expect(plain.at(-1)).toBe("[DONE]");
    const asked = await readEvents(
      await ask("openai", { stream: true, stream_options: { include_usage: true } }),
    );
    expect(JSON.parse(asked.at(-2)!)).toMatchObject({ choices: [], usage: { prompt_tokens: 13 } });
  });

  it("answers Messages", async () => {
    upstream.script({ usage: { input: 13, output: 5, cacheRead: 3 } });
    const body = await readJson(ask("anthropic"));
    expect(body.content).toEqual([{ type: "text", text: DEFAULT_TEXT }]);
    expect(body.usage).toMatchObject({ input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 5 });
  });

  it("streams Messages", async () => {
    const events = await readEvents(await ask("anthropic", { stream: true }));
    expect(textOf(events)).toBe(DEFAULT_TEXT);
    expect(events.map((data) => JSON.parse(data).type)).toEqual([
      "message_start",
      "content_block_start",
      "ping",
      ...Array(6).fill("content_block_delta"),
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });

  it("calls tools in both shapes", async () => {
    upstream.script({ toolCalls: [{ id: "call_1", name: "weather", arguments: '{"city":"Paris"}' }] });
    const openai = await readJson(ask("openai"));
    expect(openai.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: null, tool_calls: [{ id: "call_1", function: { name: "weather" } }] },
    });
    const anthropic = await readJson(ask("anthropic"));
    expect(anthropic).toMatchObject({
      stop_reason: "tool_use",
      content: [{ type: "tool_use", id: "call_1", name: "weather", input: { city: "Paris" } }],
    });
  });

  it("records its requests", async () => {
    await ask("openai", { temperature: 0 });
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/chat/completions",
      body: { model: "fake-gpt", temperature: 0 },
      isAbandoned: false,
    });
  });

  it("answers each request by its kind, until it is given scripts or reset", async () => {
    upstream.reply(({ body }) => ({ text: `temperature ${String(body?.temperature)}` }));
    const asked = await Promise.all([1, 0].map((temperature) => readJson(ask("openai", { temperature }))));
    expect(asked.map(({ choices }) => choices[0]?.message.content)).toEqual([
      "temperature 1",
      "temperature 0",
    ]);
    upstream.script({ text: "scripted" });
    expect((await readJson(ask("openai"))).choices[0]?.message.content).toBe("scripted");
    upstream.reply(() => ({ text: "again" }));
    upstream.reset();
    expect((await readJson(ask("openai"))).choices[0]?.message.content).toBe(DEFAULT_TEXT);
  });

  it("serves scripts in order and keeps the last", async () => {
    upstream.script({ text: "one" }, { text: "two" });
    const texts = [];
    for (let i = 0; i < 3; i += 1) {
      texts.push((await readJson(ask("openai"))).choices[0]?.message.content);
    }
    expect(texts).toEqual(["one", "two", "two"]);
  });
});

describe("faults", () => {
  /** A client's view: the status and body, or the failure of the connection. */
  const observe = async (shape: keyof typeof PATHS, fault: FaultName, stream: boolean): Promise<string> => {
    upstream.script({ fault, delayMs: 30 });
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), 500);
    try {
      const response = await ask(shape, { stream });
      const head = `${response.status} ${response.headers.get("content-type")} `;
      let text = "";
      const decoder = new TextDecoder();
      try {
        for await (const chunk of response.body ?? []) {
          text += decoder.decode(chunk, { stream: true });
          if (fault === "stall-mid-stream" && text.length > 10) return `${head}${text} <stalled>`;
        }
        return head + text;
      } catch {
        return `${head}${text} <broken>`;
      }
    } catch {
      return "<refused>";
    } finally {
      clearTimeout(timer);
    }
  };

  it.each([
    ["empty-stream", /^200 text\/event-stream $/],
    ["empty-body", /^200 application\/json $/],
    ["error-in-200", /^200 application\/json .*failed inside/],
    ["error-in-stream", /^200 text\/event-stream .*failed at the start/s],
    ["error-mid-stream", /^200 text\/event-stream .*Hello.*failed in the middle/s],
    ["reset-mid-stream", /^200 text\/event-stream.*Hello.*<broken>$/s],
    ["reset-before-answer", /^<refused>$/],
    ["stall-mid-stream", /<stalled>$/],
    ["500", /^500 application\/json .*failed inside/],
    ["401", /^401 application\/json .*Incorrect API key/],
    ["html-502", /^502 text\/html <html>/],
    ["garbage", /^200 text\/event-stream.*not json/s],
    ["wrong-content-type", /^200 text\/plain.*Hello/s],
  ] as [FaultName, RegExp][])("%s spoils a stream", async (fault, expected) => {
    expect(await observe("openai", fault, true)).toMatch(expected);
    expect(await observe("anthropic", fault, true)).toMatch(expected);
  });

  it("leaves nothing but the end mark", async () => {
    expect(await observe("openai", "done-only-stream", true)).toMatch(/ data: \[DONE\]\n\n$/);
    expect(await observe("anthropic", "done-only-stream", true)).toMatch(/ event: message_stop\n/);
  });

  it("drops the end mark alone", async () => {
    const seen = await observe("openai", "stream-without-done", true);
    expect(seen).not.toContain("[DONE]");
    expect(seen).toContain('"finish_reason":"stop"');
  });

  it("moves or hides the usage", async () => {
    const wanted = { stream: true, stream_options: { include_usage: true } };
    upstream.script({ fault: "no-usage" });
    expect((await readEvents(await ask("openai", wanted))).join()).not.toContain("prompt_tokens");
    upstream.script({ fault: "usage-in-every-chunk" });
    const every = (await readEvents(await ask("openai", wanted)))
      .slice(0, -1)
      .map((data) => JSON.parse(data));
    expect(every.every((chunk) => chunk.usage.prompt_tokens === 13)).toBe(true);
    expect(every.at(-1).usage.completion_tokens).toBe(5);
    upstream.script({ fault: "usage-with-last-choice" });
    const last = JSON.parse((await readEvents(await ask("openai", wanted))).at(-2)!);
    expect(last).toMatchObject({ choices: [{ finish_reason: "stop" }], usage: { completion_tokens: 5 } });
  });

  it("sends an event of more than a megabyte", async () => {
    expect((await observe("openai", "huge-event", true)).length).toBeGreaterThan(1_048_576);
  });

  it("sends the same bytes in pieces of one", async () => {
    const seen = await observe("anthropic", "split-everywhere", true);
    expect(seen).toContain("你好");
    expect(seen).not.toContain("\uFFFD");
  });

  it("refuses once, then answers", async () => {
    upstream.script({ fault: "429-then-ok" });
    const first = await ask("openai");
    expect([first.status, first.headers.get("retry-after")]).toEqual([429, "1"]);
    expect((await ask("openai")).status).toBe(200);
  });

  it("waits where it says so", async () => {
    for (const fault of ["slow", "slow-first-byte"] as const) {
      upstream.script({ fault, delayMs: 60 });
      const startedAt = performance.now();
      await (await ask("openai")).text();
      expect(performance.now() - startedAt).toBeGreaterThan(50);
    }
  });

  it("answers every fault it knows without failing itself", async () => {
    for (const fault of Object.keys(FAULTS) as FaultName[]) {
      expect(await observe("openai", fault, false)).not.toBe("");
    }
  });

  it("can be chosen by the model's name", async () => {
    expect((await ask("openai", { model: "fake-gpt--500" })).status).toBe(500);
  });

  it("fails by name for an unknown fault", async () => {
    expect(() => upstream.script({ fault: "no-such-fault" as FaultName })).toThrow(
      'knows no fault "no-such-fault"',
    );
    const other = await startFakeUpstream();
    await fetch(`${other.url}/v1/messages`, { method: "POST", body: '{"model":"a--nothing"}' });
    await expect(other.close()).rejects.toThrow('knows no fault "nothing"');
  });

  it("notices a client that leaves", async () => {
    upstream.script({ fault: "stall-mid-stream" });
    const leaving = new AbortController();
    const response = await fetch(upstream.url + PATHS.openai, {
      method: "POST",
      body: '{"model":"m","stream":true}',
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    leaving.abort();
    await expect.poll(() => upstream.requests[0]?.isAbandoned).toBe(true);
  });
});
