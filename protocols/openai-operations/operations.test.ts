import type { Operation, OperationInput } from "@tollgate/contract/relay/operation";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { describe, expect, it } from "vitest";
import { OPERATIONS_BY_ADDRESSING, UPSTREAM_OPERATIONS } from "../protocols";
import { OPENAI_UPSTREAM_OPERATIONS, OPERATIONS, type OpenaiOperation } from "./openai-operations";

const json = (fields: Record<string, unknown>): OperationInput => ({ fields, uploads: [] });
const form = (fields: Record<string, unknown>, field = "file", bytes = recordWav(2)): OperationInput => ({
  fields,
  uploads: [{ field, filename: "f", bytes }],
});

const operationOf = (name: OpenaiOperation): Operation => OPERATIONS[name];

const summarizeRequest = (name: OpenaiOperation, input: OperationInput, model = "m") =>
  operationOf(name).summarizeRequest(input, model);

const read = (name: OpenaiOperation, input: OperationInput, body: unknown, text = JSON.stringify(body)) =>
  operationOf(name).readAnswer({ body, text: text ?? "" }, input, summarizeRequest(name, input));

const inspectEvent = (name: OpenaiOperation, data: unknown) =>
  operationOf(name).events!.inspectEvent(typeof data === "string" ? data : JSON.stringify(data));

it("names every operation by its path", () => {
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    expect(operation.name).toBe(name);
    expect(OPENAI_UPSTREAM_OPERATIONS[operation.name]?.path("m")).toBe(`/v1/${name}`);
  }
});

it("upstreams do nothing that clients cannot ask for", () => {
  const tables = [UPSTREAM_OPERATIONS, ...Object.values(OPERATIONS_BY_ADDRESSING)];
  const named = tables
    .flatMap((table) => Object.values(table))
    .flatMap((operations) => Object.keys(operations));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !Object.hasOwn(OPERATIONS, name))).toEqual([]);
});

it("counts the instructions of a speech where its model reads them", () => {
  const input = json({ input: "a", voice: "v", instructions: "bcd" });
  const countOf = (model: string) => summarizeRequest("audio/speech", input, model).units?.count;
  expect([countOf("gpt-4o-mini-tts"), countOf("tts-1-hd")]).toEqual([4, 1]);
});

describe("the tokens held for an operation", () => {
  it.each([
    ["completions", json({ prompt: "a", max_tokens: 7, n: 2 }), 14],
    ["completions", json({ prompt: ["a", "b", "c"], max_tokens: 7, best_of: 4, n: 2 }), 84],
    ["completions", json({ prompt: [1, 2, 3], max_tokens: 7 }), 7],
    ["completions", json({ prompt: "a" }), undefined],
    ["embeddings", json({ input: "a" }), 0],
    ["moderations", json({ input: "a" }), 0],
  ] as const)("%s of %o: at most %s tokens written", (name, input, expected) => {
    expect(summarizeRequest(name, input).maxOutputTokens).toBe(expected);
  });

  it.each([
    ["a string", "one two", "one two", 0, 0],
    ["strings", ["one", "two"], "one\ntwo", 0, 0],
    ["token numbers", [1, 2, 3], "", 3, 0],
    ["lists of token numbers", [[1, 2], [3]], "", 3, 0],
    [
      "parts",
      [
        { type: "text", text: "one" },
        { type: "image_url", image_url: { url: "https://example.com/a.png" } },
      ],
      "one",
      0,
      1,
    ],
    ["pictures and texts", [{ text: "one" }, { image: "https://example.com/a.png" }], "one", 0, 1],
  ])("an input given as %s counts", (_, input, text, tokens, images) => {
    const expected = { text, tokens, images, messages: 0 };
    expect(summarizeRequest("embeddings", json({ input })).prompt).toMatchObject(expected);
    expect(summarizeRequest("moderations", json({ input })).prompt).toMatchObject(expected);
  });

  it("a reranker reads the query and the documents", () => {
    const input = json({ query: "q", documents: ["a", { text: "b" }] });
    expect(summarizeRequest("rerank", input).prompt.text).toBe("q\na\nb");
  });

  it.each([
    ["a header's seconds", recordWav(61), 61],
    ["a rough guess without one", Buffer.alloc(400_000, 1), 100],
  ])("a recording holds %s", (_, bytes, count) => {
    expect(summarizeRequest("audio/transcriptions", form({}, "file", bytes)).units).toEqual({
      kind: "seconds",
      count,
    });
  });

  it.each([
    [json({ prompt: "a", n: 3, size: "512x512", quality: "hd" }), "dall-e-2", 3, "512x512", "hd"],
    [json({ prompt: "a" }), "dall-e-3", 1, "1024x1024", ""],
    [json({ prompt: "a", n: null }), "other", 1, "", ""],
  ])("images %o of %s", (input, model, count, size, quality) => {
    const expected = { kind: "images", count, size, quality };
    expect(summarizeRequest("images/generations", input, model).units).toEqual(expected);
  });

  it.each([
    [{ batch_size: 4 }, 4],
    [{ n: 2, num_images: 3 }, 3],
    [{ n: 3, num_images: 2 }, 3],
    [{ num_outputs: "4" }, 4],
    [{ images_per_prompt: 4 }, 4],
    [{ num_images_per_prompt: 4 }, 4],
    [{ sequential_image_generation_options: { max_images: 4 } }, 4],
    [{ parameters: { sampleCount: 4 } }, 4],
    [{ extra_body: { parameters: { n: 4 } } }, 4],
    [{ n: 2, batch_size: null, num_images: "" }, 2],
  ])("images are as many as the largest number requested under any name: %j", (fields, count) => {
    const input = json({ prompt: "a", ...fields });
    expect(summarizeRequest("images/generations", input).units).toMatchObject({ count });
  });

  it("a form's number of images is a text", () => {
    const input = form({ prompt: "a", n: "4" }, "image[]");
    expect(summarizeRequest("images/edits", input, "dall-e-2").units).toMatchObject({ count: 4 });
  });
});

