import { AnswerUnreadable } from "@tollgate/contract/relay/upstream-fault";
import { describe, expect, it } from "vitest";
import { cutAtRandom, cutEveryByte, cutInsideCharacters } from "../testing/cut-bytes";
import { createSseDecoder, MAX_DATA_LINES } from "./sse-decoder";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const decode = (chunks: readonly Uint8Array[]) => {
  const decoder = createSseDecoder();
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
};

const data = (...texts: string[]) => texts.map((text) => ({ event: "", data: text }));

describe("createSseDecoder", () => {
  it.each([
    ["line feeds", "data: a\n\ndata: b\n\n", data("a", "b")],
    ["carriage returns and line feeds", "data: a\r\n\r\ndata: b\r\n\r\n", data("a", "b")],
    ["carriage returns", "data: a\r\rdata: b\r\r", data("a", "b")],
    ["mixed line ends", "data: a\r\n\ndata: b\r\r\ndata: c\n\r", data("a", "b", "c")],
    ["a name", "event: ping\ndata: {}\n\ndata: x\n\n", [{ event: "ping", data: "{}" }, ...data("x")]],
    [
      "a name and several lines with both line ends",
      "event: e\r\ndata: a\r\ndata: b\r\n\r\n",
      [{ event: "e", data: "a\nb" }],
    ],
    ["no space behind the colon", "data:a\n\ndata:  b\n\n", data("a", " b")],
    ["comments", ": hello\n\n:\ndata: a\n: inside\n\n", data("a")],
    ["data of several lines", "data: a\ndata:\ndata: b\n\n", data("a\n\nb")],
    ["a field without a colon", "data\n\ndata: a\n\n", data("a")],
    ["other fields", "id: 1\nretry: 3\ndata: a\ndatas: b\n\n", data("a")],
    ["a name without data", "event: ping\n\ndata: a\n\n", data("a")],
    ["a last event without its blank line", "data: a\n\ndata: b", data("a", "b")],
    ["a last event with one line end", "data: a\n\ndata: b\r\n", data("a", "b")],
    ["a byte order mark", "\uFEFFdata: a\n\n", data("a")],
    ["characters of several bytes", "data: 你好 👩‍🚀 é\n\ndata: ö\n\n", data("你好 👩‍🚀 é", "ö")],
    ["nothing", "", []],
  ])("reads %s, wherever the bytes are cut", (_, text, expected) => {
    const bytes = bytesOf(text);
    expect(decode([bytes])).toEqual(expected);
    expect(decode(cutEveryByte(bytes))).toEqual(expected);
    expect(decode(cutInsideCharacters(bytes))).toEqual(expected);
    for (let seed = 0; seed < 20; seed += 1) expect(decode(cutAtRandom(bytes, seed))).toEqual(expected);
  });

  it("gives an event out as soon as its blank line is there", () => {
    const decoder = createSseDecoder();
    expect(decoder.push(bytesOf("data: a\n"))).toEqual([]);
    expect(decoder.push(bytesOf("\n"))).toEqual(data("a"));
    expect(decoder.push(bytesOf("data: b\r\n\r"))).toEqual(data("b"));
    expect(decoder.push(bytesOf("\ndata: c\r\n\r\n"))).toEqual(data("c"));
  });

  it("refuses a line that never ends", () => {
    const decoder = createSseDecoder(100);
    decoder.push(bytesOf(`data: ${"x".repeat(90)}`));
    expect(() => decoder.push(bytesOf("x".repeat(10)))).toThrow(AnswerUnreadable);
  });

  it("reads as many lines of one event as are joined in one step, and no more (issue 11: no hold above 50 ms)", () => {
    const lines = (count: number): Uint8Array => bytesOf("data:\n".repeat(count));
    const decoder = createSseDecoder();
    decoder.push(lines(MAX_DATA_LINES));
    expect(decoder.push(bytesOf("\n"))).toEqual(data("\n".repeat(MAX_DATA_LINES - 1)));
    decoder.push(lines(MAX_DATA_LINES));
    expect(() => decoder.push(lines(1))).toThrow("event-unreadable");
  });

  it("refuses an event whose lines are too large together", () => {
    const decoder = createSseDecoder(100);
    expect(() => {
      for (let line = 0; line < 11; line += 1) decoder.push(bytesOf(`data: ${"x".repeat(9)}\n`));
    }).toThrow("event-too-large");
  });

  it("counts each event by itself", () => {
    const decoder = createSseDecoder(100);
    for (let event = 0; event < 50; event += 1) {
      expect(decoder.push(bytesOf(`data: ${"x".repeat(80)}\n\n`))).toHaveLength(1);
    }
  });

  it("takes a long event in small pieces without growing slow", () => {
    const piece = bytesOf("x".repeat(1024));
    const decoder = createSseDecoder();
    decoder.push(bytesOf("data: "));
    for (let count = 0; count < 4096; count += 1) decoder.push(piece);
    expect(decoder.push(bytesOf("\n\n"))[0]?.data.length).toBe(4096 * 1024);
  });
});
