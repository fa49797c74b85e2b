import type { AnswerStamp, StreamDecoder } from "@tollgate/contract/relay/protocol";
import { AnswerUnreadable, type UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it, vi } from "vitest";
import { finishWork } from "../testing/finish-work";
import { MAX_EVENT_BYTES, MAX_TRANSLATED_EVENT_BYTES } from "./answer-stream";
import { TranslateStream } from "./translate-stream";

const STAMP: AnswerStamp = {
  id: "a",
  createdAt: 0,
  model: "m",
  requestId: "r",
  promptTokens: 7,
  request: {},
};

const translate = (upstream: "openai-chat" | "gemini-generate"): TranslateStream =>
  new TranslateStream(UPSTREAM_PROTOCOLS[upstream].createStreamReader(), (write) =>
    CLIENT_PROTOCOLS["openai-responses"].createStreamWriter(STAMP, true, write),
  );

const delta = (fields: object): string =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: fields }] })}\n\n`;

const pour = (stream: TranslateStream, text: string, most: number): void => {
  const chunk = Buffer.from(text);
  for (let poured = 0; poured < most && !stream.error; poured += chunk.length)
    finishWork(stream, stream.push(chunk));
};

describe("an upstream that never stops, translated (S14)", () => {
  const MEGA = "x".repeat(1024 * 1024);
  const call = { index: 0, id: "t", function: { name: "f", arguments: "" } };

  it.each(
    someOf<[string, object, object]>([
      ["text", { content: "" }, { content: MEGA }],
      ["reasoning", { reasoning_content: "a" }, { reasoning_content: MEGA }],
      ["arguments", { tool_calls: [call] }, { tool_calls: [{ index: 0, function: { arguments: MEGA } }] }],
      [
        "arguments without a name",
        { content: "word" },
        { tool_calls: [{ index: 0, function: { arguments: MEGA } }] },
      ],
    ]),
  )(
    "is disconnected when its %s outgrow every answer, and the delivered part can be charged",
    (_, first, more) => {
      const stream = translate("openai-chat");
      stream.push(Buffer.from(delta(first)));
      pour(stream, delta(more), 80 * MEGA.length);
      expect(stream.isGivenUp).toBe(true);
      expect(stream.delivered().text.length).toBeLessThan(3 * MEGA.length);
    },
  );

  it("is given up when it sends calls without end", () => {
    const stream = translate("openai-chat");
    stream.push(Buffer.from(delta({ content: "word" })));
    const call = (index: number) => ({ index, id: `t${index}`, function: { arguments: "" } });
    for (let index = 0; index < 20_000 && !stream.error; index += 1)
      stream.push(Buffer.from(delta({ tool_calls: [call(index)] })));
    expect(stream.isGivenUp).toBe(true);
  });

  it("is given up when it sends parts without end", () => {
    const stream = translate("gemini-generate");
    const part = { functionCall: { name: "f", args: {} } };
    const parts = Array.from({ length: 1000 }, () => part);
    for (let round = 0; round < 20 && !stream.error; round += 1)
      stream.push(Buffer.from(`data: ${JSON.stringify({ candidates: [{ content: { parts } }] })}\n\n`));
    expect(stream.isGivenUp).toBe(true);
  });

  it("is given up when it sends comments and no answer", () => {
    const stream = translate("openai-chat");
    pour(stream, `:${MEGA}\n`, 2 * MAX_EVENT_BYTES);
    expect(stream.hasDelivered).toBe(false);
    expect(stream.error).toBeDefined();
  });
});

describe("a large event, translated (M4)", () => {
  it("is one picture, and its stream is metered to its end", () => {
    const data = "iVBORw0K".repeat(2 * 1024 * 1024);
    const part = { inlineData: { mimeType: "image/png", data } };
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 1290 };
    const stream = translate("gemini-generate");
    const candidate = { content: { parts: [part] }, finishReason: "STOP" };
    const bytes = Buffer.from(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`);
    for (let from = 0; from < bytes.length; from += 64 * 1024)
      finishWork(stream, stream.push(bytes.subarray(from, from + 64 * 1024)));
    finishWork(stream, stream.end());
    expect(stream.error).toBeUndefined();
    expect(stream.usage).toMatchObject({ inputTokens: 5, outputTokens: 1290 });
    expect(stream.delivered()).toMatchObject({ images: 1 });
    expect(stream.delivered().text.length).toBeLessThan(100);
  });

  it("that is larger than any picture is not read: only the part before it is charged", () => {
    const stream = translate("openai-chat");
    stream.push(Buffer.from(delta({ content: "word" })));
    const parse = vi.spyOn(JSON, "parse");
    try {
      pour(stream, 'data: {"choices":[', 1);
      pour(stream, "0,".repeat(512 * 1024), 2 * MAX_TRANSLATED_EVENT_BYTES);
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
    expect(stream.error?.fault).toEqual({ code: "event-too-large", maxBytes: MAX_TRANSLATED_EVENT_BYTES });
    expect(stream.isGivenUp).toBe(true);
    expect(stream.delivered().text).toBe("word");
  });
});

describe("a stream whose decoder fails behind delivered text", () => {
  const failWith = (fault: UpstreamFault): TranslateStream => {
    const data = JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: "word" } }] });
    let pushes = 0;
    const decoder: StreamDecoder = {
      push: () => {
        pushes += 1;
        if (pushes > 1) throw new AnswerUnreadable(fault);
        return [{ event: "", data }];
      },
      end: () => [],
    };
    const stream = new TranslateStream(
      UPSTREAM_PROTOCOLS["openai-chat"].createStreamReader(),
      (write) => CLIENT_PROTOCOLS["openai-responses"].createStreamWriter(STAMP, true, write),
      decoder,
    );
    stream.push(Buffer.from("first"));
    stream.push(Buffer.from("second"));
    expect(stream.hasDelivered).toBe(true);
    expect(stream.error?.fault).toEqual(fault);
    return stream;
  };

  it("breaks off when the upstream damaged it: the delivered part is free", () => {
    expect(failWith({ code: "event-damaged" }).isGivenUp).toBe(false);
  });

  it("is given up when an event is too large: the delivered part is charged", () => {
    expect(failWith({ code: "event-too-large", maxBytes: 1 }).isGivenUp).toBe(true);
  });
});
