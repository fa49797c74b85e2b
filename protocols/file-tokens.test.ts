import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS } from "./protocols";

const BYTES = "A".repeat(800_000);

/** A chat of one message with these parts, as each protocol writes it. */
const bodyOf: Record<ClientProtocolName, (part: object) => object> = {
  "openai-chat": (part) => ({ messages: [{ content: [part] }] }),
  "anthropic-messages": (part) => ({ messages: [{ content: [{ type: "tool_result", content: [part] }] }] }),
  "openai-responses": (part) => ({ input: [{ type: "function_call_output", output: [part] }] }),
  "gemini-generate": (part) => ({ contents: [{ parts: [part] }] }),
};

describe("the largest possible count of a file (M2)", () => {
  it.each<[ClientProtocolName, object, { images: number; files: number; fileTokens: number }]>([
    [
      "openai-chat",
      { type: "file", file: { file_data: BYTES } },
      { images: 1, files: 1, fileTokens: 600_000 },
    ],
    [
      "openai-chat",
      { type: "file", file: { file_data: "data:application/pdf;base64,AAAA" } },
      { images: 1, files: 1, fileTokens: 300_000 },
    ],
    ["openai-chat", { type: "file", file: { file_id: "f" } }, { images: 1, files: 1, fileTokens: 1_000_000 }],
    [
      "openai-chat",
      { type: "input_audio", input_audio: { data: BYTES } },
      { images: 1, files: 1, fileTokens: 600_000 },
    ],
    [
      "openai-chat",
      { type: "image_url", image_url: { url: "https://x.test/a" } },
      { images: 1, files: 0, fileTokens: 0 },
    ],
    [
      "openai-chat",
      { type: "image_url", image_url: `data:image/png;base64,${BYTES}` },
      { images: 1, files: 0, fileTokens: 0 },
    ],
    [
      "openai-chat",
      { type: "image_url", image_url: { url: "data:application/pdf;base64,AAAA" } },
      { images: 1, files: 1, fileTokens: 300_000 },
    ],
    [
      "openai-chat",
      { type: "video_url", video_url: { url: "https://x.test/a" } },
      { images: 1, files: 1, fileTokens: 1_000_000 },
    ],
    [
      "anthropic-messages",
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: BYTES } },
      { images: 1, files: 1, fileTokens: 600_000 },
    ],
    [
      "anthropic-messages",
      { type: "document", source: { type: "url", url: "https://x.test/a" } },
      { images: 1, files: 1, fileTokens: 1_000_000 },
    ],
    [
      "anthropic-messages",
      { type: "document", source: { type: "text", data: "hi" } },
      { images: 0, files: 0, fileTokens: 0 },
    ],
    [
      "anthropic-messages",
      {
        type: "document",
        source: { type: "content", content: [{ type: "image" }, { type: "text", text: "hi" }] },
      },
      { images: 1, files: 0, fileTokens: 0 },
    ],
    [
      "anthropic-messages",
      { type: "image", source: { type: "base64", data: BYTES } },
      { images: 1, files: 0, fileTokens: 0 },
    ],
    [
      "openai-responses",
      { type: "input_file", file_data: BYTES },
      { images: 1, files: 1, fileTokens: 600_000 },
    ],
    [
      "openai-responses",
      { type: "input_file", file_url: "https://x.test/a" },
      { images: 1, files: 1, fileTokens: 1_000_000 },
    ],
    [
      "openai-responses",
      { type: "input_image", image_url: "https://x.test/a" },
      { images: 1, files: 0, fileTokens: 0 },
    ],
    [
      "gemini-generate",
      { inlineData: { mimeType: "video/mp4", data: BYTES } },
      { images: 1, files: 1, fileTokens: 600_000 },
    ],
    [
      "gemini-generate",
      { inline_data: { mime_type: "text/plain", data: "AAAA" } },
      { images: 1, files: 1, fileTokens: 1000 },
    ],
    [
      "gemini-generate",
      { fileData: { fileUri: "gs://x", mimeType: "video/mp4" } },
      { images: 1, files: 1, fileTokens: 1_000_000 },
    ],
    [
      "gemini-generate",
      { inlineData: { mimeType: "image/png", data: BYTES } },
      { images: 1, files: 0, fileTokens: 0 },
    ],
  ])("in %s: %j", (name, part, expected) => {
    const { images, files, fileTokens } = CLIENT_PROTOCOLS[name].promptText(bodyOf[name](part));
    expect({ images, files, fileTokens }).toEqual(expected);
  });
});