describe("the fields read from a request", () => {
  const WORDS = "many words ".repeat(100);

  it.each([
    [{ type: "text", text: WORDS }],
    [{ type: "story", story: WORDS }],
    [{ content: WORDS }],
    [{ title: "a", chapters: [{ body: WORDS }] }],
  ])("counts wherever it stands: %j", (part) => {
    for (const [name, fields] of [
      ["embeddings", { input: [part] }],
      ["moderations", { input: [part] }],
      ["rerank", { query: "q", documents: [part] }],
      ["completions", { prompt: [part] }],
    ] as const)
      expect(summarizeRequest(name, json(fields)).prompt.text, name).toContain(WORDS);
  });
});

describe("refused requests", () => {
  it.each([
    ["completions", json({ prompt: "" }), "prompt"],
    ["completions", json({ prompt: "a", max_tokens: -1 }), "max_tokens"],
    ["completions", json({ prompt: "a", n: 0 }), "n"],
    ["edits", json({ input: "a" }), "instruction"],
    ["embeddings", json({}), "input"],
    ["embeddings", json({ input: [] }), "input"],
    ["moderations", json({ input: null }), "input"],
    ["rerank", json({ documents: ["a"] }), "query"],
    ["rerank", json({ query: "a", documents: [] }), "documents"],
    ["rerank", json({ query: "a", documents: "b" }), "documents"],
    ["images/generations", json({}), "prompt"],
    ["images/generations", json({ prompt: "a", n: 1.5 }), "n"],
    ["images/generations", json({ prompt: "a", n: 11 }), "n"],
    ["images/generations", json({ prompt: "a", batch_size: 11 }), "batch_size"],
    ["images/generations", json({ prompt: "a", parameters: { sampleCount: -1 } }), "sampleCount"],
    ["images/edits", json({ prompt: "a" }), "image"],
    ["images/edits", form({ prompt: "a", n: "x" }, "image"), "n"],
    ["images/variations", form({}, "mask"), "image"],
    ["audio/speech", json({ voice: "alloy" }), "input"],
    ["audio/speech", json({ input: "a" }), "voice"],
    ["audio/speech", json({ input: "a", voice: "v", instructions: "x".repeat(4097) }), "instructions"],
    ["audio/transcriptions", form({ url: "https://example.com/long.wav" }), "url"],
    ["audio/translations", form({ file_id: "file-1" }), "file_id"],
    ["audio/speech", json({ input: 5, voice: "alloy" }), "input"],
    ["audio/transcriptions", json({}), "file"],
    ["audio/translations", form({}, "file", Buffer.alloc(0)), "file"],
  ] as const)("%s %o, by the field", (name, input, param) => {
    expect(() => summarizeRequest(name, input)).toThrow(
      expect.objectContaining({ name: "RequestInvalid", param }),
    );
  });
});

