import { NO_USAGE } from "@tollgate/contract/relay/usage";
import type { Price } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it, vi } from "vitest";
import { bodyBytes } from "../auth/body-bytes";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamRequest } from "../ports/transport";
import { entryOf } from "../testing/entry-of";
import { smallRelay } from "../testing/small-relay";
import type { ChatJob } from "./chat-body";
import { ChatTask } from "./chat-task";
import type { Counts } from "./settle";

const client = CLIENT_PROTOCOLS["openai-chat"];

const OPENAI = entryOf({ type: 1 });
const ANTHROPIC = entryOf({ type: 14 });

const PRICE = {} as Price;

/** What the task reads of the ports and of the job, and no more. */
const setUp = (bytes: number, parts: readonly object[] = []) => {
  const counted: string[] = [];
  const ports = {
    tokenCounter: {
      count: (_model: string, text: string, done: (tokens: number) => void) => {
        counted.push(text);
        done(1);
      },
    },
  } as unknown as RelayPorts;
  const content = "x".repeat(bytes);
  const body = {
    model: "m",
    max_tokens: 5,
    messages: [{ role: "user", content: parts.length === 0 ? content : [...parts, content] }],
  };
  const job = {
    client,
    rawBody: Buffer.from(JSON.stringify(body)),
    body,
    summary: client.summarizeRequest(body),
    key: { user: { id: 1 } },
  } as unknown as ChatJob;
  return { task: new ChatTask(ports, job), job, counted, content };
};

const textOf = async (call: UpstreamRequest | Promise<UpstreamRequest>): Promise<string> =>
  Buffer.from(bodyBytes((await call).body)).toString();

