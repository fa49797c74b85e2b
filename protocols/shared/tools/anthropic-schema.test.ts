import { describe, expect, it } from "vitest";
import { fitSchema } from "./anthropic-schema";

const TEXT = { type: "string" };
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const closed = (properties: object, more: object = {}) =>
  object(properties, { ...more, additionalProperties: false });

describe("a schema for Anthropic's structured outputs", () => {
  it("keeps the supported keywords, and moves all others into the description", () => {
    const tags = { type: "array", items: TEXT, minItems: 1, maxItems: 3, description: "Tags." };
    const at = { type: ["string", "null"], format: "date-time", title: "At" };
    const code = { type: "string", format: "iban", pattern: "^[A-Z]+$" };
    const kind = { enum: ["a", "b", null], default: "a" };
    expect(fitSchema({ $schema: "s", ...object({ tags, at, code, kind }, { required: ["at"] }) })).toEqual(
      closed(
        {
          tags: {
            type: "array",
            items: TEXT,
            minItems: 1,
            description: 'Tags.\n\n{"maxItems":3}',
          },
          at,
          code: { type: "string", description: '{"format":"iban","pattern":"^[A-Z]+$"}' },
          kind,
        },
        { required: ["at"] },
      ),
    );
  });

  it("closes objects in unions and definitions", () => {
    const schema = object(
      {
        a: { oneOf: [object({ b: TEXT }), { type: "null" }] },
        c: { allOf: [{ $ref: "#/$defs/C" }], description: "d" },
        d: { $ref: "#/definitions/D" },
      },
      { $defs: { C: object({ d: { $ref: "#/definitions/D" } }) }, definitions: { D: object({}) } },
    );
    expect(fitSchema(schema)).toEqual(
      closed(
        {
          a: { anyOf: [closed({ b: TEXT }), { type: "null" }] },
          c: { $ref: "#/$defs/C" },
          d: { $ref: "#/definitions/D" },
        },
        { $defs: { C: closed({ d: { $ref: "#/definitions/D" } }) }, definitions: { D: closed({}) } },
      ),
    );
  });

  const nested = (depth: number): object => (depth === 0 ? TEXT : object({ a: nested(depth - 1) }));

  it.each<[string, object]>([
    ["an object without properties", { type: "object" }],
    ["arbitrary fields", object({}, { additionalProperties: true })],
    ["fields of one type", object({}, { additionalProperties: TEXT })],
    ["fields by pattern", object({}, { patternProperties: { a: TEXT } })],
    ["a required field that is not declared", object({}, { required: ["a"] })],
    ["a value of any type", object({ a: {} })],
    ["elements of any type", object({ a: { type: "array" } })],
    ["objects in an enum", object({ a: { enum: [{}] } })],
    ["several conditions", object({ a: { allOf: [object({ b: TEXT }), object({ c: TEXT })] } })],
    ["a recursion to the root", object({ a: { $ref: "#" } })],
    [
      "a recursion of definitions",
      object({ a: { $ref: "#/$defs/A" } }, { $defs: { A: object({ a: { $ref: "#/$defs/A" } }) } }),
    ],
    ["a definition of another document", object({ a: { $ref: "https://example.com/a" } })],
    ["a missing definition", object({ a: { $ref: "#/$defs/toString" } }, { $defs: {} })],
    ["too many levels", nested(40)],
    ["too many schemas", object({ a: { anyOf: Array.from({ length: 600 }, () => TEXT) } })],
    [
      "too many optional fields",
      object(Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`a${i}`, TEXT]))),
    ],
  ])("does not exist for %s", (_, schema) => {
    expect(fitSchema(schema as Record<string, unknown>)).toBeUndefined();
  });
});
