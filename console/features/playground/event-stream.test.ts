import { describe, expect, it } from "vitest";
import { readEvents } from "./event-stream";

const bodyOf = (...chunks: (string | Uint8Array<ArrayBuffer>)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });

const read = async (body: ReadableStream<Uint8Array>): Promise<string[]> => {
  const events: string[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
};

describe("the events of a stream", () => {
  it("are read wherever the network cuts them, with each kind of line end", async () => {
    const text =
      "data: a你\n\ndata:b\r\n\r\n: comment\n\ndata: c\ndata: d\n\nevent: x\rdata: e\r\rdata: rest";
    const bytes = new TextEncoder().encode(text);
    const whole = ["a你", "b", "c\nd", "e", "rest"];
    expect(await read(bodyOf(bytes))).toEqual(whole);
    expect(await read(bodyOf(...Array.from(bytes, (byte) => new Uint8Array([byte]))))).toEqual(whole);
  });

  it("are refused when one has no end", async () => {
    await expect(read(bodyOf("data: ", "x".repeat(5_000_000)))).rejects.toThrow("too long");
  });

  it("end the request when their reader stops", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const _ of readEvents(body)) break;
    expect(isCancelled).toBe(true);
  });
});