const ofBytes = (bytes: number): string => "A".repeat((bytes * 4) / 3);

describe("the count of a file whose tokens the upstream does not report", () => {
  const MEGABYTES = 30_000_000;

  it.each<[ClientProtocolName, string, object, number]>([
    [
      "openai-chat",
      "a PDF",
      { file: { file_data: `data:application/pdf;base64,${ofBytes(MEGABYTES)}` } },
      600_000,
    ],
    ["openai-chat", "a small file", { file: { file_data: "AAAA" } }, 1000],
    ["openai-chat", "a named file", { type: "file", file: { file_id: "f" } }, 1000],
    ["openai-chat", "packed sound", { input_audio: { data: ofBytes(MEGABYTES), format: "mp3" } }, 46_875],
    ["openai-chat", "plain sound", { input_audio: { data: ofBytes(MEGABYTES), format: "wav" } }, 15_625],
    ["openai-chat", "a video", { video_url: { url: `data:video/mp4;base64,${ofBytes(MEGABYTES)}` } }, 31_579],
    ["openai-responses", "a file", { type: "input_file", file_data: ofBytes(MEGABYTES) }, 600_000],
    [
      "anthropic-messages",
      "a PDF",
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: ofBytes(MEGABYTES) },
      },
      600_000,
    ],
    ["gemini-generate", "a text", { inlineData: { mimeType: "text/csv", data: ofBytes(300_000) } }, 75_000],
    [
      "gemini-generate",
      "a video",
      { inlineData: { mimeType: "video/mp4", data: ofBytes(MEGABYTES) } },
      31_579,
    ],
    [
      "gemini-generate",
      "more than fits any context",
      { inlineData: { data: ofBytes(90_000_000) } },
      1_000_000,
    ],
  ])("in %s: %s", (name, _, part, expected) => {
    const prompt = CLIENT_PROTOCOLS[name].promptText(bodyOf[name](part));
    // Data URIs are some bytes longer than what they hold.
    expect(Math.round(prompt.likelyFileTokens / 10)).toBe(Math.round(expected / 10));
    expect(prompt.fileTokens).toBeGreaterThanOrEqual(prompt.likelyFileTokens);
  });
});

