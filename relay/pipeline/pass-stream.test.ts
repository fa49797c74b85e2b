import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createSseDecoder } from "@tollgate/protocols/shared/stream/sse-decoder";
import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { MAX_EVENT_BYTES, MAX_STREAM_BYTES } from "./answer-stream";
import { PassStream } from "./pass-stream";

const responses = UPSTREAM_PROTOCOLS["openai-responses"].passThrough!;
const gemini = UPSTREAM_PROTOCOLS["gemini-generate"].passThrough!;
const chat = UPSTREAM_PROTOCOLS["openai-chat"].passThrough!;

const anthropic = UPSTREAM_PROTOCOLS["anthropic-messages"].passThrough!;

const READ_BYTES = 32 * 1024;

const run = (stream: PassStream, bytes: Buffer, size = READ_BYTES) => {
  const out: Buffer[] = [];
  let mostWaiting = 0;
  let sent = 0;
  for (let from = 0; from < bytes.length && !stream.error && !stream.isEnded; from += size) {
    const piece = stream.push(bytes.subarray(from, Math.min(bytes.length, from + size)));
    if (piece) {
      out.push(piece);
      sent += piece.length;
    }
    mostWaiting = Math.max(mostWaiting, Math.min(bytes.length, from + size) - sent);
  }
  return { out: Buffer.concat(out), mostWaiting };
};

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

it.each([
  ["keeps a cached prompt that the end of the stream does not tell of", 100, 5000, 5100],
  ["corrects an estimated prompt of which nothing was cached", 5000, 0, 100],
])("%s, as the translation does", (_, atStart, cached, inputTokens) => {
  const lines = [
    {
      type: "message_start",
      message: { usage: { input_tokens: atStart, cache_read_input_tokens: cached } },
    },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { input_tokens: 100, output_tokens: 20 },
    },
  ];
  const stream = new PassStream(anthropic, true);
  run(stream, Buffer.from(lines.map(event).join("")));
  expect(stream.usage).toMatchObject({ inputTokens, cacheReadTokens: cached, outputTokens: 20 });
});

describe("an event that is too large to be held (M4)", () => {
  const PICTURE = "iVBORw0K".repeat(1024 * 1024);
  const USAGE = { input_tokens: 50, output_tokens: 4242, total_tokens: 4292 };
  const picture = (result: string) => ({ type: "image_generation_call", status: "completed", result });
  const completed = (pictures: number): string =>
    `event: response.completed\n${event({
      type: "response.completed",
      response: { id: "r", output: Array.from({ length: pictures }, () => picture(PICTURE)), usage: USAGE },
    })}`;
  const before = event({ type: "response.output_text.delta", delta: "three pictures" });

  it("ends a stream, is metered and passes byte for byte, while little of it is held", () => {
    const whole = Buffer.from(before + completed(3));
    expect(whole.length).toBeGreaterThan(24 * 1024 * 1024);
    for (const size of [READ_BYTES, 1_000_003]) {
      const stream = new PassStream(responses, true);
      const { out, mostWaiting } = run(stream, whole, size);
      expect(stream.error).toBeUndefined();
      expect(stream.isEnded).toBe(true);
      expect(stream.usage).toMatchObject({ inputTokens: 50, outputTokens: 4242 });
      const tail = stream.tail();
      expect(Buffer.concat([out, Buffer.from(tail)]).equals(whole)).toBe(true);
      // The client learns of an event at its line break, which waits for the charge.
      expect(out.subarray(before.length).includes("\n\n")).toBe(false);
      expect(mostWaiting).toBeLessThan(3 * 1024 * 1024);
    }
  });

  it("in the middle of a stream is one picture, not its bytes as text", () => {
    const stream = new PassStream(gemini, true);
    const part = { inlineData: { mimeType: "image/png", data: PICTURE } };
    const one = event({ candidates: [{ content: { parts: [{ text: "Look: " }, part] } }] });
    const { out } = run(stream, Buffer.from(one));
    expect(out.toString()).toBe(one);
    expect(stream.delivered()).toMatchObject({ text: "Look: ", images: 1 });
  });

  it("as an error is an error", () => {
    const stream = new PassStream(chat, true);
    const error = { error: { message: "no", type: "server_error", detail: "x".repeat(3_000_000) } };
    run(stream, Buffer.from(event({ choices: [{ index: 0, delta: { content: "a" } }] }) + event(error)));
    expect(stream.error).toMatchObject({ message: "no" });
    expect(stream.isGivenUp).toBe(false);
  });

  it("is disconnected when even its structure is too large, and the delivered part can be charged", () => {
    const stream = new PassStream(responses, true);
    run(stream, Buffer.from(`${before}data: [${'"word",'.repeat(3_000_000)}1]\n\n`));
    expect(stream.error).toBeDefined();
    expect(stream.isGivenUp).toBe(true);
    expect(stream.delivered().text).toBe("three pictures");
  });

  it("does not hide usage behind arguments that are nested deeply", () => {
    const stream = new PassStream(gemini, true);
    const args = "[".repeat(5000) + "]".repeat(5000);
    const usage = '"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":900}';
    const call = `{"functionCall":{"name":"f","args":{"a":${args}}}}`;
    run(stream, Buffer.from(`data: {"candidates":[{"content":{"parts":[${call}]}}],${usage}}\n\n`));
    expect(stream.usage).toMatchObject({ inputTokens: 7, outputTokens: 900 });
  });
});

