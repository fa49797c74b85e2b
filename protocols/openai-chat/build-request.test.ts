import type { ChatRequest } from "@tollgate/contract/relay/request";
import { describe, expect, it } from "vitest";
import { TEST_FIELDS } from "../shared/testing/request-parts";
import { buildWire } from "../shared/testing/simple-requests";
import { openaiChat } from "./openai-chat";

const base: ChatRequest = {
  model: "gpt-4o",
  system: [],
  turns: [{ role: "user", parts: [{ kind: "text", text: "hi" }] }],
  tools: [],
  isStream: false,
  wantsUsageChunk: false,
};

const build = (fields: Partial<ChatRequest>) => buildWire(openaiChat, { ...base, ...fields }).body;

const tool = { name: "f", parameters: { type: "object" } };

/** A schema that OpenAI takes as a strict one. */
const CLOSED = { type: "object", properties: {}, additionalProperties: false };

describe("buildRequest of openai-chat", () => {
  it("says no more than it must", () => {
    const call = openaiChat.buildRequest(base, TEST_FIELDS);
    expect(call.path).toBe("/v1/chat/completions");
    expect(build({})).toEqual({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }] });
  });

  it("asks a stream for its usage, whatever the client wants", () => {
    expect(build({ isStream: true })).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("builds every field for a model that does not reason", () => {
    expect(
      build({
        system: [
          { kind: "text", text: "a" },
          { kind: "text", text: "" },
          { kind: "text", text: "b" },
        ],
        tools: [{ name: "f", description: "d", parameters: CLOSED, isStrict: true }],
        toolChoice: { kind: "tool", name: "f" },
        isParallelToolCallsAllowed: false,
        maxOutputTokens: 9,
        temperature: 0,
        topP: 0.1,
        topK: 40,
        stopSequences: ["1", "2", "3", "4", "5"],
        seed: 0,
        presencePenalty: 0.5,
        frequencyPenalty: 0.25,
        reasoning: { effort: "high" },
        responseFormat: { kind: "json" },
        endUserId: "u",
      }),
    ).toEqual({
      model: "gpt-4o",
      messages: [
        { role: "system", content: "a\n\nb\n\nAnswer with a single JSON object only." },
        { role: "user", content: "hi" },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "f",
            description: "d",
            parameters: CLOSED,
            strict: true,
          },
        },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      parallel_tool_calls: false,
      max_tokens: 9,
      temperature: 0,
      top_p: 0.1,
      stop: ["1", "2", "3", "4"],
      seed: 0,
      presence_penalty: 0.5,
      frequency_penalty: 0.25,
      response_format: { type: "json_object" },
      user: "u",
    });
  });

  it("leaves out fields that a reasoning model refuses", () => {
    const body = build({
      model: "openai/gpt-5",
      maxOutputTokens: 9,
      temperature: 1,
      topP: 1,
      stopSequences: ["x"],
      reasoning: { effort: "max" },
    });
    expect(body).toEqual({
      model: "openai/gpt-5",
      messages: [{ role: "user", content: "hi" }],
      max_completion_tokens: 9,
      reasoning_effort: "high",
    });
    expect(build({ model: "gpt-5.2", temperature: 0.5, reasoning: { effort: "none" } })).toMatchObject({
      temperature: 0.5,
      reasoning_effort: "none",
    });
  });

  it.each([
    ["o3-mini", { effort: "minimal" as const }, "low"],
    ["gpt-5", { effort: "none" as const }, "minimal"],
    ["gpt-5.1", { effort: "xhigh" as const }, "high"],
    ["gpt-5.1-codex-max", { effort: "xhigh" as const }, "xhigh"],
    ["gpt-6-astra", { effort: "none" as const }, "low"],
    ["gpt-5", { budgetTokens: 9000 }, "high"],
    ["gpt-5-chat-latest", { effort: "high" as const }, undefined],
    ["gpt-4.1", { budgetTokens: 9000 }, undefined],
    ["deepseek-reasoner", { effort: "max" as const }, "high"],
    ["deepseek-reasoner", { effort: "none" as const }, undefined],
    ["some-model", { effort: "medium" as const }, "medium"],
  ])("asks %s with %j for the effort %s", (model, reasoning, effort) => {
    expect(build({ model, reasoning }).reasoning_effort).toBe(effort);
  });

  it("turns reasoning off where tools exclude it", () => {
    expect(
      build({ model: "gpt-5.6-sol", tools: [tool], reasoning: { effort: "high" } }).reasoning_effort,
    ).toBe("none");
    expect(build({ model: "gpt-5.6-sol", reasoning: { effort: "high" } }).reasoning_effort).toBe("high");
  });

  it("puts results first and their images behind them", () => {
    const body = build({
      turns: [
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "r", signature: "s" },
            { kind: "tool-call", id: "1", name: "f", arguments: "" },
          ],
        },
        {
          role: "user",
          parts: [
            { kind: "text", text: "look" },
            {
              kind: "tool-result",
              toolCallId: "1",
              isError: true,
              content: [
                { kind: "text", text: "bad" },
                { kind: "image", data: "iVBORw0KGgoAAAANSUhEUg==", mediaType: "image/jpeg" },
              ],
            },
          ],
        },
      ],
    });
    expect(body.messages).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "1", content: "Error: bad\n[image]" },
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==" } },
        ],
      },
    ]);
  });

  it("gives reasoning back to the models that want it", () => {
    const turns: ChatRequest["turns"] = [
      {
        role: "assistant",
        parts: [
          { kind: "reasoning", text: "r" },
          { kind: "text", text: "a" },
        ],
      },
    ];
    expect(build({ model: "deepseek-ai/DeepSeek-V3.2", turns }).messages).toEqual([
      { role: "assistant", content: "a", reasoning_content: "r" },
    ]);
    expect(build({ turns }).messages).toEqual([{ role: "assistant", content: "a" }]);
  });

  it("hashes user ids that are too long", () => {
    expect(build({ endUserId: "x".repeat(65) }).user).toMatch(/^[0-9a-f]{64}$/);
  });

  it("refuses documents that it cannot send", () => {
    const withFile = (part: object) => () =>
      build({ turns: [{ role: "user", parts: [{ kind: "file", ...part }] }] });
    expect(withFile({ fileId: "file_1" })).toThrow("media-as-data-only");
    expect(withFile({ url: "https://x" })).toThrow("media-as-data-only");
    expect(withFile({ data: "AAAA", filename: "a.pdf" })()).toMatchObject({
      messages: [
        {
          content: [
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
          ],
        },
      ],
    });
  });
});
