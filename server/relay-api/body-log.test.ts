import { EventEmitter } from "node:events";
import type { ClientResponse, TextEncoding } from "@tollgate/relay/ports/client";
import type { StoredBody } from "@tollgate/storage/bodies/stored-body";
import { describe, expect, it } from "vitest";
import { BodyLog, type BodyLogSettings } from "./body-log";

class Sink extends EventEmitter implements ClientResponse {
  writableLength = 0;
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  text = "";

  writeHead(): void {
    this.headersSent = true;
  }

  write(chunk: Uint8Array | string): boolean {
    this.text += Buffer.from(chunk as Uint8Array).toString();
    return false;
  }

  end(chunk?: Uint8Array | string, encoding?: TextEncoding): void {
    if (chunk !== undefined) this.write(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
    this.writableEnded = true;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

const OPTIONS: Record<string, number | boolean> = {
  BodyLogEnabled: true,
  LogConsumeEnabled: true,
  BodyMaxKilobytes: 1,
  BodyStoreMegabytes: 3,
};

const stage = (changed: Record<string, boolean> = {}, more: Partial<BodyLogSettings> = {}) => {
  const stored: { body: StoredBody; maxTotalBytes: number }[] = [];
  const losses: [count: number, reason: string][] = [];
  const clock = { nowMs: 5_000_000 };
  const log = new BodyLog({
    bodies: {
      add: async (body, maxTotalBytes) => {
        stored.push({ body, maxTotalBytes });
      },
    },
    options: {
      isOn: (key) => ({ ...OPTIONS, ...changed })[key] === true,
      number: (key) => Number(OPTIONS[key]),
    },
    now: () => clock.nowMs,
    reportLoss: (count, reason) => losses.push([count, reason]),
    ...more,
  });
  const sink = new Sink();
  const watch = (
    contentType = "application/json",
    rawBody = Buffer.from('{"a":1}'),
    requestId = "r1",
    url = "/v1/chat/completions",
  ) => log.watch({ requestId, userId: 7, url, contentType, rawBody }, sink);
  return { stored, losses, clock, sink, watch };
};

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

/** Requests to the thread are handled in a later turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the log of bodies", () => {
  it.each(["BodyLogEnabled", "LogConsumeEnabled"])("touches nothing while %s is off", (key) => {
    const { sink, stored, watch } = stage({ [key]: false });
    expect(watch()).toBe(sink);
    expect(stored).toEqual([]);
  });

  it("keeps the request and the delivered answer, in delivery order", () => {
    const { sink, stored, watch } = stage();
    const response = watch();
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    expect(response.write("data: 1\n\n")).toBe(false);
    response.write(Buffer.from("data: 2\n\n"));
    expect(stored).toEqual([]);
    response.end("data: [DONE]\n\n");
    expect(sink.text).toBe("data: 1\n\ndata: 2\n\ndata: [DONE]\n\n");
    sink.emit("close");
    expect(stored).toHaveLength(1);
    const { body, maxTotalBytes } = stored[0] as (typeof stored)[0];
    expect(body).toMatchObject({ requestId: "r1", userId: 7, createdAt: 5000 });
    expect(body.request).toMatchObject({ contentType: "application/json", sizeBytes: 7 });
    expect(textOf(body.request.bytes)).toBe('{"a":1}');
    expect(body.answer).toMatchObject({ contentType: "text/event-stream", status: 200, sizeBytes: 32 });
    expect(textOf(body.answer.bytes)).toBe(sink.text);
    expect(maxTotalBytes).toBe(3 * 1024 * 1024);
  });

  it.each([
    ["/v1/messages", "/v1/messages"],
    ["/v1/messages?beta=true&key=sk-secret", "/v1/messages"],
    [
      "/v1beta/models/a%2Fb:streamGenerateContent?alt=sse&key=sk-secret",
      "/v1beta/models/a%2Fb:streamGenerateContent?alt=sse",
    ],
    [`/v1/${"x".repeat(1000)}`, undefined],
  ])("keeps of the address %s no key", (url, path) => {
    const { sink, stored, watch } = stage();
    watch("application/json", Buffer.from("{}"), "r1", url);
    sink.emit("close");
    expect(stored[0]?.body.path).toBe(path);
  });

  it("keeps the answer up to the client's departure, or up to its end", () => {
    const { sink, stored, watch } = stage();
    const response = watch();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
    sink.emit("close");
    expect(textOf(stored[0]?.body.answer.bytes)).toBe("data: 1\n\n");
    watch();
    sink.emit("close");
    expect(stored[1]?.body.answer).toEqual({ status: 0, contentType: "", sizeBytes: 0, bytes: undefined });
  });

  it("keeps the beginning of a long body", () => {
    const { sink, stored, watch } = stage();
    const response = watch("application/json", Buffer.from("q".repeat(5000)));
    response.writeHead(200, { "content-type": "application/json" });
    response.end("a".repeat(3000));
    expect(sink.text).toHaveLength(3000);
    const { request, answer } = (stored[0] as (typeof stored)[0]).body;
    expect([request.sizeBytes, request.bytes?.byteLength]).toEqual([5000, 1024]);
    expect([answer.sizeBytes, answer.bytes?.byteLength]).toEqual([3000, 1024]);
  });

  it("keeps type and size of a body that is no text", () => {
    const { sink, stored, watch } = stage();
    const response = watch("multipart/form-data", Buffer.alloc(400));
    response.writeHead(200, { "content-type": "audio/mpeg" });
    response.write(Buffer.alloc(10));
    response.end(Buffer.alloc(5));
    expect(sink.writableEnded).toBe(true);
    const { request, answer } = (stored[0] as (typeof stored)[0]).body;
    expect(request).toEqual({ contentType: "multipart/form-data", sizeBytes: 400, bytes: undefined });
    expect(answer).toEqual({ contentType: "audio/mpeg", sizeBytes: 15, bytes: undefined, status: 200 });
  });

  it("lets requests pass unkept while too much waits, says so now and then, and goes on when there is room", async () => {
    const done: (() => void)[] = [];
    const { losses, clock, sink, stored, watch } = stage(
      {},
      {
        maxHeldBytes: 3000,
        bodies: {
          add: (body) => {
            stored.push({ body, maxTotalBytes: 0 });
            return new Promise((resolve) => done.push(resolve));
          },
        },
      },
    );
    const ask = (id: string): ClientResponse => watch("application/json", Buffer.from("{}"), id);
    ask("r1").end();
    ask("r2").end();
    expect(ask("r3")).toBe(sink);
    expect(ask("r4")).toBe(sink);
    expect(losses).toEqual([[1, "too much is waiting to be stored"]]);
    clock.nowMs += 60_000;
    expect(ask("r5")).toBe(sink);
    expect(losses[1]).toEqual([2, "too much is waiting to be stored"]);
    for (const each of done) each();
    await turn();
    ask("r6").end();
    expect(stored.map(({ body }) => body.requestId)).toEqual(["r1", "r2", "r6"]);
  });

  it("says when bodies cannot be stored; the answer is out all the same", async () => {
    const add = () => Promise.reject(new Error("the disk is full"));
    const { losses, sink, watch } = stage({}, { bodies: { add } });
    watch().end("ok");
    await turn();
    expect(sink.text).toBe("ok");
    expect(losses).toEqual([[1, "the disk is full"]]);
  });
});
