import { describe, expect, it } from "vitest";
import { MAX_SHOWN, readableText } from "./readable-text";

describe("a readable text", () => {
  it("has JSON on lines of its own", () => {
    expect(readableText("application/json", '{"a":[1,"你好"]}')).toBe(
      '{\n  "a": [\n    1,\n    "你好"\n  ]\n}',
    );
  });

  it.each([
    ["text/event-stream", 'data: {"a":1}\n\n'],
    ["text/plain", '{"a":1}'],
    ["application/json", '{"a":1,"b":"cut o'],
    ["application/json", `[${"1,".repeat(MAX_SHOWN / 2)}1]`],
  ])("of %s stays as it came where it is something else, cut or too long", (type, text) => {
    expect(readableText(type, text)).toBe(text);
  });
});
