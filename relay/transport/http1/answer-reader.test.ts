import { describe, expect, it } from "vitest";
import { AnswerReader } from "./answer-reader";

/** What a reader makes of an answer that comes in these pieces. */
const readPieces = (pieces: readonly Buffer[], isClosed = true) => {
  const reader = new AnswerReader();
  const read: Buffer[] = [];
  for (const piece of pieces) {
    // The memory is the connection's: it is used again, and the reader may write into it.
    const bytes = Buffer.from(piece);
    reader.read(bytes, bytes.length);
    read.push(Buffer.from(bytes.subarray(reader.payloadFrom, reader.payloadTo)));
    bytes.fill("!");
  }
  if (isClosed) reader.close();
  const { head, isDone, hasExtra } = reader;
  return { ...head, isDone, hasExtra, payload: Buffer.concat(read).toString("latin1") };
};

const readWhole = (text: string, isClosed = false) => readPieces([Buffer.from(text, "latin1")], isClosed);

const cutAt = (bytes: Buffer, ...places: number[]): Buffer[] =>
  [...places, bytes.length].map((place, i) => bytes.subarray(i === 0 ? 0 : places[i - 1], place));

const ANSWERS: Record<string, string> = {
  "a length": "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 11\r\n\r\nhello world",
  "a length, and extra bytes": "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello world",
  chunks:
    'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n6\r\nhello \r\n005;a=b;c="d"\r\nworld\r\nA\r\n0123456789\r\n0\r\n\r\n',
  "chunks with trailers":
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0;last\r\nexpires: never\r\na: b\r\n\r\n",
  "chunks, and extra bytes":
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\nHTTP/1.1",
  "no length": "HTTP/1.1 200 OK\r\ncontent-type: a/b\r\n\r\nuntil the end",
  "HTTP/1.0": "HTTP/1.0 200 OK\r\n\r\nuntil the end",
  "no body": "HTTP/1.1 204 No Content\r\ncontent-type: a/b\r\n\r\n",
  "no phrase": "HTTP/1.1 429\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n",
  "heads before it":
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
};