describe("an answer that counts", () => {
  const error = { error: { message: "no" } };
  it.each([
    ["completions", json({ prompt: "a" }), { choices: [{ text: "" }] }],
    ["edits", json({ instruction: "a" }), { choices: [] }],
    ["embeddings", json({ input: "a" }), { data: [] }],
    ["embeddings", json({ input: "a" }), { data: [{ embedding: [] }] }],
    ["moderations", json({ input: "a" }), { results: [] }],
    ["rerank", json({ query: "a", documents: ["b"] }), { results: [] }],
    ["images/generations", json({ prompt: "a" }), { data: [] }],
    ["images/generations", json({ prompt: "a" }), { data: [{ revised_prompt: "b" }] }],
    ["audio/transcriptions", form({}), { message: "hello" }],
    ["audio/speech", json({ input: "a", voice: "b" }), { ok: true }],
  ] as const)("%s: %o %o is none", (name, input, body) => {
    expect(read(name, input, body)).toBeUndefined();
    expect(read(name, input, error)).toBeUndefined();
    expect(read(name, input, undefined, "")).toBeUndefined();
    expect(read(name, input, undefined, "<html>")).toBeUndefined();
  });

  it.each([
    ["float", [0.1]],
    ["base64", "AAAA"],
    ["several kinds", { float: [0.1] }],
  ])("a vector as %s is one", (_, embedding) => {
    const body = { data: [{ embedding }], usage: { prompt_tokens: 3, total_tokens: 3 } };
    expect(read("embeddings", json({ input: "a" }), body)).toMatchObject({
      usage: { inputTokens: 3, outputTokens: 0 },
    });
  });

  it("a continuation that was cut before its first word is one", () => {
    const body = { choices: [{ text: "", finish_reason: "length" }] };
    expect(read("completions", json({ prompt: "a" }), body)).toBeDefined();
  });

  it("an empty transcript is one, in every format", () => {
    expect(read("audio/transcriptions", form({}), { text: "" })).toBeDefined();
    expect(read("audio/transcriptions", form({ response_format: "text" }), undefined, "\n")).toBeDefined();
  });
});