describe("an upstream that never stops (S14)", () => {
  const KILO = "x".repeat(1023);

  const pour = (stream: PassStream, text: string, most: number): number => {
    const chunk = Buffer.from(text.repeat(1024));
    let poured = 0;
    for (; poured < most && !stream.error; poured += chunk.length) stream.push(chunk);
    return poured;
  };

  it("is given up when it sends comments and no answer", () => {
    for (const text of [`:${KILO}\n`, `event: ${KILO}\n`, `:${KILO}`]) {
      const stream = new PassStream(chat, true);
      expect(pour(stream, text, 2 * MAX_EVENT_BYTES)).toBeLessThan(MAX_EVENT_BYTES + 2 * 1024 * 1024);
      expect(stream.hasDelivered).toBe(false);
      expect(stream.error).toBeDefined();
    }
  });

  it("is given up when its answer outgrows every answer, and the delivered part can be charged", () => {
    const stream = new PassStream(chat, true);
    stream.push(Buffer.from(event({ choices: [{ index: 0, delta: { content: "word" } }] })));
    const chunk = Buffer.from(`:${"x".repeat(1024 * 1024)}\n`);
    for (let poured = 0; poured < MAX_STREAM_BYTES - chunk.length; poured += chunk.length) stream.push(chunk);
    expect(stream.error).toBeUndefined();
    stream.push(chunk);
    stream.push(chunk);
    expect(stream.isGivenUp).toBe(true);
    expect(stream.delivered().text).toBe("word");
  });

  it("leaves no more text in memory than is counted", () => {
    const stream = new PassStream(chat, true);
    const text = event({ choices: [{ index: 0, delta: { content: KILO } }] });
    pour(stream, text, 16 * 1024 * 1024);
    expect(stream.error).toBeUndefined();
    const { text: kept, estimatedTokens } = stream.delivered();
    expect(kept.length).toBeLessThan(2.1 * 1024 * 1024);
    expect(estimatedTokens).toBeGreaterThan(4_000_000);
  });
});

