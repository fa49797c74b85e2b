import { describe, expect, it, vi } from "vitest";
import { answerId } from "./answer/answer-id";
import { readRetryAfterSeconds } from "./errors/retry-after";
import { parseJson } from "./json/safe-json";
import { encodeDataUri, parseDataUri } from "./messages/data-uri";
import { imageMediaType } from "./messages/image-media-type";
import { effortOfBudget, nearestEffort } from "./request/reasoning-effort";
import { parseToolArguments } from "./tools/tool-arguments";

describe("parseJson", () => {
  it("returns undefined for invalid JSON, and null for null", () => {
    expect(parseJson("{")).toBeUndefined();
    expect(parseJson("")).toBeUndefined();
    expect(parseJson("null")).toBeNull();
    expect(parseJson("[1]")).toEqual([1]);
  });

  it("returns undefined for more values than it parses in some milliseconds, and reads long texts", () => {
    for (const value of ["{}", "[]", "1", '"a"', '{"a":1}']) {
      const many = (count: number): string => `[${`${value},`.repeat(count)}0]`;
      expect(parseJson(many(190_000))).toHaveLength(190_001);
      const parse = vi.spyOn(JSON, "parse");
      expect(parseJson(many(400_000))).toBeUndefined();
      expect(parse).not.toHaveBeenCalled();
      parse.mockRestore();
    }
    const text = 'a, "[{\n'.repeat(1_000_000);
    expect(parseJson(JSON.stringify({ text }))).toEqual({ text });
  });
});

describe("readRetryAfterSeconds", () => {
  it.each([
    [{ "retry-after": "20" }, 20],
    [{ "retry-after-ms": "1500", "retry-after": "2" }, 1.5],
    [{ "retry-after": ["7", "9"] }, 7],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT", date: "Sat, 21 Nov 2026 10:00:00 GMT" }, 30],
    [{ "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-3" }, undefined],
    [{ "retry-after": "9999999" }, 86_400],
    [{}, undefined],
  ])("reads %j as %s", (headers, expected) => {
    expect(readRetryAfterSeconds(headers)).toBe(expected);
  });
});

describe("data addresses", () => {
  it("are read and written", () => {
    expect(parseDataUri("data:image/PNG;base64,AAAA")).toEqual({ mediaType: "image/png", data: "AAAA" });
    expect(parseDataUri("data:text/plain;charset=utf-8;base64,AA")).toEqual({
      mediaType: "text/plain",
      data: "AA",
    });
    expect(parseDataUri("data:;base64,AA")).toEqual({ mediaType: "", data: "AA" });
    expect(parseDataUri("data:text/plain,hello")).toBeUndefined();
    expect(parseDataUri("https://x/y,z")).toBeUndefined();
    expect(encodeDataUri("image/gif", "R0lG")).toBe("data:image/gif;base64,R0lG");
  });

  it("may be of 30 MB, whatever stands in front of their data", () => {
    const data = "AAAA".repeat(7_500_000);
    expect(parseDataUri(`data:image/png;base64,${data}`)?.data).toHaveLength(data.length);
    for (const filler of [";a", ";", ";base64", "data:", "a"])
      expect(
        parseDataUri(`data:image/png${filler.repeat(30_000_000 / filler.length)};base64,AA`),
      ).toBeUndefined();
  });
});

describe("imageMediaType", () => {
  it.each([
    ["iVBORw0KGgoAAAANSUhEUg==", "image/jpeg", "image/png"],
    ["/9j/4AAQSkZJRgABAQAAAQ==", undefined, "image/jpeg"],
    ["R0lGODlhAQABAIAAAAAAAA==", "", "image/gif"],
    ["UklGRiIAAABXRUJQVlA4IA==", undefined, "image/webp"],
    ["AAAAAAAAAAAAAAAA", "image/avif", "image/avif"],
    ["AAAAAAAAAAAAAAAA", undefined, undefined],
  ])("looks into %s declared as %s and finds %s", (bytes, declared, expected) => {
    expect(imageMediaType(bytes, declared)).toBe(expected);
  });
});

describe("answerId", () => {
  it("spells ids in the client's way", () => {
    expect(answerId("msg_01X", "f", "chatcmpl-")).toBe("chatcmpl-01X");
    expect(answerId("chatcmpl-01X", "f", "chatcmpl-")).toBe("chatcmpl-01X");
    expect(answerId("chatcmpl-1", "f", "msg_")).toBe("msg_1");
    expect(answerId("", "f", "msg_")).toBe("f");
  });
});

describe("parseToolArguments", () => {
  it("keeps arguments that are no object", () => {
    expect(parseToolArguments('{"a":1}')).toEqual({ a: 1 });
    expect(parseToolArguments(" ")).toEqual({});
    expect(parseToolArguments('{"a":')).toEqual({ _raw: '{"a":' });
    expect(parseToolArguments("[1]")).toEqual({ _raw: "[1]" });
  });
});

describe("reasoning efforts", () => {
  it("stand for budgets", () => {
    expect([0, 1024, 1025, 8192, 24_576, 24_577].map(effortOfBudget)).toEqual([
      "none",
      "low",
      "medium",
      "medium",
      "high",
      "xhigh",
    ]);
  });

  it("step down to a level of the model, or up to its lowest", () => {
    expect(nearestEffort("max", ["low", "high"])).toBe("high");
    expect(nearestEffort("medium", ["low", "high"])).toBe("low");
    expect(nearestEffort("none", ["low", "high"])).toBe("low");
    expect(nearestEffort("high", [])).toBeUndefined();
  });
});
