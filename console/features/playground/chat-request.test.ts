import { describe, expect, it } from "vitest";
import { chatBody, settingMistakes } from "./chat-request";
import { type Conversation, emptyStep, NO_SETTINGS, newConversation, withStep } from "./conversation";

const conversationOf = (more: Partial<Conversation>): Conversation => ({
  ...newConversation(),
  models: ["one", "two"],
  ...more,
});

const step = (text: string) => ({ ...emptyStep("one"), text });

describe("the body of a chat", () => {
  it("contains no parameter that was left empty", () => {
    const turns = [{ text: "hi", attachments: [], answers: [[], []] }];
    expect(chatBody(conversationOf({ turns }), 1)).toEqual({
      model: "two",
      messages: [{ role: "user", content: "hi" }],
    });
  });

  it("contains parameters as numbers, and tools as JSON", () => {
    const settings = {
      system: "be kind",
      temperature: "0",
      topP: " 0.5",
      maxTokens: "10",
      effort: "low",
      tools: '[{"type":"function"}]',
    };
    expect(chatBody(conversationOf({ settings }), 0)).toEqual({
      model: "one",
      messages: [{ role: "system", content: "be kind" }],
      temperature: 0,
      top_p: 0.5,
      max_tokens: 10,
      reasoning_effort: "low",
      tools: [{ type: "function" }],
    });
  });

  it("is the conversation as its own column has seen it", () => {
    const turns = [
      { text: "first", attachments: [], answers: [[step("one's")], [step("two's")]] },
      {
        text: "second",
        attachments: [
          { name: "gone.png", type: "image/png", data: "" },
          { name: "a.pdf", type: "application/pdf", data: "data:application/pdf;base64,AA==" },
        ],
        answers: [[step("")], []],
      },
    ];
    expect(chatBody(conversationOf({ turns }), 1).messages).toEqual([
      { role: "user", content: "first" },
      { role: "assistant", content: "two's" },
      {
        role: "user",
        content: [
          { type: "text", text: "second" },
          {
            type: "file",
            file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" },
          },
        ],
      },
    ]);
    // Models refuse an empty answer, so it is left out.
    expect(chatBody(conversationOf({ turns }), 0).messages).toHaveLength(3);
  });

  it("leaves out calls without results, which every model refuses", () => {
    const calls = [{ id: "c", name: "f", arguments: "{}" }];
    const answers = (results?: string[]) => [
      [{ ...step(""), toolCalls: calls, ...(results ? { results } : {}) }],
    ];
    const messagesOf = (results?: string[]) =>
      chatBody(conversationOf({ turns: [{ text: "x", attachments: [], answers: answers(results) }] }), 0)
        .messages as unknown[];
    expect(messagesOf()).toHaveLength(1);
    expect(messagesOf(["42"])).toHaveLength(3);
  });
});

it("mistakes of parameters are named", () => {
  expect(settingMistakes(NO_SETTINGS)).toEqual([]);
  expect(
    settingMistakes({ ...NO_SETTINGS, temperature: "x", topP: "2", maxTokens: "1.5", tools: "{}" }),
  ).toEqual(["temperature", "topP", "maxTokens", "tools"]);
  expect(settingMistakes({ ...NO_SETTINGS, tools: "[1]" })).toEqual(["tools"]);
});

it("an answer of a column leaves no hole before it", () => {
  const turns = [{ text: "x", attachments: [], answers: [] }];
  const changed = withStep(conversationOf({ turns }), { turn: 0, column: 1, step: 0 }, step("y"));
  expect(changed.turns[0]?.answers).toEqual([[], [step("y")]]);
});
