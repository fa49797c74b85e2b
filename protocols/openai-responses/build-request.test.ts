import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AssistantPart, ChatRequest, Turn, UserPart } from "@tollgate/contract/relay/request";
import { describe, expect, it } from "vitest";
import { answers, asks, TEST_FIELDS } from "../shared/testing/request-parts";
import { buildWire } from "../shared/testing/simple-requests";
import { openaiResponses } from "./openai-responses";

const hi: UserPart = { kind: "text", text: "hi" };

const base: ChatRequest = {
  model: "gpt-4o",
  system: [],
  turns: [asks(hi)],
  tools: [],
  isStream: true,
  wantsUsageChunk: false,
};

const build = (fields: Partial<ChatRequest>) => buildWire(openaiResponses, { ...base, ...fields }).body;

const input = (...turns: Turn[]) => build({ turns }).input;
const call: AssistantPart = { kind: "tool-call", id: "c1", name: "f", arguments: '{"a":1}' };

/** A schema that OpenAI takes as a strict one. */
const CLOSED = { type: "object", properties: {}, additionalProperties: false };

describe("buildRequest of openai-responses", () => {
  it("says no more than it must", () => {
    expect(openaiResponses.buildRequest(base, TEST_FIELDS).path).toBe("/v1/responses");
    expect(build({ isStream: false })).toEqual({
      model: "gpt-4o",
      input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }],
      store: false,
    });
  });

  it("builds every field", () => {
    expect(
      build({
        system: [
          { kind: "text", text: "a" },
          { kind: "text", text: "b" },
        ],
        tools: [
          { name: "f", description: "d", parameters: { type: "object" } },
          { name: "g", parameters: CLOSED, isStrict: true },
        ],
        toolChoice: { kind: "tool", name: "f" },
        isParallelToolCallsAllowed: false,
        maxOutputTokens: 5,
        temperature: 0.5,
        topP: 0.9,
        topK: 5,
        stopSequences: ["x"],
        seed: 1,
        endUserId: "jo",
        responseFormat: { kind: "json-schema", name: "r", schema: CLOSED, isStrict: true },
      }),
    ).toEqual({
      model: "gpt-4o",
      instructions: "a\n\nb",
      input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }],
      tools: [
        { type: "function", name: "f", description: "d", parameters: { type: "object" }, strict: false },
        { type: "function", name: "g", parameters: CLOSED, strict: true },
      ],
      tool_choice: { type: "function", name: "f" },
      parallel_tool_calls: false,
      max_output_tokens: 16,
      temperature: 0.5,
      top_p: 0.9,
      text: { format: { type: "json_schema", name: "r", schema: CLOSED, strict: true } },
      safety_identifier: "jo",
      store: false,
      stream: true,
    });
  });

  it("lets models reason, and asks for the seal of it", () => {
    expect(build({ model: "gpt-5.1", temperature: 0.5, reasoning: { effort: "minimal" } })).toMatchObject({
      reasoning: { effort: "none" },
      temperature: 0.5,
      include: ["reasoning.encrypted_content"],
    });
    const reasoning = build({ model: "gpt-5-codex", temperature: 0.5, reasoning: { budgetTokens: 9000 } });
    expect(reasoning).toMatchObject({ reasoning: { effort: "high" } });
    expect(reasoning).not.toHaveProperty("temperature");
  });

  it("puts outputs first and sends sealed reasoning back, but never another vendor's", () => {
    const image: UserPart = { kind: "image", data: "iVBORw0KGgoAAAANSUhEUg==" };
    expect(
      input(
        answers(
          { kind: "reasoning", text: "Hmm", signature: "openai.gAAAA1" },
          { kind: "reasoning", text: "other", signature: "EqQB" },
          { kind: "reasoning", text: "plain" },
          { kind: "text", text: "Let me." },
          call,
          { ...call, id: "c2", arguments: "" },
        ),
        asks(
          { kind: "text", text: "and" },
          { kind: "tool-result", toolCallId: "c1", content: [{ kind: "text", text: "no" }], isError: true },
          {
            kind: "tool-result",
            toolCallId: "c2",
            content: [{ kind: "text", text: "see" }, image],
          } as UserPart,
        ),
      ),
    ).toEqual([
      { type: "reasoning", summary: [{ type: "summary_text", text: "Hmm" }], encrypted_content: "gAAAA1" },
      { role: "assistant", content: "Let me." },
      { type: "function_call", call_id: "c1", name: "f", arguments: '{"a":1}' },
      { type: "function_call", call_id: "c2", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "Error: no" },
      {
        type: "function_call_output",
        call_id: "c2",
        output: [
          { type: "input_text", text: "see" },
          {
            type: "input_image",
            image_url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==",
            detail: "auto",
          },
        ],
      },
      { role: "user", content: [{ type: "input_text", text: "and" }] },
    ]);
  });

  it("sends media as data or by address", () => {
    expect(
      input(
        asks(
          { kind: "image", url: "https://x.test/a.png", detail: "low" },
          { kind: "file", data: "BB", mediaType: "application/pdf", filename: "a.pdf" },
          { kind: "file", url: "https://x.test/a.pdf" },
          { kind: "audio", data: "CC", format: "wav" },
        ),
      ),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "input_image", image_url: "https://x.test/a.png", detail: "low" },
          { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,BB" },
          { type: "input_file", file_url: "https://x.test/a.pdf" },
          { type: "input_audio", input_audio: { data: "CC", format: "wav" } },
        ],
      },
    ]);
    expect(() => input(asks({ kind: "file", fileId: "file-1" }))).toThrow(RequestInvalid);
  });

  it("sends instructions alone as the user's message, and never sends nothing", () => {
    expect(build({ system: [{ kind: "text", text: "go" }], turns: [] }).input).toBe("go");
    expect(() => build({ turns: [] })).toThrow(RequestInvalid);
  });
});
