import { PromptText } from "@tollgate/contract/relay/prompt-text";
import type { AnswerStamp, ClientProtocolName } from "@tollgate/contract/relay/protocol";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import type { AnswerStream } from "./answer-stream";
import { countUsage } from "./count-usage";
import { DeliveredTally } from "./delivered-tally";
import { PassStream } from "./pass-stream";
import type { Counts } from "./settle";
import { TranslateStream } from "./translate-stream";

/* Whatever a client was given when it leaves is counted in its class: never free, never by its bytes (M5). */

const STAMP: AnswerStamp = {
  id: "a",
  createdAt: 0,
  model: "m",
  requestId: "r",
  promptTokens: 1,
  request: {},
};

/** One token per four characters, so that expectations can be worked out by hand. */
const counter = {
  count: (_model: string, text: string, done: (tokens: number) => void) => done(text.length / 4),
};

const countInterrupted = (stream: Pick<AnswerStream, "usage" | "delivered">): Counts => {
  let counts: Counts | undefined;
  countUsage(
    counter,
    {
      model: "m",
      userId: 1,
      usage: stream.usage,
      prompt: () => new PromptText([], 0, 0),
      delivered: () => stream.delivered(),
      isInterrupted: true,
    },
    (found) => {
      counts = found;
    },
  );
  if (!counts) throw new Error("nothing was counted");
  return counts;
};

const WORDS = "word ".repeat(400);
const WORD_TOKENS = 500;
const CODE = `{"a":"${"word ".repeat(400)}"}`;
/** 33 KB. */
const PICTURE = `iVBORw0KGgo${"AbCd".repeat(8250)}`;
const PICTURE_TOKENS = 1290;
/** Ten seconds of 16 bits at 24 kHz. */
const SOUND = "UklG".repeat(160_000);
const SOUND_TOKENS = 250;
const SEAL = "EqRk".repeat(1000);
const SEAL_TOKENS = 750;

/** An event of a stream: what it gives the client, in tokens, and whether a client of another shape gets it, too. */
type Sample = readonly [name: string, event: object, tokens: number, isTranslated?: boolean];

const chat = (delta: object) => ({ id: "c", choices: [{ index: 0, delta }] });
const gemini = (part: object) => ({
  responseId: "g",
  candidates: [{ content: { role: "model", parts: [part] } }],
});
const responses = (type: string, fields: object) => ({
  type: `response.${type}`,
  output_index: 0,
  ...fields,
});
const done = (item: object) => ({ type: "response.output_item.done", output_index: 9, item });
const block = (content_block: object) => ({ type: "content_block_start", index: 0, content_block });
const delta = (fields: object) => ({ type: "content_block_delta", index: 0, delta: fields });

