import { describe, expect, it } from "vitest";
import { readBodyPath } from "./channel-override-body";
import { OverridesInvalid } from "./channel-override-checks";
import { HIDDEN_VALUE } from "./channel-override-headers";
import { encodeOverrides, hideHeaders, parseOverrides, revealHeaders } from "./channel-overrides";

const faultOf = (text: string): string => {
  try {
    parseOverrides(text);
  } catch (error) {
    if (error instanceof OverridesInvalid) return `${error.code} ${error.at}`.trim();
    throw error;
  }
  return "";
};

const faultIn = (value: unknown): string => faultOf(JSON.stringify(value));

describe("overrides", () => {
  it("are read as they are written, and nothing is none", () => {
    const written = {
      body: { merge: { a: { b: 1 } }, set: { "c.d": null }, delete: ["e"] },
      headers: { "x-a": "Token {api_key}", "x-b": "{client:x-b}" },
      system_prompt: { text: "Be brief.", mode: "prepend" },
      status_codes: { "429": 500 },
    };
    expect(JSON.parse(encodeOverrides(parseOverrides(JSON.stringify(written))))).toEqual(written);
    for (const nothing of ["", " ", "{}", '{"body":{},"headers":{},"status_codes":{"400":400}}'])
      expect(parseOverrides(nothing)).toBeUndefined();
  });

  it("take the shapes that new-api has", () => {
    expect(
      parseOverrides(
        '{"body":{"temperature":0,"a.b":1},"headers":{"X-T":"{client_header:X-Title}"},"status_codes":{"400":"500"}}',
      ),
    ).toEqual({
      body: { set: { temperature: 0, "a\\.b": 1 } },
      headers: { "x-t": "{client:x-title}" },
      statusCodes: { "400": 500 },
    });
  });

  it("leave alone who answers, how, and the conversation, in any spelling and one level below", () => {
    for (const name of [
      "model",
      "Stream",
      "stream_options",
      "streamOptions",
      "messages",
      "system_instruction",
      "input",
    ]) {
      expect(faultIn({ body: { set: { [name]: 1 } } })).toBe(`path-reserved ${name}`);
      expect(faultIn({ body: { [name]: 1 } })).toBe(`path-reserved ${name}`);
      expect(faultIn({ body: { delete: [`${name}.x`] } })).toBe(`path-reserved ${name}.x`);
      expect(faultIn({ body: { merge: { extra_body: { [name]: 1 } } } })).toBe(
        `path-reserved extra_body.${name}`,
      );
      expect(faultIn({ body: { set: { extra_body: { [name]: 1 } } } })).toBe(
        `path-reserved extra_body.${name}`,
      );
    }
  });

  it("name nothing that every object has", () => {
    expect(faultOf('{"body":{"merge":{"__proto__":{"a":1}}}}')).toBe("path-invalid __proto__");
    expect(faultOf('{"body":{"set":{"a":{"b":{"__proto__":1}}}}}')).toBe("path-invalid __proto__");
    for (const path of ["__proto__.a", "a.constructor", "a..b", "", ".", "prototype"])
      expect(faultIn({ body: { delete: [path] } })).toMatch(/^path-invalid/);
    expect(faultIn({ headers: { ["__proto__" as string]: "x" } })).not.toBe("x");
    expect(faultOf('{"headers":{"__proto__":"x"}}')).toMatch(/^path-invalid|^header-name/);
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });

  it("are bounded in size and depth, without recursion", () => {
    expect(faultOf(`{"body":{"merge":${'{"a":'.repeat(40)}1${"}".repeat(40)}}}`)).toBe("too-large");
    expect(faultOf(`${"[".repeat(30_000)}`)).toBe("not-json");
    expect(faultOf(`{"body":{"set":{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}}}`)).toBe("too-large");
    expect(faultOf(`{"body":{"set":{"a":"${"x".repeat(70_000)}"}}}`)).toBe("too-large");
    expect(faultIn({ body: { delete: Array.from({ length: 65 }, (_, index) => `a${index}`) } })).toBe(
      "too-large",
    );
  });

  it("set no header that frames a request, and pass on nothing by which a client proves itself", () => {
    for (const name of [
      "Host",
      "content-length",
      "Transfer-Encoding",
      "connection",
      "proxy-authorization",
      "te",
    ])
      expect(faultIn({ headers: { [name]: "x" } })).toBe(`header-reserved ${name.toLowerCase()}`);
    for (const name of [
      "authorization",
      "Cookie",
      "x-api-key",
      "X-Goog-Api-Key",
      "host",
      "content-length",
      "a b",
      "",
    ])
      expect(faultIn({ headers: { "x-a": `{client:${name}}` } })).toMatch(/^header-of-client/);
    for (const value of ["a\r\nb: c", "a\nb", "\u0000", "ä", " ", "x".repeat(5000)])
      expect(faultIn({ headers: { "x-a": value } })).toBe("header-value x-a");
    expect(faultIn({ headers: { "x a": "b" } })).toBe("header-name x a");
    expect(faultIn({ headers: { "x-a": "b", "X-A": "c" } })).toBe("header-name X-A");
  });

  it("map errors to errors, and change no body that is passed as it is", () => {
    for (const codes of [{ "200": 500 }, { "429": 200 }, { "429": "x" }, { "99": 500 }, { "500": 600 }])
      expect(faultIn({ status_codes: codes })).toMatch(/^status/);
    expect(faultIn({ pass_body: true, body: { set: { a: 1 } } })).toBe("pass-alone body");
    expect(faultIn({ pass_body: true, system_prompt: { text: "x" } })).toBe("pass-alone system_prompt");
    expect(faultIn({ pass_body: true, cache_marks: true })).toBe("pass-alone cache_marks");
    expect(faultIn({ cache_marks: "yes" })).toBe("wrong-type cache_marks");
    expect(faultIn({ pass: true })).toBe("unknown-field pass");
    expect(faultIn({ system_prompt: { text: "x", mode: "append" } })).toBe("prompt system_prompt");
  });

  it("show no header's value, and take the stored one where it comes back hidden", () => {
    const stored = parseOverrides('{"headers":{"x-a":"secret","x-b":"{client:x-b}","x-c":"{api_key}"}}')!;
    const shown = hideHeaders(stored);
    expect(shown.headers).toEqual({ "x-a": HIDDEN_VALUE, "x-b": "{client:x-b}", "x-c": "{api_key}" });
    expect(revealHeaders(shown, stored)).toEqual(stored);
    expect(revealHeaders({ headers: { "x-new": HIDDEN_VALUE } }, stored)).toBeUndefined();
    expect(revealHeaders({ headers: { constructor: HIDDEN_VALUE } }, stored)).toBeUndefined();
  });

  it("write paths with dots in names", () => {
    expect(readBodyPath("a\\.b.c\\\\")).toEqual(["a.b", "c\\"]);
  });
});