describe("the charge of an operation", () => {
  const images = json({ prompt: "a", n: 3, model: "dall-e-2" });
  const url = { url: "https://example.com/a.png" };

  it("is the images that came, at most those that were asked for", () => {
    expect(read("images/generations", images, { data: [url, url] })?.units).toMatchObject({ count: 2 });
    expect(read("images/generations", images, { data: [url, url, url, url] })?.units).toMatchObject({
      count: 3,
    });
    expect(read("images/generations", images, { data: [url, {}] })?.units).toMatchObject({ count: 1 });
  });

  it("is the images that came of a number requested under another name than n", () => {
    const batch = json({ prompt: "a", batch_size: 4, model: "Kwai-Kolors/Kolors" });
    const came = (count: number) => ({ images: new Array(count).fill(url) });
    expect(read("images/generations", batch, came(4))?.units).toMatchObject({ count: 4 });
    expect(read("images/generations", batch, came(1))?.units).toMatchObject({ count: 1 });
  });

  it.each([
    ["n, where its pictures are not recognized", { n: 2 }, 0, 2],
    ["the images that came, below n", { n: 4 }, 1, 1],
    ["n, where the client left", { n: 4 }, 1, 4, true],
    ["the images that came, beyond n", { batch_size: 4 }, 3, 3],
    ["one where the upstream does not know the name", { batch_size: 4 }, 1, 1],
    ["at most the requested number", { batch_size: 4 }, 5, 4],
  ])("is, of a stream without usage, %s", (_, fields, images, count, isInterrupted = false) => {
    const input = json({ prompt: "a", stream: true, ...fields });
    const stream = { usage: NO_USAGE, text: "", images, isInterrupted };
    const summary = summarizeRequest("images/generations", input);
    const reading = OPERATIONS["images/generations"].events!.readStream(stream, input, summary);
    expect(reading).toMatchObject({ units: { count }, calls: count });
  });

  it("is never by tokens for dall-e, whatever a relay says", () => {
    const body = { data: [url], usage: { input_tokens: 1, output_tokens: 1 } };
    expect(read("images/generations", images, body)?.units).toBeDefined();
    expect(read("images/generations", json({ prompt: "a", model: "gpt-image-1" }), body)).toMatchObject({
      usage: { inputTokens: 1, outputTokens: 1 },
      units: undefined,
    });
  });

  it("is no dearer a picture than was asked for", () => {
    const body = { data: [{ b64_json: "AA" }], size: "1024x1536", quality: "high" };
    const asked = json({ prompt: "a", model: "gpt-image-1", size: "1024x1024", quality: "low" });
    expect(read("images/generations", asked, body)?.units).toMatchObject({
      size: "1024x1536",
      asked: { size: "1024x1024", quality: "low" },
    });
  });

  it("is the quality that the answer names", () => {
    const body = { data: [{ b64_json: "AA" }], size: "1024x1024", quality: "low" };
    expect(
      read("images/generations", json({ prompt: "a", model: "gpt-image-1" }), body)?.units,
    ).toMatchObject({
      size: "1024x1024",
      quality: "low",
    });
  });

  it.each([
    ["Jina's", { usage: { total_tokens: 7 } }, 7],
    ["SiliconFlow's", { tokens: { input_tokens: 7, output_tokens: 0 } }, 7],
    ["Cohere's tokens", { meta: { tokens: { input_tokens: 7 } } }, 7],
    ["nobody's", {}, undefined],
  ])("by a reranker is %s", (_, more, inputTokens) => {
    const body = { results: [{ index: 0, relevance_score: 1 }], ...more };
    const reading = read("rerank", json({ query: "a", documents: ["b"] }), body);
    expect(reading?.usage.inputTokens).toBe(inputTokens);
    expect(reading?.units).toBeUndefined();
  });

  it("by Cohere's reranker is its searches", () => {
    const units = (documents: unknown[], told: unknown) =>
      read("rerank", json({ query: "a", documents }), {
        results: [{ index: 0 }],
        meta: { billed_units: { search_units: told } },
      })?.units;
    const many = Array.from({ length: 150 }, () => "b");
    expect(units(many, 2)).toEqual({ kind: "searches", count: 2 });
    // A hundred documents, or pieces of 500 tokens of them, are one search: no upstream makes more of them.
    expect(units(many, 90_000_000)).toEqual({ kind: "searches", count: 2 });
    expect(units(["b"], 90_000_000)).toEqual({ kind: "searches", count: 1 });
    expect(units(["word ".repeat(20_000)], 3)).toEqual({ kind: "searches", count: 3 });
    for (const told of [-1, Number.NaN, 1e300, "7", 1.5]) expect(units(["b"], told)).toBeUndefined();
  });

  it.each([
    [
      "tokens that were told",
      { text: "a", usage: { type: "tokens", input_tokens: 3, output_tokens: 1 } },
      undefined,
    ],
    ["seconds that were told", { text: "a", usage: { type: "duration", seconds: 8.4 } }, 9],
    ["a verbose answer's duration", { text: "a", duration: 3.01 }, 4],
    ["a duration told as text", { text: "a", duration: "3.01" }, 4],
    ["the file's own length", { text: "a" }, 2],
    ["no longer than its bytes can hold, whatever is told", { text: "a", usage: { seconds: 1e300 } }, 60],
    ["no longer, told as text", { text: "a", duration: "1e300" }, 60],
    ["the file's own length where what is told is none", { text: "a", duration: -5 }, 2],
    ["no less than it takes to say its text, whatever the file says", { text: "word ".repeat(1200) }, 100],
  ])("for a recording is %s", (_, body, count) => {
    const units = read("audio/transcriptions", form({}), body)?.units;
    expect(units).toEqual(count === undefined ? undefined : { kind: "seconds", count });
  });
});

describe("a recording whose file does not tell its length", () => {
  const charge = (size: number, text: string) =>
    read("audio/transcriptions", form({}, "file", Buffer.alloc(size, "x")), { text })?.units;

  it("is charged by its size at 32 kbit/s where the text is shorter", () => {
    expect(charge(400_000, "short")).toEqual({ kind: "seconds", count: 100 });
  });

  it("is charged by the tokens of its text where they are more", () => {
    expect(charge(9, "one two three four")).toBeUndefined();
  });
});