describe("lines of data that are no JSON (issue 11: no hold above 50 ms)", () => {
  const MEGA = 1024 * 1024;
  const end = event({ choices: [{ delta: { content: "b" }, finish_reason: "stop" }] });
  /** How often a parser fails, which takes it some microseconds. */
  const failuresOf = (text: string): { failures: number; stream: PassStream; out: Buffer } => {
    const { parse } = JSON;
    let failures = 0;
    JSON.parse = (given: string): unknown => {
      try {
        return parse(given);
      } catch (error) {
        failures += 1;
        throw error;
      }
    };
    const stream = new PassStream(chat, true);
    try {
      const { out } = run(stream, Buffer.from(event({ choices: [{ delta: { content: "a" } }] }) + text));
      return { failures, stream, out };
    } finally {
      JSON.parse = parse;
    }
  };

  it.each([
    ["nothing", "data:\n"],
    ["blanks", "data:  \n\n"],
    ["the beginning of an object, and its end on the next line", "data:{\ndata:}\n\n"],
  ])("pass without the parser: %s", (_, lines) => {
    const { failures, stream, out } = failuresOf(lines.repeat(MEGA / lines.length) + end);
    expect(stream.error).toBeUndefined();
    expect(out.length).toBeGreaterThan(0.7 * MEGA);
    expect(stream.delivered().text).toBe("ab");
    expect(failures).toBe(0);
  });

  it("pass where they are few", () => {
    const { stream } = failuresOf("data: working\n\n".repeat(900) + end);
    expect(stream.error).toBeUndefined();
    expect(stream.delivered().text).toBe("ab");
  });

  it.each([
    ["words", "data:x\n", "a", "answer-too-large"],
    ["halves of objects", "data:{\n\n", "a", "answer-too-large"],
    ["objects with something behind them", "data:{}}\n\n", "a", "answer-too-large"],
    // A read that cannot be joined completely is not delivered at all.
    ["events of several lines", "data:{}\ndata:}\n\n", "", "event-unreadable"],
  ])("are read no further where they are very many: %s", (_, lines, delivered, code) => {
    const { failures, stream } = failuresOf(lines.repeat(MEGA / lines.length) + end);
    expect(stream.isGivenUp).toBe(true);
    expect(stream.error?.fault?.code).toBe(code);
    expect(stream.delivered().text).toBe(delivered);
    expect(failures).toBeLessThan(2500);
  });
});

