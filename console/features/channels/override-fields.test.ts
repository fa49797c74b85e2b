import { describe, expect, it } from "vitest";
import {
  findOverrideMistake,
  NO_OVERRIDES,
  showAsForm,
  showAsJson,
  toOverrideFields,
  toOverridesText,
} from "./override-fields";

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

describe("a channel's overrides as JSON", () => {
  const ALL = {
    body: { merge: { reasoning: { effort: "low" } }, set: { temperature: 0 }, delete: ["user"] },
    headers: { "x-a": "***", "x-b": "{client:x-b}" },
    system_prompt: { text: "Be brief.", mode: "prepend" },
    status_codes: { "400": 500 },
    cache_marks: true,
  };

  it.each([{}, ALL, { headers: ALL.headers, pass_body: true }, { body: ALL.body }])(
    "lose nothing on the way there and back: %j",
    (overrides) => {
      const text = Object.keys(overrides).length === 0 ? "" : JSON.stringify(overrides);
      const fields = toOverrideFields(text);
      const { json = "" } = showAsJson(fields) ?? {};
      expect(json === "" ? {} : JSON.parse(json)).toEqual(overrides);
      expect(toOverridesText({ ...NO_OVERRIDES, json })).toBe(text);
      expect(showAsForm(json)).toEqual(fields);
    },
  );

  it("keep every digit of the body", () => {
    const body = '{\n  "set": {\n    "seed": 12345678901234567890\n  }\n}';
    const { json = "" } = showAsJson({ ...NO_OVERRIDES, body }) ?? {};
    expect(json).toContain("12345678901234567890");
    expect(showAsForm(json)?.body).toBe(body);
  });

  it("take mistakes along that a text can hold, and refuse the others", () => {
    const headers = [{ from: "host", to: "x" }];
    expect(showAsJson({ ...NO_OVERRIDES, headers })?.json).toContain('"host": "x"');
    expect(showAsJson({ ...NO_OVERRIDES, body: "{" })).toBeUndefined();
    const twice = { from: "X-A", to: "1" };
    expect(showAsJson({ ...NO_OVERRIDES, headers: [twice, { ...twice, from: "x-a" }] })).toBeUndefined();
    expect(showAsJson({ ...NO_OVERRIDES, statuses: [twice, twice] })).toBeUndefined();
    expect(showAsForm("{")).toBeUndefined();
    expect(showAsForm('{"headers":{"host":"x"}}')).toBeUndefined();
  });

  it.each([
    ['{\n  "body": [', "not-json", { line: 2, column: 12 }],
    ['{\n  "header": {}\n}', "unknown-field", { line: 2, column: 3 }],
    ['{\n  "headers": {\n    "Host": "x"\n  }\n}', "header-reserved", { line: 3, column: 5 }],
    ['{\n  "body": {\n    "set": { "a.b": 1, "stream": true } } }', "path-reserved", { line: 3, column: 24 }],
    ['{ "body": { "merge": { "a": { "model": 1 } } } }', "path-reserved", { line: 1, column: 31 }],
    ['{ "status_codes": { "200": 500 } }', "status", { line: 1, column: 21 }],
    ["[]", "wrong-type", undefined],
  ])("say where %j is wrong", (json, code, position) => {
    expect(findOverrideMistake({ ...NO_OVERRIDES, json })).toMatchObject({ part: "json", code, position });
  });
});
