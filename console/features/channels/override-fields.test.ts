import { describe, expect, it } from "vitest";
import { findOverrideMistake, NO_OVERRIDES, toOverrideFields, toOverridesText } from "./override-fields";

describe("a channel's overrides in its form", () => {
  it("come out as they went in, and nothing is an empty text", () => {
    const text = JSON.stringify({
      body: { set: { temperature: 0 } },
      headers: { "x-a": "***" },
      system_prompt: { text: "Be brief.", mode: "prepend" },
      status_codes: { "400": 500 },
    });
    const fields = toOverrideFields(text);
    expect(toOverridesText(fields)).toBe(text);
    expect(toOverridesText(toOverrideFields(""))).toBe("");
    expect(toOverrideFields("another server's text")).toEqual(NO_OVERRIDES);
    expect(toOverridesText({ ...NO_OVERRIDES, headers: [{ from: " ", to: "" }] })).toBe("");
  });

  it("take an object of fields as those to set", () => {
    expect(toOverridesText({ ...NO_OVERRIDES, body: '{"top_p":1}' })).toBe('{"body":{"set":{"top_p":1}}}');
  });

  it.each([
    [{ body: "{" }, "body", "not-json"],
    [{ body: '{"set":{"stream":true}}' }, "body", "path-reserved"],
    [{ headers: [{ from: "host", to: "x" }] }, "headers", "header-reserved"],
    [
      {
        headers: [
          { from: "X-A", to: "1" },
          { from: "x-a", to: "2" },
        ],
      },
      "headers",
      "header-name",
    ],
    [{ statuses: [{ from: "200", to: "500" }] }, "statuses", "status"],
    [{ passBody: true, prompt: "x" }, "passBody", "pass-alone"],
  ])("say where %j is wrong", (change, part, code) => {
    expect(findOverrideMistake({ ...NO_OVERRIDES, ...change })).toMatchObject({ part, code });
  });
});