describe("content in fields that the protocol does not know", () => {
  const WORDS = "a long story of many words ".repeat(100);

  it.each<[ClientProtocolName, object]>([
    ["openai-chat", { type: "story", story: WORDS }],
    ["openai-chat", { type: "text", text: "", story: { chapters: [WORDS] } }],
    ["anthropic-messages", { type: "mcp_tool_result", content: [{ type: "text", text: WORDS }] }],
    ["anthropic-messages", { type: "server_tool_use", name: "web_search", input: { query: WORDS } }],
    ["anthropic-messages", { type: "document", title: WORDS, source: { type: "text", data: "a" } }],
    ["openai-responses", { type: "story", story: WORDS }],
    ["gemini-generate", { executableCode: { code: WORDS } }],
    ["gemini-generate", { code_execution_result: { output: WORDS } }],
    ["gemini-generate", { functionResponse: { name: "f", parts: [{ text: WORDS }] } }],
  ])("in a part of %s is part of the prompt: %j", (name, part) => {
    expect(CLIENT_PROTOCOLS[name].promptText(bodyOf[name](part)).text).toContain(WORDS);
  });

  it.each<[ClientProtocolName, object]>([
    ["openai-chat", { messages: [{ role: "user", content: [WORDS] }] }],
    ["openai-chat", { messages: [{ role: "user", content: { type: "text", text: WORDS } }] }],
    ["openai-chat", { messages: [{ role: "assistant", thoughts: WORDS }] }],
    ["openai-chat", { messages: [{ tool_calls: [{ function: { name: "f", arguments: { a: WORDS } } }] }] }],
    ["openai-chat", { messages: [], documents: [{ title: WORDS }] }],
    ["openai-chat", { messages: [], extra_body: { documents: [WORDS] } }],
    ["anthropic-messages", { messages: [{ role: "user", story: WORDS }] }],
    ["anthropic-messages", { messages: [{ content: [WORDS] }], system: "a" }],
    ["anthropic-messages", { messages: [], system: { type: "text", text: WORDS } }],
    ["openai-responses", { input: [{ role: "user", content: [WORDS] }] }],
    ["anthropic-messages", { messages: [], story: WORDS }],
    ["openai-responses", { input: [{ type: "file_search_call", results: [{ text: WORDS }] }] }],
    ["openai-responses", { input: [{ type: "story", output: { text: WORDS } }] }],
    ["openai-responses", { input: "", prompt: { id: "p", variables: { story: WORDS } } }],
    ["gemini-generate", { contents: [{ role: "user", parts: [], story: WORDS }] }],
    ["gemini-generate", { contents: [], generationConfig: { responseSchema: { title: WORDS } } }],
  ])("in a request of %s is part of the prompt: %#", (name, body) => {
    expect(CLIENT_PROTOCOLS[name].promptText(body).text).toContain(WORDS);
  });

  it("counts as what it looks like", () => {
    const promptOf = (part: object) =>
      CLIENT_PROTOCOLS["openai-chat"].promptText(bodyOf["openai-chat"](part));
    const frame = "data:image/jpeg;base64,AAAA";
    expect(promptOf({ type: "video", video: [frame, frame] })).toMatchObject({
      images: 2,
      files: 0,
      text: "",
    });
    expect(promptOf({ type: "clip", clip: { url: "https://x.test/a.mp4" } })).toMatchObject({ files: 1 });
    expect(promptOf({ type: "clip", clip: { data: ofBytes(300_000) } })).toMatchObject({
      files: 1,
      likelyFileTokens: 6000,
      text: "",
    });
    const settings = {
      type: "text",
      text: "hi",
      cache_control: { type: "ephemeral", ttl: "1h" },
      id: "part_1",
    };
    expect(promptOf(settings)).toMatchObject({ text: "hi", images: 0 });
  });

  it("is not counted when it is sealed or a repetition", () => {
    const seal = "A".repeat(4096);
    const promptOf = (name: ClientProtocolName, body: object) => CLIENT_PROTOCOLS[name].promptText(body);
    const thought = { type: "thinking", thinking: "hm", signature: seal };
    const redacted = { type: "redacted_thinking", data: seal };
    expect(promptOf("anthropic-messages", { messages: [{ content: [thought, redacted] }] })).toMatchObject({
      text: "hm",
      images: 0,
    });
    expect(
      promptOf("openai-responses", { input: [{ type: "reasoning", encrypted_content: seal }] }),
    ).toMatchObject({ text: "", images: 0, tokens: 0 });
    const details = [{ type: "reasoning.text", text: "hm", signature: seal }];
    expect(
      promptOf("openai-chat", { messages: [{ reasoning: "hm", reasoning_details: details }] }),
    ).toMatchObject({ text: "hm", images: 0 });
    expect(promptOf("openai-chat", { messages: [{ reasoning_details: details }] })).toMatchObject({
      text: "hm",
      images: 0,
    });
  });

  it("counts a conversation that was made shorter, and pictures that were drawn", () => {
    const input = [
      { type: "compaction", encrypted_content: "A".repeat(1600) },
      { type: "image_generation_call", result: "A".repeat(4096) },
      {
        type: "computer_call_output",
        output: { type: "computer_screenshot", image_url: "https://x.test/a" },
      },
    ];
    expect(CLIENT_PROTOCOLS["openai-responses"].promptText({ input })).toMatchObject({
      tokens: 300,
      images: 2,
      files: 0,
    });
  });
});
