/** A chat of one word with an answer of one token. */
export const smallestChat = (model: string): Record<string, unknown> => ({
  model,
  messages: [{ role: "user", content: "hi" }],
  max_tokens: 1,
});