describe("S8: a large body that waits for its answer", () => {
  it("is kept as it came and not as the tree of it", () => {
    const { task, job } = setUp(100_000);
    task.buildCall(OPENAI, "m", PRICE);
    expect(job.body).toBeUndefined();
    expect(job.rawBody.byteLength).toBeGreaterThan(100_000);
  });

  it("is read again for another try, in another protocol too, and for counting", async () => {
    const { task, counted, content } = setUp(100_000);
    const first = await textOf(task.buildCall(OPENAI, "m", PRICE));
    expect(await textOf(task.buildCall(OPENAI, "m", PRICE))).toBe(first);
    expect(await textOf(task.buildCall(ANTHROPIC, "m", PRICE))).toContain(content);
    expect(await textOf(task.buildCall(OPENAI, "mapped", PRICE))).toContain('"model":"mapped"');
    const stream = { usage: {}, delivered: () => ({ text: "hi", images: 0, files: 0, estimatedTokens: 0 }) };
    task.countStream(stream as unknown as Parameters<ChatTask["countStream"]>[0], "m", false, () => {});
    expect(counted[0]).toContain(content);
  });

  it("is counted with its files after it was forgotten, by their size", () => {
    const file = { file: { file_data: `data:application/pdf;base64,${"A".repeat(4_000_000)}` } };
    for (const bytes of [1000, 3_000_000]) {
      const { task } = setUp(bytes, [file]);
      void task.buildCall(OPENAI, "m", PRICE);
      const stream = {
        usage: {},
        delivered: () => ({ text: "hi", images: 0, files: 0, estimatedTokens: 0 }),
      };
      let told: Counts | undefined;
      task.countStream(stream as unknown as Parameters<ChatTask["countStream"]>[0], "m", false, (counts) => {
        told = counts;
      });
      expect(Math.round((told?.promptTokens ?? 0) / 1000)).toBe(
        Math.round((60_000 + (bytes > 2_000_000 ? bytes * 0.38 : 0)) / 1000),
      );
      expect(task.isReportedAtEnd(OPENAI, "m", NO_USAGE)).toBe(true);
    }
  });

  it("of many megabytes is written and read again in steps, and its prompt is estimated as it is counted", async () => {
    const { task, job, counted } = setUp(6_000_000);
    for (const [channel, model] of [
      [ANTHROPIC, "m"],
      [OPENAI, "mapped"],
    ] as const) {
      const small = setUp(100_000);
      const expected = await textOf(small.task.buildCall(channel, model, PRICE));
      const call = task.buildCall(channel, model, PRICE);
      expect(call).toBeInstanceOf(Promise);
      const without = (text: string): string => text.replaceAll("x".repeat(1000), "");
      expect(without(await textOf(call))).toBe(without(expected));
      expect(((await call).body as unknown[]).length).toBeGreaterThan(4);
      expect(job.body).toBeUndefined();
      const reading = task.readAgain();
      expect(reading).toBeInstanceOf(Promise);
      await reading;
      expect(job.body).toEqual(JSON.parse(Buffer.from(job.rawBody).toString()));
      expect(task.readAgain()).toBeUndefined();
    }
    task.buildCall(OPENAI, "m", PRICE);
    const parse = vi.spyOn(JSON, "parse");
    const stream = { usage: {}, delivered: () => ({ text: "hi", images: 0, files: 0, estimatedTokens: 0 }) };
    let told: Counts | undefined;
    task.countStream(stream as unknown as Parameters<ChatTask["countStream"]>[0], "m", false, (counts) => {
      told = counts;
    });
    expect(told?.promptTokens).toBeGreaterThan(1_000_000);
    expect(counted[0]).toBe("");
    expect(task.isReportedAtEnd(OPENAI, "m", NO_USAGE)).toBe(false);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it("stays parsed where it is small: reading it twice would cost more than it holds", () => {
    const { task, job } = setUp(100);
    task.buildCall(OPENAI, "m", PRICE);
    expect(job.body).toBeDefined();
  });
});

describe("C4: the seals in a conversation that goes to a channel of the client's own protocol", () => {
  const messages = CLIENT_PROTOCOLS["anthropic-messages"];
  const send = async (signature: string, channel = ANTHROPIC): Promise<{ sent: string; own: string }> => {
    const body = {
      model: "claude-sonnet-4-5",
      max_tokens: 5,
      messages: [
        { role: "user", content: "a" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hmm", signature },
            { type: "text", text: "b" },
          ],
        },
        { role: "user", content: "c" },
      ],
    };
    const own = JSON.stringify(body);
    const job = {
      client: messages,
      rawBody: Buffer.from(own),
      body,
      summary: messages.summarizeRequest(body),
      key: { user: { id: 1 } },
    } as unknown as ChatJob;
    const task = new ChatTask({} as RelayPorts, job);
    return { sent: await textOf(task.buildCall(channel, body.model, PRICE)), own };
  };

  it.each(["openai.x", "gemini.x", ""])(
    "do not reach Anthropic if another vendor made %j",
    async (signature) => {
      const { sent } = await send(signature);
      expect(sent).not.toContain("thinking");
      expect(JSON.parse(sent)).toMatchObject({
        messages: [{ role: "user" }, { role: "assistant", content: [{ text: "b" }] }, { role: "user" }],
      });
    },
  );

  it("leave the client's bytes as they are if they are Anthropic's own", async () => {
    const { sent, own } = await send("EqQBCgIYAhIM");
    expect(sent).toBe(own);
  });

  it("stay if the channel passes bodies unchanged", async () => {
    const passing = entryOf({ type: 14 }, { key: "k", requestChanges: { passBody: true } });
    const { sent, own } = await send("openai.x", passing);
    expect(sent).toBe(own);
  });
});

describe("C21: the beginning of a Messages stream from another protocol", () => {
  const WORDS = "word ".repeat(1200);
  const MODEL = "gpt-4o";
  const RATIOS = parseRatioTable(`{"${MODEL}":1}`)!;
  const run = (tokens: number | undefined, words = WORDS) => {
    const asked: string[] = [];
    const world = smallRelay({
      channels: [entryOf({ id: 1, models: [MODEL] })],
      prices: { modelRatios: RATIOS, completionRatios: RATIOS },
      ports: {
        tokenCounter: {
          count(_model, text, done) {
            asked.push(text);
            if (tokens !== undefined) done(tokens);
          },
        },
      },
    });
    const body = {
      model: MODEL,
      stream: true,
      max_tokens: 100,
      system: "Answer briefly.",
      tools: [{ name: "look_up", description: "Looks a word up.", input_schema: { type: "object" } }],
      messages: [{ role: "user", content: words }],
    };
    const response = world.chat(CLIENT_PROTOCOLS["anthropic-messages"], body);
    const { receiver } = world.sent[0]!;
    receiver.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
    const chunk = {
      id: "c",
      model: MODEL,
      choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null }],
    };
    receiver.onData(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`));
    const { message } = JSON.parse(/^data: (.*)$/m.exec(response.text)?.[1] ?? "{}") as {
      message: { usage: { input_tokens: number } };
    };
    return { input: message.usage.input_tokens, asked };
  };

  it("tells the counted tokens of the whole prompt", () => {
    const { input, asked } = run(1230);
    // The message and the priming cost 3 each.
    expect(input).toBe(1236);
    expect(asked[0]).toContain("Answer briefly.");
    expect(asked[0]).toContain("look_up");
  });

  it("tells an estimate where the count is not there yet, or the prompt is very long", () => {
    expect(run(undefined).input).toBeGreaterThan(1200);
    const long = run(1, "word ".repeat(100_000));
    expect(long.input).toBeGreaterThan(100_000);
    expect(long.asked).toEqual([]);
  });
});
