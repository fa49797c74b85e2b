import { describe, expect, it } from "vitest";
import { ChunkedReader } from "./chunked-reader";

/** Reads a body in two pieces. @returns its payload; "error" for one that is malformed, "open" for one without its end. */
const read = (body: string, cut: number): string => {
  const reader = new ChunkedReader();
  let payload = "";
  try {
    for (const piece of [body.slice(0, cut), body.slice(cut)]) {
      const bytes = Buffer.from(piece, "latin1");
      reader.read(bytes, 0, bytes.length);
      payload += bytes.toString("latin1", reader.payloadFrom, reader.payloadTo);
    }
  } catch {
    return "error";
  }
  return reader.isDone ? payload : "open";
};

describe("a body in chunks", () => {
  const data = "x".repeat(0x1ab);
  it.each<[string, string, string]>([
    ["sizes of few digits", `3\r\nabc\r\n1ab\r\n${data}\r\n1AB\r\n${data}\r\n0\r\n\r\n`, `abc${data}${data}`],
    ["zeros before a size", "3\r\nabc\r\n0000003\r\ndef\r\n00000000003\r\nghi\r\n000\r\n\r\n", "abcdefghi"],
    ["extensions", '3\r\nabc\r\n3;a=b\r\ndef\r\n3;a="\\r"\r\nghi\r\n0\r\n\r\n', "abcdefghi"],
    ["trailers", "3\r\nabc\r\n3\r\ndef\r\n0\r\na: b\r\n\r\n", "abcdef"],
    ["no size", "3\r\nabc\r\n\r\ndef\r\n0\r\n\r\n", "error"],
    ["a size that is no number", "3\r\nabc\r\n3 \r\ndef\r\n0\r\n\r\n", "error"],
    ["a size that is too large", `3\r\nabc\r\n${"f".repeat(14)}\r\ndef\r\n0\r\n\r\n`, "error"],
    ["a size without its return", "3\r\nabc\r\n3\ndefghi\r\n0\r\n\r\n", "error"],
    ["a size without its line feed", "3\r\nabc\r\n3\rdefghi\r\n0\r\n\r\n", "error"],
    ["a chunk that is longer than its size", "3\r\nabc\r\n3\r\ndefg\r\n0\r\n\r\n", "error"],
  ])("is read alike wherever it is cut: %s", (_, body, payload) => {
    for (let cut = 0; cut <= body.length; cut += 1) expect([cut, read(body, cut)]).toEqual([cut, payload]);
  });
});
