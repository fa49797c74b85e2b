/** The path of every request of the bench. */
export const CHAT_PATH = "/v1/chat/completions";
export const CHAT_MODEL = "gpt-3.5-turbo";

const render = (messages: { role: string; content: string }[], isStream: boolean): string =>
  JSON.stringify({ model: CHAT_MODEL, ...(isStream ? { stream: true } : {}), messages });

/** A chat of one message: about 1 KB. */
export const smallChat = (isStream: boolean): string =>
  render([{ role: "user", content: "hello ".repeat(160) }], isStream);

/** A long conversation in messages of 2 KB: at least so many bytes, and less than one message more. */
export const longChat = (bytes: number): string => {
  const content = "what was said before, word for word; ".repeat(54);
  const messages = [];
  for (let length = 0; length < bytes; length += content.length)
    messages.push({ role: messages.length % 2 === 0 ? "user" : "assistant", content });
  return render(messages, false);
};
