/* Streams that are expensive to parse, each close to the size limit: possible answers of an upstream to any request. */

/** A little under the largest event that is translated. */
const SIZE = 17_900_000;

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const gemini = (part: object): string =>
  event({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] }) +
  event({
    candidates: [{ index: 0, content: { parts: [{ text: "." }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1290 },
  });

const chatDelta = (delta: object): string => event({ id: "c", choices: [{ index: 0, delta }] });
const CHAT_END = `${event({
  choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 9 },
})}data: [DONE]\n\n`;
const chat = (delta: object): string => chatDelta(delta) + CHAT_END;

const words = (): string => "word ".repeat(SIZE / 5);
/** Arguments of a call: many small objects, or a text full of quotes. */
const objects = (): object => ({
  list: Array.from({ length: 85_000 }, (_, i) => ({ n: i, text: "x".repeat(160) })),
});
const quotes = (): object => ({ text: '"'.repeat(SIZE / 2) });

/** By the name in the upstream's address, as texts. */
export const HOSTILE_ANSWERS: Readonly<Record<string, () => string>> = {
  "gemini-picture": () => gemini({ inlineData: { mimeType: "image/png", data: "QUJD".repeat(SIZE / 4) } }),
  "gemini-objects": () => gemini({ functionCall: { name: "f", args: objects() } }),
  "gemini-quotes": () => gemini({ functionCall: { name: "f", args: quotes() } }),
  "chat-text": () => chat({ content: words() }),
  "chat-arguments": () =>
    chat({
      tool_calls: [{ index: 0, id: "t", function: { name: "f", arguments: JSON.stringify(objects()) } }],
    }),
  "chat-deltas": () => chatDelta({ content: "word ".repeat(6000) }).repeat(2000) + CHAT_END,
  "chat-tiny": () =>
    chatDelta({ content: "." }) +
    'data:{"choices":[{"delta":{"content":"x"}}]}\n\n'.repeat(SIZE / 45) +
    CHAT_END,
  "chat-empty": () => chatDelta({ content: "." }) + "data:{}\n\n".repeat(SIZE / 9) + CHAT_END,
  "chat-lines": () => `${chatDelta({ content: "." })}${"data:\n".repeat(SIZE / 6)}\n${CHAT_END}`,
  "anthropic-text": () =>
    event({ type: "message_start", message: { id: "m", usage: { input_tokens: 5 } } }) +
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: words() } }) +
    event({ type: "content_block_stop", index: 0 }) +
    event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } }) +
    event({ type: "message_stop" }),
  "responses-text": () =>
    event({ type: "response.created", response: { id: "r" } }) +
    event({ type: "response.output_text.delta", output_index: 0, delta: words() }) +
    event({
      type: "response.completed",
      response: { id: "r", output: [], usage: { input_tokens: 5, output_tokens: 9 } },
    }),
};
