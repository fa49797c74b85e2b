import type { ClientResponse } from "@tollgate/relay/ports/client";
import { describe, expect, it } from "vitest";
import { ArrayResponse } from "./array-response";

class Sink implements ClientResponse {
  writableLength = 0;
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  headers: Record<string, string | number> = {};
  text = "";

  writeHead(_status: number, headers: Record<string, string | number>): void {
    this.headersSent = true;
    this.headers = headers;
  }

  write(chunk: Uint8Array | string): boolean {
    this.text += Buffer.from(chunk as Uint8Array).toString("utf8");
    return false;
  }

  end(chunk?: Uint8Array | string): void {
    if (chunk !== undefined) this.write(chunk);
    this.writableEnded = true;
  }

  destroy(): void {
    this.destroyed = true;
  }

  on(): void {}

  once(): void {}
}

const begin = (type: string) => {
  const sink = new Sink();
  const response = new ArrayResponse(sink);
  response.writeHead(200, { "content-type": type });
  return { sink, response };
};

describe("an array response", () => {
  it("makes elements of events, however they are cut", () => {
    const bytes = Buffer.from('data: {"a":"你"}\r\n\r\ndata: {"b":2}\r\n\r\n');
    const { sink, response } = begin("text/event-stream; charset=utf-8");
    for (const byte of bytes) expect(response.write(Uint8Array.of(byte))).toBe(false);
    response.end('data: {"c":3}');
    expect(JSON.parse(sink.text)).toEqual([{ a: "你" }, { b: 2 }, { c: 3 }]);
    expect(sink.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(response.writableEnded).toBe(true);
  });

  it("gives an element out as soon as its event is whole", () => {
    const { sink, response } = begin("text/event-stream");
    response.write('data: {"a":1}\n\n');
    expect(sink.text).toBe('[{"a":1}');
  });

  it("is an empty array when nothing came", () => {
    const { sink, response } = begin("text/event-stream");
    response.end();
    expect(JSON.parse(sink.text)).toEqual([]);
  });

  it("leaves an answer in one piece as it is", () => {
    const { sink, response } = begin("application/json");
    response.end('{"error":{}}');
    expect(sink.text).toBe('{"error":{}}');
    expect(sink.headers["content-type"]).toBe("application/json");
  });
});
