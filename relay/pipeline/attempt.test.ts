import { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it } from "vitest";
import { entryOf } from "../testing/entry-of";
import { Attempt } from "./attempt";
import type { AttemptOwner } from "./attempt-owner";
import { PassStream } from "./pass-stream";

/** Writes down what an attempt tells; its end is awaited. */
class Owner implements AttemptOwner {
  readonly told: string[] = [];
  readonly out: Buffer[] = [];
  whole: unknown;
  error: UpstreamError | undefined;
  takesMore = true;
  private onOver: () => void = () => {};
  readonly over = new Promise<void>((resolve) => {
    this.onOver = resolve;
  });

  constructor(private readonly isStream: boolean) {}

  onHead(): void {}
  createStream(): PassStream | undefined {
    return this.isStream ? new PassStream(UPSTREAM_PROTOCOLS["openai-chat"].passThrough!, true) : undefined;
  }
  onBytes(bytes: Uint8Array | string): boolean {
    this.out.push(Buffer.from(bytes as Uint8Array));
    return this.takesMore;
  }
  onStreamEnd(stream: PassStream, rest: Uint8Array | string | undefined): void {
    if (rest !== undefined) this.onBytes(rest);
    this.onBytes(stream.tail());
    this.end("stream");
  }
  onWholeAnswer(_bytes: Buffer, body: unknown): void {
    this.whole = body;
    this.end("whole");
  }
  onError(error: UpstreamError): void {
    this.error = error;
    this.end("error");
  }
  onGivenUp(): void {
    this.end("given-up");
  }
  onCrash(error: unknown): void {
    this.end(`crash ${String(error)}`);
  }
  private end(how: string): void {
    this.told.push(how);
    this.onOver();
  }
}

const begin = (
  encoding: string | undefined,
  isStream: boolean,
  status = 200,
): { attempt: Attempt; owner: Owner; state: { resumed: number; isAborted: boolean } } => {
  const entry = entryOf();
  const owner = new Owner(isStream);
  const attempt = new Attempt(entry, owner);
  const state = { resumed: 0, isAborted: false };
  attempt.onStart(() => {
    state.isAborted = true;
  });
  const headers = { "content-type": "application/json", "content-encoding": encoding };
  attempt.onHeaders(status, headers, () => {
    state.resumed += 1;
  });
  return { attempt, owner, state };
};

const ANSWER = { choices: [{ message: { content: "hi ".repeat(1000) } }] };
const BYTES = Buffer.from(JSON.stringify(ANSWER));

