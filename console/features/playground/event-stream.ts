/** Characters of one event: an upstream that sends more is not read on. */
const MAX_EVENT = 4_000_000;

const dataOf = (event: string): string =>
  event
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).replace(/^ /, "")] : []))
    .join("\n");

/**
 * Reads the data of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) until the
 * body's end.
 * @throws Error for an event without an end, and the errors of the body.
 */
export const readEvents = async function* (body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line's end.
      const isHalf = !done && rest.endsWith("\r");
      const text = (isHalf ? rest.slice(0, -1) : rest).replace(/\r\n?/g, "\n");
      const events = text.split("\n\n");
      rest = (events.pop() ?? "") + (isHalf ? "\r" : "");
      for (const event of events) {
        const data = dataOf(event);
        if (data !== "") yield data;
      }
      if (done) {
        const data = dataOf(rest);
        if (data !== "") yield data;
        return;
      }
      if (rest.length > MAX_EVENT) throw new Error("an event of the stream is too long");
    }
  } finally {
    // Ends the request when its reader stops early.
    await reader.cancel().catch(() => undefined);
  }
};