describe("a stream that is written in another way of the standard", () => {
  const first = { choices: [{ index: 0, delta: { content: "Good " } }] };
  const second = { choices: [{ index: 0, delta: { content: "morning" } }] };
  const usage = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 900 } };
  const plain = `${event(first)}: ping\n\n${event(second)}${event(usage)}data: [DONE]\n\n`;
  /** One line of data for each line of the JSON. */
  const inLines = (value: object): string => `${JSON.stringify(value, null, 1).replace(/^/gm, "data: ")}\n\n`;
  const lines = `${inLines(first)}: ping\n\n${inLines(second)}${inLines(usage)}data: [DONE]\n\n`;
  const spaced = plain.replaceAll('":', '" : ');

  const STREAMS: readonly (readonly [string, string])[] = [
    ["line feeds", plain],
    ["returns and line feeds", plain.replaceAll("\n", "\r\n")],
    ["returns alone", plain.replaceAll("\n", "\r")],
    [
      "all ends of lines in turn",
      ["\r\n\r", "\n\r", "\r\r", "\r\n\r\n"].reduce((text, ends) => text.replace("\n\n", ends), plain),
    ],
    ["a mark of the byte order", `\uFEFF${plain}`],
    ["no blank behind the colon", plain.replaceAll("data: ", "data:")],
    ["blanks around JSON's colons", spaced],
    ["several lines of data in an event", lines],
    ["several lines, and returns alone", `\uFEFF${lines.replaceAll("\n", "\r")}`],
    ["several lines, with others between them", lines.replaceAll("\ndata: ", "\nid: 5\n: x\ndata: ")],
    ["events without a blank line between them", plain.replaceAll("\n\n", "\n")],
  ];
  const CUTS = [1, 2, 3, 7, 64, 100_000];

  /** What a client reads, by the standard; one that reads each line by itself where there are no blank lines. */
  const readAll = (bytes: Uint8Array): string[] => {
    const decoder = createSseDecoder();
    return [...decoder.push(bytes), ...decoder.end()].flatMap(({ data }) =>
      data.includes("}\n{") ? data.split("\n") : [data],
    );
  };

  it.each(STREAMS)("(%s) is counted, metered and passed on wherever it is cut", (name, text) => {
    const bytes = Buffer.from(text);
    for (const wantsUsage of [true, false]) {
      for (const size of CUTS) {
        const stream = new PassStream(chat, wantsUsage);
        const { out } = run(stream, bytes, size);
        stream.end();
        expect(stream.error, `${size}`).toBeUndefined();
        expect(stream.usage, `${size}`).toMatchObject({ inputTokens: 7, outputTokens: 900 });
        expect(stream.delivered().text, `${size}`).toBe("Good morning");
        expect(stream.isEnded, `${size}`).toBe(true);
        // Nothing of the end goes out before the charge.
        expect(out.toString(), `${size}`).not.toContain("DONE");
        const read = readAll(Buffer.concat([out, stream.tail()]));
        const texts = read.filter((data) => data !== "[DONE]").map((data) => JSON.parse(data));
        expect(texts, `${name} ${size}`).toEqual(wantsUsage ? [first, second, usage] : [first, second]);
      }
    }
  });

  it("is counted as a client reads it, however its lines are written and cut (300 seeds)", () => {
    for (const seed of seeds(300)) {
      const random = createRandom(seed);
      const upTo = (n: number): number => Math.floor(random() * (n + 1));
      const pick = (items: readonly string[]): string => items[upTo(items.length - 1)]!;
      const end = (): string => pick(["\n", "\r\n", "\r"]);
      const other = (): string => pick(["", "", ": ping", "id: 7", "event: message", "data", "retry: 5"]);
      let text = pick(["", "\uFEFF"]);
      for (let left = 2 + upTo(8); left > 0; left -= 1) {
        const value = { choices: [{ index: 0, delta: { content: pick(["a", "data: b", "\r\n", "ü"]) } }] };
        const json = pick([JSON.stringify(value), JSON.stringify(value, null, 1)]);
        for (const line of json.split("\n")) {
          if (other() !== "") text += `${pick([": ping", "id: 7", "event: message", "retry: 5"])}${end()}`;
          text += `${pick(["data:", "data: "])}${line}${end()}`;
        }
        text += pick(["\n\n", "\r\n\r\n", "\r\r", "\n\r\n"]);
      }
      const bytes = Buffer.from(text);
      const said = (read: Uint8Array): string =>
        readAll(read)
          .map((data) => JSON.parse(data).choices[0].delta.content)
          .join("");
      const stream = new PassStream(chat, true);
      const out: Buffer[] = [];
      for (let from = 0; from < bytes.length; ) {
        const to = from + 1 + upTo(pick(["1", "40", "400"]).length * 60);
        const passed = stream.push(bytes.subarray(from, to));
        if (passed) out.push(passed);
        // Whatever a client has at this moment is counted, also where the blank line behind it is still to come.
        expect(stream.delivered().text, `seed ${seed}`).toBe(said(Buffer.concat(out)));
        from = to;
      }
      const rest = stream.end();
      if (rest) out.push(rest);
      expect(said(Buffer.concat(out)), `seed ${seed}`).toBe(said(bytes));
      expect(stream.delivered().text, `seed ${seed}`).toBe(said(bytes));
    }
  });

  it("passes unchanged where its events are of one line, whatever ends the lines", () => {
    for (const ends of ["\n", "\r\n"]) {
      const bytes = Buffer.from(plain.replaceAll("\n", ends));
      for (const size of CUTS) {
        const stream = new PassStream(chat, true);
        const { out } = run(stream, bytes, size);
        const passed = Buffer.concat([out, stream.tail()]).toString().trimEnd();
        expect(passed, `${size}`).toBe(bytes.toString().trimEnd());
      }
    }
  });

  it("is an error where several lines say so, and the client is not given them", () => {
    for (const size of CUTS) {
      const stream = new PassStream(chat, true);
      const { out } = run(stream, Buffer.from(inLines(first) + inLines({ error: { message: "no" } })), size);
      expect(stream.error).toMatchObject({ message: "no" });
      expect(readAll(out).map((data) => JSON.parse(data))).toEqual([first]);
    }
  });

  it("is given up where a large line is but a part of its event", () => {
    const stream = new PassStream(chat, true);
    const text = JSON.stringify("word ".repeat(1_000_000));
    run(
      stream,
      Buffer.from(
        `${event(first)}data: {"choices":[{"index":0,"delta":{"content":\ndata: ${text}\ndata: }}]}\n\n`,
      ),
    );
    expect(stream.isGivenUp).toBe(true);
    expect(stream.delivered().text).toBe("Good ");
  });

  it("is disconnected when such an event has no end, and the delivered part can be charged", () => {
    const stream = new PassStream(chat, true);
    stream.push(Buffer.from(event(first)));
    const workedMs = startCpuClock();
    const piece = Buffer.from('data: "a",\n'.repeat(10));
    for (let sent = 0; sent < 2 * 1024 * 1024 && !stream.error; sent += piece.length) stream.push(piece);
    expect(stream.isGivenUp).toBe(true);
    expect(stream.delivered().text).toBe("Good ");
    expect(workedMs()).toBeLessThan(2000);
  });
});