describe("AnswerReader", () => {
  it.each(Object.keys(ANSWERS))("reads an answer with %s alike, wherever it is cut", (name) => {
    const bytes = Buffer.from(ANSWERS[name] as string, "latin1");
    const whole = readPieces([bytes]);
    expect(whole.isDone).toBe(true);
    for (let first = 0; first <= bytes.length; first += 1) {
      expect(readPieces(cutAt(bytes, first))).toEqual(whole);
      for (let second = first; second <= bytes.length; second += 7) {
        expect(readPieces(cutAt(bytes, first, second))).toEqual(whole);
      }
    }
    const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
    expect(readPieces(single)).toEqual(whole);
  });

  it("reads the answers", () => {
    const read = (name: string) => readWhole(ANSWERS[name] as string, true);
    expect(read("a length")).toMatchObject({
      status: 200,
      headers: { "content-type": "text/plain" },
      payload: "hello world",
      hasExtra: false,
      isLast: false,
    });
    expect(read("a length, and extra bytes")).toMatchObject({ payload: "hello", hasExtra: true });
    expect(read("chunks")).toMatchObject({ payload: "hello world0123456789", hasExtra: false });
    expect(read("chunks with trailers")).toMatchObject({ payload: "x", headers: {}, hasExtra: false });
    expect(read("chunks, and extra bytes")).toMatchObject({ payload: "x", hasExtra: true });
    expect(read("no length")).toMatchObject({ payload: "until the end" });
    expect(read("HTTP/1.0")).toMatchObject({ payload: "until the end", isLast: true });
    expect(read("no body")).toMatchObject({ status: 204, payload: "" });
    expect(read("no phrase")).toMatchObject({ status: 429, headers: { "retry-after": "7" } });
    expect(read("heads before it")).toMatchObject({ status: 200, payload: "ok" });
  });

  it("reads one answer after another", () => {
    const reader = new AnswerReader();
    for (const name of ["chunks", "a length", "no body", "chunks", "no phrase"]) {
      const bytes = Buffer.from(ANSWERS[name] as string, "latin1");
      for (const piece of cutAt(bytes, 10)) reader.read(Buffer.from(piece), piece.length);
      expect(reader).toMatchObject({ isDone: true, hasExtra: false });
      reader.reset();
    }
  });

  it.each([
    ["HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n", true],
    ["HTTP/1.1 200 OK\r\nConnection: x, Close\r\nconnection: keep-alive\r\n\r\n", true],
    ["HTTP/1.1 200 OK\r\nconnection: Keep-Alive\r\n\r\n", false],
    ["HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n", false],
    ["HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n", true],
    ["HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ntransfer-encoding: chunked\r\n\r\n", true],
    ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\n", false],
  ])("knows whether the connection may go on after %j", (head, isLast) => {
    expect(readWhole(head).isLast).toBe(isLast);
  });

  it.each([
    ["timeout=5", 5],
    ["max=100, Timeout=30", 30],
    ["max=100", undefined],
    ["timeout=soon", undefined],
  ])("reads how long an idle connection is kept from %j", (value, seconds) => {
    const head = `HTTP/1.1 200 OK\r\nkeep-alive: ${value}\r\ncontent-length: 0\r\n\r\n`;
    expect(readWhole(head).keepAliveSeconds).toBe(seconds);
  });

  it("decodes only headers that the gateway reads", () => {
    const head =
      "HTTP/1.1 200 OK\r\nset-cookie: a\r\nDATE: now\r\nx-amzn-ErrorType: X\r\nretry-after-ms: 1\r\n\r\n";
    expect(readWhole(head).headers).toEqual({ date: "now", "x-amzn-errortype": "X", "retry-after-ms": "1" });
  });

  it.each([
    "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n",
  ])("does not take a closed connection for the end of %j", (text) => {
    expect(readWhole(text, true).isDone).toBe(false);
  });

  const OK = "HTTP/1.1 200 OK\r\n";
  const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
  it.each([
    ["no status line", "hello\r\n\r\n"],
    ["an empty line first", `\r\n${OK}\r\n`],
    ["another version", "HTTP/2.0 200 OK\r\n\r\n"],
    ["a version that there is not", "HTTP/1.2 200 OK\r\n\r\n"],
    ["a folded line", `${OK}content-type: text/plain;\r\n charset=utf-8\r\n\r\n`],
    ["a lower-case version", "http/1.1 200 OK\r\n\r\n"],
    ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
    ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"],
    ["a status below 100", "HTTP/1.1 099 OK\r\n\r\n"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n"],
    ["bare line feeds", "HTTP/1.1 200 OK\ncontent-length: 0\n\n"],
    ["one bare line feed", `${OK}content-length: 0\n\r\n`],
    ["a bare carriage return", `${OK}x: a\rb\r\n\r\n`],
    ["a zero byte", `${OK}x: a\0b\r\n\r\n`],
    ["no colon", `${OK}content-length\r\n\r\n`],
    ["no name", `${OK}: 5\r\n\r\n`],
    ["a space before the colon", `${OK}content-length : 5\r\n\r\n`],
    ["a folded line first", `${OK} content-length: 5\r\n\r\n`],
    ["a negative length", `${OK}content-length: -1\r\n\r\n`],
    ["a signed length", `${OK}content-length: +1\r\n\r\n`],
    ["a hexadecimal length", `${OK}content-length: 0x10\r\n\r\n`],
    ["an empty length", `${OK}content-length:\r\n\r\n`],
    ["a list of lengths", `${OK}content-length: 5, 5\r\n\r\n`],
    ["two lengths", `${OK}content-length: 5\r\ncontent-length: 6\r\n\r\n`],
    ["a length beyond all numbers", `${OK}content-length: 9007199254740993\r\n\r\n`],
    [
      "a length beside chunks",
      `${OK}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
    ],
    ["a tab beside its coding", `${OK}transfer-encoding: chunked\t\r\n\r\n`],
    ["a blank behind a chunk's size", `${OK}transfer-encoding: chunked\r\n\r\n1 \r\nx\r\n0\r\n\r\n`],
    [
      "an extension that ends within a quote",
      `${OK}transfer-encoding: chunked\r\n\r\n1;a="b\r\nx\r\n0\r\n\r\n`,
    ],
    ["an extension without a name", `${OK}transfer-encoding: chunked\r\n\r\n1;\r\nx\r\n0\r\n\r\n`],
    ["an extension with a stray quote", `${OK}transfer-encoding: chunked\r\n\r\n1;a"b"\r\nx\r\n0\r\n\r\n`],
    ["a trailer that is no header", `${OK}transfer-encoding: chunked\r\n\r\n0\r\n{}\r\n\r\n`],
    ["a folded trailer", `${OK}transfer-encoding: chunked\r\n\r\n0\r\na: b\r\n c\r\n\r\n`],
    ["an unknown coding", `${OK}transfer-encoding: gzip, chunked\r\n\r\n`],
    ["a coding in disguise", `${OK}transfer-encoding: xchunked\r\n\r\n`],
    ["two codings", `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n`],
    ["a chunk without a size", `${CHUNKED}\r\nhello`],
    ["a size that is no number", `${CHUNKED}xyz\r\nhello`],
    ["a negative size", `${CHUNKED}-5\r\nhello`],
    ["a size with a prefix", `${CHUNKED}0x5\r\nhello`],
    ["a size beyond all numbers", `${CHUNKED}fffffffffffffffff\r\nhello`],
    ["a size that overflows to a small one", `${CHUNKED}10000000000000005\r\nhello`],
    ["a size with a bare line feed", `${CHUNKED}5\nhello\r\n`],
    ["a size with a bare carriage return", `${CHUNKED}5\rhello\r\n`],
    ["a chunk that is longer than its size", `${CHUNKED}5\r\nhello world\r\n`],
    ["a chunk that ends with a line feed", `${CHUNKED}5\r\nhello\n0\r\n\r\n`],
    ["a chunk that ends with a carriage return", `${CHUNKED}5\r\nhello\r0\r\n\r\n`],
    ["an extension with a line feed", `${CHUNKED}5;a\nb\r\nhello\r\n`],
    ["an endless extension", `${CHUNKED}5;${"a".repeat(5000)}`],
    ["a trailer with a bare line feed", `${CHUNKED}0\r\na: b\n\r\n`],
    ["a trailer with a bare carriage return", `${CHUNKED}0\r\na: b\rc\r\n\r\n`],
    ["endless trailers", `${CHUNKED}0\r\n${"a: b\r\n".repeat(20_000)}`],
    ["a bare carriage return at the end", `${CHUNKED}0\r\n\rx`],
    ["a giant head", `${OK}x: ${"a".repeat(70_000)}`],
    ["a giant head that ends", `${OK}x: ${"a".repeat(70_000)}\r\n\r\n`],
    ["endless heads before the answer", `HTTP/1.1 100 Continue\r\n\r\n`.repeat(3000)],
  ])("refuses %s, wherever it is cut", (_, text) => {
    const bytes = Buffer.from(text, "latin1");
    expect(() => readPieces([bytes])).toThrow(expect.objectContaining({ name: "MalformedAnswer" }));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, i) =>
      bytes.subarray(i * 3, i * 3 + 3),
    );
    expect(() => readPieces(pieces)).toThrow(expect.objectContaining({ name: "MalformedAnswer" }));
  });

  it("reads a head of 60 KiB that comes byte by byte", () => {
    const text = `HTTP/1.1 200 OK\r\nx: ${"a".repeat(60 * 1024)}\r\ncontent-length: 1\r\n\r\ny`;
    const bytes = Buffer.from(text);
    expect(readPieces(Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)))).toMatchObject({
      payload: "y",
      isDone: true,
    });
  });
});
