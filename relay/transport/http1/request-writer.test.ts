import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bodyLength, RequestWriter } from "./request-writer";

const HEAD = "POST / HTTP/1.1\r\n\r\n";

/** A socket that takes a write when it is told to. */
class SlowSocket extends Writable {
  readonly taken: Buffer[] = [];
  private waiting: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.taken.push(chunk);
    this.waiting = done;
  }

  /** Takes what was written until now, and no more. */
  take(): void {
    let isDrained = false;
    const onDrain = () => {
      isDrained = true;
    };
    this.prependOnceListener("drain", onDrain);
    while (this.waiting && !isDrained) {
      const done = this.waiting;
      this.waiting = undefined;
      done();
    }
    this.off("drain", onDrain);
  }
}

describe("RequestWriter", () => {
  it.each([
    ["a text", "grüße"],
    ["bytes", Buffer.from("grüße")],
    ["pieces", [Buffer.from("gr"), Buffer.from("üße")]],
    ["nothing", ""],
  ])("writes %s with its head at once", (_, body) => {
    const socket = new SlowSocket();
    const writer = new RequestWriter(socket);
    writer.write(HEAD, body, bodyLength(body));
    expect(socket.taken).toHaveLength(1);
    expect(Buffer.concat(socket.taken).toString()).toBe(HEAD + (body === "" ? "" : "grüße"));
    socket.take();
    expect(writer.isDone).toBe(true);
  });

  it("writes large bodies as they are, no faster than the socket takes them", () => {
    const socket = new SlowSocket();
    const writer = new RequestWriter(socket);
    const pieces = Array.from({ length: 10 }, (_, i) => Buffer.alloc(100_000, i));
    socket.on("drain", () => writer.proceed());
    writer.write(HEAD, pieces, bodyLength(pieces));
    expect(socket.writableLength).toBeLessThan(150_000);
    for (let taken = 1; taken < 10; taken += 1) {
      expect(writer.isDone).toBe(false);
      socket.take();
      expect(socket.writableLength).toBeLessThan(150_000);
    }
    socket.take();
    expect(writer.isDone).toBe(true);
    expect(socket.taken.shift()?.toString()).toBe(HEAD);
    expect(socket.taken).toHaveLength(pieces.length);
    for (const [i, piece] of pieces.entries()) expect(socket.taken[i]).toBe(piece);
  });

  it.each([
    ["a text", "ü".repeat(100_000)],
    ["bytes", Buffer.alloc(200_000, "x")],
  ])("writes %s that is large", (_, body) => {
    const socket = new SlowSocket();
    new RequestWriter(socket).write(HEAD, body, bodyLength(body));
    socket.take();
    expect(Buffer.concat(socket.taken).toString() === HEAD + body.toString()).toBe(true);
  });

  it("is done when the last write was taken, and says so", () => {
    const socket = new SlowSocket();
    let times = 0;
    const writer = new RequestWriter(socket, () => {
      times += 1;
    });
    writer.write(HEAD, "a", 1);
    expect([writer.isGiven, writer.isDone, times]).toEqual([true, false, 0]);
    socket.take();
    expect([writer.isGiven, writer.isDone]).toEqual([true, true]);
    const pieces = [Buffer.alloc(100_000), Buffer.alloc(100_000)];
    socket.on("drain", () => writer.proceed());
    writer.write(HEAD, pieces, bodyLength(pieces));
    expect([writer.isGiven, writer.isDone]).toEqual([false, false]);
  });
});