const SAMPLES: Readonly<Record<ClientProtocolName, readonly Sample[]>> = {
  "openai-chat": [
    ["text", chat({ content: WORDS }), WORD_TOKENS, true],
    ["text in parts", chat({ content: [{ type: "text", text: WORDS }] }), WORD_TOKENS, true],
    ["reasoning", chat({ reasoning_content: WORDS }), WORD_TOKENS, true],
    ["reasoning under both names", chat({ reasoning: WORDS, reasoning_content: WORDS }), WORD_TOKENS, true],
    [
      "reasoning in parts",
      chat({ content: [{ type: "thinking", thinking: [{ text: WORDS }] }] }),
      WORD_TOKENS,
      true,
    ],
    [
      "details of reasoning",
      chat({ reasoning_details: [{ type: "reasoning.text", text: WORDS }] }),
      WORD_TOKENS,
    ],
    [
      "details beside reasoning",
      chat({ reasoning: WORDS, reasoning_details: [{ type: "reasoning.text", text: WORDS }] }),
      WORD_TOKENS,
    ],
    [
      "sealed details",
      chat({ reasoning_details: [{ type: "reasoning.encrypted", data: SEAL }] }),
      SEAL_TOKENS,
    ],
    ["a refusal", chat({ refusal: WORDS }), WORD_TOKENS, true],
    [
      "a call",
      chat({ tool_calls: [{ index: 0, id: "t", function: { name: "f", arguments: CODE } }] }),
      WORD_TOKENS,
      true,
    ],
    [
      "a call of a custom tool",
      chat({ tool_calls: [{ index: 1, id: "u", custom: { name: "f", input: WORDS } }] }),
      WORD_TOKENS,
    ],
    ["a call of the older form", chat({ function_call: { name: "f", arguments: CODE } }), WORD_TOKENS, true],
    ["sound", chat({ audio: { id: "s", data: SOUND } }), SOUND_TOKENS],
    ["a transcript", chat({ audio: { transcript: WORDS } }), WORD_TOKENS],
    [
      "pictures",
      chat({ images: [{ type: "image_url", image_url: { url: `data:image/png;base64,${PICTURE}` } }] }),
      PICTURE_TOKENS,
    ],
    [
      "a picture in parts",
      chat({ content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${PICTURE}` } }] }),
      PICTURE_TOKENS,
    ],
    [
      "a picture as its address in the text",
      chat({ content: `![](data:image/png;base64,${PICTURE})` }),
      PICTURE_TOKENS,
      true,
    ],
    ["what nobody knows yet", chat({ thing: { body: [WORDS] } }), WORD_TOKENS],
  ],
  "gemini-generate": [
    ["text", gemini({ text: WORDS }), WORD_TOKENS, true],
    ["a thought", gemini({ text: WORDS, thought: true }), WORD_TOKENS, true],
    ["a call", gemini({ functionCall: { name: "f", args: { a: WORDS } } }), WORD_TOKENS, true],
    ["a picture", gemini({ inlineData: { mimeType: "image/png", data: PICTURE } }), PICTURE_TOKENS, true],
    [
      "a picture in the other spelling",
      gemini({ inline_data: { mime_type: "image/png", data: PICTURE } }),
      PICTURE_TOKENS,
    ],
    [
      "sound",
      gemini({ inlineData: { mimeType: "audio/L16;codec=pcm;rate=24000", data: SOUND } }),
      SOUND_TOKENS,
    ],
    ["code", gemini({ executableCode: { language: "PYTHON", code: WORDS } }), WORD_TOKENS],
    [
      "what code said",
      gemini({ codeExecutionResult: { outcome: "OUTCOME_OK", output: WORDS } }),
      WORD_TOKENS,
    ],
    ["a seal", gemini({ text: "", thoughtSignature: SEAL }), SEAL_TOKENS, true],
    ["what nobody knows yet", gemini({ thing: { body: [WORDS] } }), WORD_TOKENS],
  ],
  "openai-responses": [
    ["text", responses("output_text.delta", { delta: WORDS }), WORD_TOKENS, true],
    ["a refusal", responses("refusal.delta", { delta: WORDS }), WORD_TOKENS, true],
    [
      "a summary",
      responses("reasoning_summary_text.delta", { output_index: 1, delta: WORDS }),
      WORD_TOKENS,
      true,
    ],
    ["reasoning", responses("reasoning_text.delta", { output_index: 2, delta: WORDS }), WORD_TOKENS, true],
    [
      "the begin of a call",
      responses("output_item.added", {
        output_index: 3,
        item: { type: "function_call", call_id: "t", name: "f" },
      }),
      0,
      true,
    ],
    [
      "arguments",
      responses("function_call_arguments.delta", { output_index: 3, delta: CODE }),
      WORD_TOKENS,
      true,
    ],
    ["input of a custom tool", responses("custom_tool_call_input.delta", { delta: WORDS }), WORD_TOKENS],
    ["code", responses("code_interpreter_call_code.delta", { delta: WORDS }), WORD_TOKENS],
    ["arguments for another server", responses("mcp_call_arguments.delta", { delta: CODE }), WORD_TOKENS],
    ["sound", responses("audio.delta", { delta: SOUND }), SOUND_TOKENS],
    ["a transcript", responses("audio.transcript.delta", { delta: WORDS }), WORD_TOKENS],
    [
      "a preview",
      responses("image_generation_call.partial_image", { partial_image_b64: PICTURE }),
      PICTURE_TOKENS,
    ],
    ["a picture", done({ type: "image_generation_call", id: "i", result: PICTURE }), PICTURE_TOKENS],
    ["a seal", done({ type: "reasoning", id: "s", summary: [], encrypted_content: SEAL }), SEAL_TOKENS, true],
    ["an item that came in pieces", done({ type: "custom_tool_call", id: "u", name: "f", input: WORDS }), 0],
    ["an item that nobody knows yet", done({ type: "thing", id: "t", body: WORDS }), WORD_TOKENS],
    ["pieces that nobody knows yet", responses("thing.delta", { delta: { body: WORDS } }), WORD_TOKENS],
  ],
  "anthropic-messages": [
    ["a text's begin", block({ type: "text", text: WORDS }), WORD_TOKENS, true],
    ["text", delta({ type: "text_delta", text: WORDS }), WORD_TOKENS, true],
    ["thinking's begin", block({ type: "thinking", thinking: WORDS }), WORD_TOKENS, true],
    ["thinking", delta({ type: "thinking_delta", thinking: WORDS }), WORD_TOKENS, true],
    ["a seal of thinking that was shown", delta({ type: "signature_delta", signature: SEAL }), 0],
    ["sealed thinking", block({ type: "redacted_thinking", data: SEAL }), SEAL_TOKENS],
    ["a call", block({ type: "tool_use", id: "t", name: "f", input: {} }), 0, true],
    ["arguments", delta({ type: "input_json_delta", partial_json: CODE }), WORD_TOKENS, true],
    [
      "a call with its arguments",
      block({ type: "tool_use", id: "u", name: "f", input: { a: WORDS } }),
      WORD_TOKENS,
    ],
    [
      "a call on the vendor's side",
      block({ type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      0,
    ],
    ["what it asks for", delta({ type: "input_json_delta", partial_json: CODE }), WORD_TOKENS],
    [
      "a citation, which is read and not written",
      delta({ type: "citations_delta", citation: { cited_text: WORDS } }),
      0,
    ],
    ["what was compacted", delta({ type: "compaction_delta", content: WORDS }), WORD_TOKENS],
    ["what nobody knows yet", delta({ type: "thing_delta", body: [WORDS] }), WORD_TOKENS],
  ],
};

const NAMES = Object.keys(SAMPLES) as ClientProtocolName[];

const bytesOf = (event: object): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

/** Names, ids and what stands around content. */
const TOLERANCE = 30;

/** Leaves after each event: what came until then is counted. */
const expectCounted = (create: () => AnswerStream, samples: readonly Sample[]): void => {
  for (let left = 0; left < samples.length; left += 1) {
    const stream = create();
    let tokens = 0;
    for (const [, event, worth] of samples.slice(0, left + 1)) {
      stream.push(bytesOf(event));
      tokens += worth;
    }
    const [name] = samples[left] ?? ["nothing"];
    expect(stream.error, name).toBeUndefined();
    const { completionTokens } = countInterrupted(stream);
    // Neighbours may share a seal, which is the same reasoning once more.
    expect(completionTokens, name).toBeGreaterThanOrEqual(tokens * 0.8 - TOLERANCE);
    expect(completionTokens, name).toBeLessThanOrEqual(tokens * 1.25 + TOLERANCE * (left + 1));
  }
};

describe("the delivered content of a client that leaves (M5)", () => {
  it.each(NAMES)("is counted by its class, each kind of %s by itself", (name) => {
    const { passThrough } = UPSTREAM_PROTOCOLS[name];
    for (const sample of SAMPLES[name]) {
      const isSealOfShown = sample[0].startsWith("a seal of thinking");
      // A seal alone gives a client nothing: something was said before.
      const [first] = SAMPLES[name];
      if (first && !isSealOfShown) expectCounted(() => new PassStream(passThrough!, true), [first, sample]);
    }
  });

  it.each(NAMES)("is counted after any event of a stream with every kind that %s knows", (name) => {
    const { passThrough } = UPSTREAM_PROTOCOLS[name];
    const seals = new Set(["a seal", "sealed details", "sealed thinking"]);
    const samples = SAMPLES[name].filter(([kind]) => !seals.has(kind));
    expectCounted(() => new PassStream(passThrough!, true), samples);
  });

  it.each(
    NAMES.flatMap((upstream) =>
      NAMES.filter((client) => client !== upstream).map((client) => [upstream, client] as const),
    ),
  )("is counted after any event when %s is translated for %s", (upstream, client) => {
    const samples = SAMPLES[upstream].filter(([kind, , , isTranslated]) => isTranslated && kind !== "a seal");
    const start = bytesOf({ type: "message_start", message: { id: "m", model: "m" } });
    expectCounted(() => {
      const stream = new TranslateStream(UPSTREAM_PROTOCOLS[upstream].createStreamReader(), (write) =>
        CLIENT_PROTOCOLS[client].createStreamWriter(STAMP, true, write),
      );
      if (upstream === "anthropic-messages") stream.push(start);
      return stream;
    }, samples);
  });

  it("is counted as words where a model spells out the address of a file, a few letters at a time", () => {
    const tally = new DeliveredTally();
    tally.add("data:image/png;base64,");
    for (let i = 0; i < 4000; i += 1) tally.add("words_and_");
    expect(tally.content()).toMatchObject({ images: 0, text: expect.stringMatching(/^data:.{40000}/) });
  });

  it("is one picture where its address comes whole or in large pieces", () => {
    const address = `data:image/png;base64,${PICTURE}`;
    for (const size of [address.length, 4096, 2048]) {
      const tally = new DeliveredTally();
      tally.add("Here: ");
      for (let at = 0; at < address.length; at += size) tally.add(address.slice(at, at + size));
      tally.add(") and that is all.");
      const { images, text } = tally.content();
      expect(images).toBe(1);
      expect(text.length).toBeLessThan(1100);
      expect(text).toContain("that is all");
    }
  });

  it("is told apart in texts of 30 MB, whatever an upstream puts into them", () => {
    const size = 30_000_000;
    const picture = `data:image/png;base64,${"AbCd".repeat(size / 4)}`;
    const tally = new DeliveredTally();
    tally.add(`Here: ${picture}`);
    tally.add("AbCd".repeat(1000));
    expect(tally.content()).toMatchObject({ images: 1, text: "Here: ", estimatedTokens: 0 });
    for (const filler of [";a", ";", ";base64,", "data:image/", "data:image/png;base64,"]) {
      const words = new DeliveredTally();
      words.add(`data:image/png${filler.repeat(size / filler.length)};base64,AbCd`);
      const { images, estimatedTokens } = words.content();
      expect(images).toBe(0);
      expect(estimatedTokens).toBeGreaterThan(size / 8);
    }
  });

  /** A kind that is missing here does not compile, and one that is not counted fails. */
  const PARTS: Readonly<Record<StreamPart["kind"], readonly [StreamPart, tokens: number]>> = {
    start: [{ kind: "start", id: "a", model: "m" }, 0],
    text: [{ kind: "text", index: 0, text: WORDS }, WORD_TOKENS],
    refusal: [{ kind: "refusal", index: 0, text: WORDS }, WORD_TOKENS],
    reasoning: [{ kind: "reasoning", index: 0, text: WORDS }, WORD_TOKENS],
    "reasoning-signature": [{ kind: "reasoning-signature", index: 0, signature: SEAL }, SEAL_TOKENS],
    "redacted-reasoning": [{ kind: "redacted-reasoning", index: 0, data: SEAL }, SEAL_TOKENS],
    "tool-call": [{ kind: "tool-call", index: 0, id: "t", name: "four" }, 1],
    "tool-arguments": [{ kind: "tool-arguments", index: 0, text: WORDS }, WORD_TOKENS],
    usage: [{ kind: "usage", usage: NO_USAGE }, 0],
    finish: [{ kind: "finish", reason: "stop" }, 0],
    error: [{ kind: "error", error: { kind: "unknown", status: 200, message: WORDS, code: "" } }, 0],
  };

  it.each(Object.keys(PARTS) as StreamPart["kind"][])("is counted in the canonical part %s", (kind) => {
    const [part, tokens] = PARTS[kind];
    const tally = new DeliveredTally();
    tally.addPart(part);
    expect(countInterrupted({ usage: NO_USAGE, delivered: () => tally.content() }).completionTokens).toBe(
      tokens,
    );
  });
});

describe("usage that the upstream reported until a client leaves (M5)", () => {
  const told = (usage: Partial<Usage>, text: string): Counts => {
    const tally = new DeliveredTally();
    tally.add(text);
    return countInterrupted({ usage: { ...NO_USAGE, ...usage }, delivered: () => tally.content() });
  };

  it("counts when it is more than the visible text, as with hidden reasoning", () => {
    expect(told({ inputTokens: 7, outputTokens: 1290 }, "word")).toMatchObject({
      promptTokens: 7,
      completionTokens: 1290,
      completionSource: "upstream",
    });
  });

  it("does not count where it is less, as at the begin of a stream", () => {
    expect(told({ inputTokens: 7, outputTokens: 1 }, WORDS)).toMatchObject({
      promptTokens: 7,
      completionTokens: WORD_TOKENS,
      completionSource: "counted",
    });
  });

  it("is kept from event to event", () => {
    const usage = (candidatesTokenCount: number, thoughtsTokenCount: number) => ({
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount, thoughtsTokenCount },
    });
    const stream = new PassStream(UPSTREAM_PROTOCOLS["gemini-generate"].passThrough!, true);
    stream.push(bytesOf({ ...gemini({ text: "word" }), ...usage(1, 4000) }));
    stream.push(bytesOf(gemini({ text: "word" })));
    expect(countInterrupted(stream)).toMatchObject({ promptTokens: 7, completionTokens: 4001 });
  });

  it("gives sound its own class", () => {
    const stream = new PassStream(UPSTREAM_PROTOCOLS["openai-chat"].passThrough!, true);
    stream.push(bytesOf(chat({ audio: { id: "s", data: SOUND } })));
    expect(countInterrupted(stream).usage).toMatchObject({ audioOutputTokens: SOUND_TOKENS });
  });
});
