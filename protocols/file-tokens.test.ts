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

describe("what a file may count as at worst (M2)", () => {
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
