import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { looseOf } from "./tolerant";

const schema = z.object({
  id: z.int().check(z.positive()),
  name: z.string(),
  count: z.int(),
  share: z.number(),
  isOn: z.boolean(),
  kind: z.enum(["a", "b"]),
  limit: z.optional(z.int()),
  note: z.optional(z.string()),
  tags: z.array(z.string()),
  words: z.record(z.string(), z.string()),
  rows: z.array(z.object({ name: z.string(), at: z.optional(z.int()) })),
  more: z.optional(z.object({ count: z.int() })),
});
const reader = looseOf(schema);
const read = (value: unknown) => reader.safeParse(value).data;

const WHOLE = {
  id: 1,
  name: "n",
  count: 2,
  share: 0.5,
  isOn: true,
  kind: "a",
  limit: 0,
  note: "",
  tags: ["x"],
  words: { a: "b" },
  rows: [{ name: "r", at: 3 }],
  more: { count: 4 },
} as const;
const NEUTRAL = {
  id: 1,
  name: "",
  count: 0,
  share: 0,
  isOn: false,
  kind: "a",
  tags: [],
  words: {},
  rows: [],
};
const JUNK = [null, undefined, "text", 7, Number.NaN, true, [], {}, [null], [{}], { a: 1 }];

describe("the reader that follows from a schema", () => {
  it("reads a whole value as it is", () => {
    expect(read(WHOLE)).toEqual(WHOLE);
  });

  it("reads a number and a switch that arrive as text", () => {
    expect(read({ ...WHOLE, count: "12", limit: "3", isOn: "true" })).toMatchObject({
      count: 12,
      limit: 3,
      isOn: true,
    });
  });

  it("puts the neutral value in place of a missing field", () => {
    expect(read({ id: 1, kind: "a" })).toEqual(NEUTRAL);
  });

  it("takes an unreadable field that may be absent as absent", () => {
    expect(read({ ...WHOLE, limit: "many", note: 4, more: [] })).toEqual({
      ...WHOLE,
      limit: undefined,
      note: undefined,
      more: undefined,
    });
  });

  it("leaves out unreadable items of a list", () => {
    expect(read({ ...WHOLE, tags: ["x", 1, null], rows: ["r", { name: 5 }, null] })).toMatchObject({
      tags: ["x"],
      rows: [{ name: "" }],
    });
  });

  it("reads no value without the fields that have no neutral value", () => {
    for (const wrong of [0, -1, "x", null])
      for (const name of ["id", "kind"]) expect(read({ ...WHOLE, [name]: wrong })).toBeUndefined();
  });

  it("never throws, and gives values of the schema alone", () => {
    for (const junk of JUNK) {
      expect(read(junk)).toBeUndefined();
      for (const name of Object.keys(WHOLE)) {
        const value = read({ ...WHOLE, [name]: junk });
        if (value !== undefined) expect(schema.safeParse(value).error).toBeUndefined();
      }
    }
  });
});