describe("streams", () => {
  it("see the text, the usage and the end of completions", () => {
    expect(inspectEvent("completions", { choices: [{ text: "a", finish_reason: null }] })).toMatchObject({
      text: "a",
      isDelivery: true,
      isFinish: false,
    });
    expect(inspectEvent("completions", { choices: [{ text: "", finish_reason: "stop" }] })).toMatchObject({
      isDelivery: false,
      isFinish: true,
    });
    expect(
      inspectEvent("completions", { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
    ).toMatchObject({ isUsageOnly: true, usage: { inputTokens: 1, outputTokens: 2 } });
    expect(inspectEvent("completions", "[DONE]").isEnd).toBe(true);
  });

  it("see errors", () => {
    for (const name of [
      "completions",
      "images/generations",
      "audio/speech",
      "audio/transcriptions",
    ] as const) {
      expect(inspectEvent(name, { error: { message: "no" } }).error).toMatchObject({ message: "no" });
      expect(inspectEvent(name, { type: "error", error: { message: "no" } }).error).toBeDefined();
    }
  });

  it("count finished pictures, not previews", () => {
    const picture = { url: "https://example.com/a.png" };
    const imagesOf = (type: string, more = {}) =>
      inspectEvent("images/generations", { type: `image_generation.${type}`, ...more }).media?.images ?? 0;
    expect(imagesOf("partial_image", { b64_json: "A" })).toBe(0);
    expect(imagesOf("partial_succeeded", picture)).toBe(1);
    expect(imagesOf("completed", { b64_json: "A" })).toBe(1);
    expect(imagesOf("completed")).toBe(0);
  });

  it("see pictures, sound and transcripts", () => {
    expect(
      inspectEvent("images/generations", { type: "image_generation.partial_image", b64_json: "A" }),
    ).toMatchObject({ isDelivery: true, isFinish: false });
    expect(
      inspectEvent("images/generations", { type: "image_generation.completed", b64_json: "A" }),
    ).toMatchObject({
      isFinish: true,
    });
    expect(inspectEvent("audio/speech", { type: "speech.audio.delta", audio: "A" })).toMatchObject({
      isDelivery: true,
    });
    expect(inspectEvent("audio/transcriptions", { type: "transcript.text.delta", delta: "A" })).toMatchObject(
      {
        text: "A",
        isDelivery: true,
      },
    );
    expect(
      inspectEvent("audio/transcriptions", {
        type: "transcript.text.done",
        text: "A",
        usage: { input_tokens: 1, output_tokens: 2 },
      }),
    ).toMatchObject({ text: "", isEnd: true, usage: { inputTokens: 1, outputTokens: 2 } });
  });

  it("that the client leaves are charged by the delivered part", () => {
    const usage = {
      inputTokens: 9,
      outputTokens: 9,
      cacheReadTokens: undefined,
      cacheWriteTokens: undefined,
      reasoningTokens: undefined,
    };
    const left = { usage, text: "a", images: 0, isInterrupted: true };
    const picture = json({ prompt: "a", stream: true });
    expect(
      OPERATIONS["images/generations"].events!.readStream(
        left,
        picture,
        summarizeRequest("images/generations", picture),
      ).units,
    ).toMatchObject({ kind: "images", count: 1 });
  });

  it.each([true, false])(
    "of a transcript cost the recording that was heard (left early: %s)",
    (isInterrupted) => {
      const recording = form({ stream: "true" });
      const readStream = (usage: Usage) =>
        OPERATIONS["audio/transcriptions"].events!.readStream(
          { usage, text: "a", images: 0, isInterrupted },
          recording,
          summarizeRequest("audio/transcriptions", recording),
        );
      expect(readStream(NO_USAGE)).toMatchObject({ units: { kind: "seconds", count: 2 } });
      const unreadable = form({ stream: "true" }, "file", Buffer.alloc(160_000, "x"));
      expect(
        OPERATIONS["audio/transcriptions"].events!.readStream(
          { usage: NO_USAGE, text: "a", images: 0, isInterrupted },
          unreadable,
          summarizeRequest("audio/transcriptions", unreadable),
        ).units,
      ).toEqual({ kind: "seconds", count: 40 });
      const told = { ...NO_USAGE, inputTokens: 9 };
      expect(readStream(told)).toEqual({ usage: told, text: "a", units: undefined });
    },
  );
});