describe("an answer that is packed although it was asked not to be", () => {
  const PACKINGS: readonly (readonly [string, Buffer])[] = [
    ["gzip", gzipSync(BYTES)],
    [" GZip ", gzipSync(BYTES)],
    ["x-gzip", gzipSync(BYTES)],
    ["deflate", deflateSync(BYTES)],
    ["deflate", deflateRawSync(BYTES)],
    ["br", brotliCompressSync(BYTES)],
    ["identity", BYTES],
    ["", BYTES],
  ];

  it.each(PACKINGS)("(%s) is unpacked wherever it is cut", async (encoding, bytes) => {
    for (const size of [1, 100, 100_000]) {
      const { attempt, owner } = begin(encoding, false);
      for (let from = 0; from < bytes.length; from += size) attempt.onData(bytes.subarray(from, from + size));
      attempt.onEnd();
      await owner.over;
      expect(owner.told).toEqual(["whole"]);
      expect(owner.whole).toEqual(ANSWER);
    }
  });

  it("as a stream is passed on as it comes", async () => {
    const event = (content: string): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    const { attempt, owner } = begin("gzip", true);
    const packed = createGzip({ flush: constants.Z_SYNC_FLUSH });
    packed.on("data", (chunk: Buffer) => attempt.onData(chunk));
    packed.write(event("one"));
    await expect.poll(() => Buffer.concat(owner.out).toString()).toBe(event("one"));
    packed.end(`${event("two")}data: [DONE]\n\n`);
    await owner.over;
    expect(owner.told).toEqual(["stream"]);
    expect(Buffer.concat(owner.out).toString()).toBe(`${event("one")}${event("two")}data: [DONE]\n\n`);
    attempt.onEnd();
    expect(owner.told).toEqual(["stream"]);
  });

  it("is whole when it cannot be unpacked behind all of a stream's answer, and fails before", async () => {
    const event = (more: object): string => `data: ${JSON.stringify(more)}\n\n`;
    const content = event({ choices: [{ index: 0, delta: { content: "one" } }] });
    const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
    const usage = event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } });
    for (const [events, how] of [
      [content + finish + usage, "stream"],
      [content + usage, "error"],
    ] as const) {
      const { attempt, owner, state } = begin("gzip", true);
      const packed = createGzip({ flush: constants.Z_SYNC_FLUSH });
      packed.on("data", (chunk: Buffer) => attempt.onData(chunk));
      packed.write(events);
      await expect.poll(() => Buffer.concat(owner.out).toString()).toBe(events);
      attempt.onData(Buffer.alloc(100, 0xff));
      await owner.over;
      expect(owner.told).toEqual([how]);
      expect(Buffer.concat(owner.out).toString()).toBe(events);
      expect(state.isAborted).toBe(true);
    }
  });

  it("as an error is read", async () => {
    const { attempt, owner } = begin("gzip", false, 400);
    attempt.onData(gzipSync(JSON.stringify({ error: { message: "the prompt is too long" } })));
    attempt.onEnd();
    await owner.over;
    expect(owner.error).toMatchObject({ status: 400, message: "the prompt is too long" });
  });

  it("is unpacked no further than an answer may be long", async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));
    const { attempt, owner, state } = begin("gzip", false);
    attempt.onData(bomb);
    attempt.onEnd();
    await owner.over;
    expect(owner.told).toEqual(["error"]);
    expect(owner.error?.fault).toEqual({ code: "answer-too-large" });
    expect(state.isAborted).toBe(true);
  });

  it("waits for a client that does not read", async () => {
    const comment = `: ${"x".repeat(1000)}\n`;
    const COMMENTS = 3000;
    const first = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "a" } }] })}\n\n`;
    const { attempt, owner } = begin("gzip", true);
    owner.takesMore = false;
    attempt.onData(gzipSync(first + comment.repeat(COMMENTS)));
    await expect.poll(() => owner.out.length).toBe(1);
    const size = (): number => owner.out.reduce((sum, bytes) => sum + bytes.length, 0);
    const before = size();
    await new Promise((resolve) => setImmediate(resolve));
    expect(size()).toBe(before);
    owner.takesMore = true;
    attempt.resume();
    await expect.poll(size, { timeout: 20_000 }).toBe(first.length + COMMENTS * comment.length);
  });

  it.each([
    ["gzip", Buffer.from("this is no gzip at all")],
    ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
    ["gzip, br", gzipSync(BYTES)],
  ])("(%s) fails once where it cannot be unpacked", async (encoding, bytes) => {
    const { attempt, owner, state } = begin(encoding, false);
    attempt.onData(bytes);
    attempt.onEnd();
    await owner.over;
    attempt.onData(bytes);
    attempt.onEnd();
    await new Promise((resolve) => setImmediate(resolve));
    expect(owner.told).toEqual(["error"]);
    expect(owner.error?.fault?.code).toMatch(/^answer-(un)?pack/);
    expect(state.isAborted).toBe(true);
  });

  it("that is cut off is judged by its received part", async () => {
    const { attempt, owner } = begin("gzip", false);
    attempt.onData(gzipSync(BYTES).subarray(0, 30));
    attempt.onEnd();
    await owner.over;
    expect(owner.told).toEqual(["whole"]);
    expect(owner.whole).toBeUndefined();
  });

  it("says nothing more once it was given up", async () => {
    const { attempt, owner } = begin("gzip", false);
    attempt.onData(gzipSync(BYTES));
    attempt.abort();
    attempt.onEnd();
    await new Promise((resolve) => setImmediate(resolve));
    expect(owner.told).toEqual([]);
  });
});
