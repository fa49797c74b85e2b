import { describe, expect, it } from "vitest";
import { readChat, StreamError } from "./chat-stream";
import { emptyStep, MAX_ANSWER } from "./conversation";

const responseOf = (...chunks: unknown[]): Response =>
  new Response(
    chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join(""),
  );

const delta = (content: object, more: object = {}) => ({ choices: [{ delta: content, ...more }] });

describe("the stream of a chat", () => {
  it("adds up texts, reasoning, calls, the end and the usage", async () => {
    const step = emptyStep("m");
    let changes = 0;
    const wire = { answer: "" };
    await readChat(
      responseOf(
        delta({ role: "assistant", reasoning_content: "I " }),
        delta({ reasoning: "think" }),
        delta({ content: "Hel" }),
        delta({ content: "lo" }),
        delta({ tool_calls: [{ index: 1, id: "b", function: { name: "second", arguments: "{}" } }] }),
        delta({ tool_calls: [{ index: 0, id: "a", function: { name: "first", arguments: '{"x"' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] }),
        delta({}, { finish_reason: "tool_calls" }),
        { choices: [], usage: { prompt_tokens: 13, completion_tokens: 5 } },
        "[DONE]",
      ),
      step,
      wire,
      () => {
        changes += 1;
      },
    );
    expect(step).toMatchObject({
      text: "Hello",
      reasoning: "I think",
      finish: "tool_calls",
      promptTokens: 13,
      completionTokens: 5,
      toolCalls: [
        { id: "a", name: "first", arguments: '{"x":1}' },
        { id: "b", name: "second", arguments: "{}" },
      ],
    });
    expect(changes).toBe(9);
    expect(wire.answer).toContain("[DONE]");
  });

  it("survives what is no chunk, and keeps a giant answer within bounds", async () => {
    const step = emptyStep("m");
    await readChat(
      responseOf(
        "not json",
        "null",
        { choices: "x" },
        delta({ content: 7, tool_calls: "x" }),
        delta({ tool_calls: [{ index: 1_000_000, id: "far" }, { index: -1 }] }),
        delta({ content: "x".repeat(MAX_ANSWER + 10) }),
        delta({ content: "more" }),
      ),
      step,
      { answer: "" },
      () => {},
    );
    expect(step.text).toHaveLength(MAX_ANSWER);
    expect(step.isCut).toBe(true);
    expect(step.toolCalls).toEqual([]);
  });

  it("ends with the words of an error within it, and keeps the text before", async () => {
    const step = emptyStep("m");
    const response = responseOf(delta({ content: "half" }), { error: { message: "the upstream broke off" } });
    const wire = { answer: "" };
    await expect(readChat(response, step, wire, () => {})).rejects.toThrow(
      new StreamError("the upstream broke off"),
    );
    expect(step.text).toBe("half");
    expect(wire.answer).toContain("broke off");
  });
});
