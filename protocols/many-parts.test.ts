import { describe, expect, it } from "vitest";
import { UPSTREAM_PROTOCOLS } from "./protocols";

const many = <Part>(count: number, part: Part): Part[] => Array.from({ length: count }, () => part);
const chat = (message: object): object => ({ choices: [{ message, finish_reason: "stop" }] });
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };

/** Whole answers of so many parts. */
const ANSWERS = {
  "openai-chat": (count: number) => chat({ role: "assistant", content: "a", tool_calls: many(count, call) }),
  "anthropic-messages": (count: number) => ({
    type: "message",
    content: many(count, { type: "text", text: "a" }),
    stop_reason: "end_turn",
  }),
  "openai-responses": (count: number) => ({
    status: "completed",
    output: many(count, { type: "message", content: [{ type: "output_text", text: "a" }] }),
  }),
  "gemini-generate": (count: number) => ({
    candidates: [{ content: { parts: many(count, { text: "a" }) }, finishReason: "STOP" }],
  }),
  "bedrock-converse": (count: number) => ({
    output: { message: { role: "assistant", content: many(count, { text: "a" }) } },
    stopReason: "end_turn",
  }),
} as const;

describe("a whole answer", () => {
  it.each(Object.entries(ANSWERS))("of %s with more parts than any has is none", (name, answer) => {
    const { isAnswer, readResponse } = UPSTREAM_PROTOCOLS[name as keyof typeof ANSWERS];
    expect(isAnswer(answer(10_000))).toBe(true);
    expect(readResponse(answer(10_000))?.parts.length).toBeGreaterThan(0);
    expect(isAnswer(answer(10_001))).toBe(false);
  });
});
