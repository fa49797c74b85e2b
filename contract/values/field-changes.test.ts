import { createRandom } from "@tollgate/testkit/random";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { findChanges, leavesOf, MAX_TEXT, type Path, writePath, writeValue } from "./field-changes";

const NAMES = ["a", "b", "model", "messages", "content", "__proto__", "constructor", "a.b", "", "名", '"'];
const WORDS = [
  "hello there",
  "hi",
  "",
  "user",
  "x".repeat(5000),
  "data:image/png;base64,AAAA",
  "\ud83d\ude00".repeat(300),
];

/** Any JSON value. */
const anyValue = (random: () => number, depth = 0): unknown => {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const kind = Math.floor(random() * (depth > 3 ? 4 : 7));
  if (kind === 0) return pick(WORDS);
  if (kind === 1) return Math.floor(random() * 3);
  if (kind === 2) return random() < 0.5;
  if (kind === 3) return null;
  const size = Math.floor(random() * 4);
  if (kind === 4) return Array.from({ length: size }, () => anyValue(random, depth + 1));
  return Object.fromEntries(Array.from({ length: size }, () => [pick(NAMES), anyValue(random, depth + 1)]));
};

/** A value with some of it changed, moved and removed. */
const changed = (value: unknown, random: () => number): unknown => {
  if (random() < 0.1) return anyValue(random, 3);
  if (Array.isArray(value))
    return value.filter(() => random() < 0.9).map((each: unknown) => changed(each, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [random() < 0.1 ? "renamed" : name, changed(each, random)]),
  );
};

const flat = (body: unknown): Map<string, string> =>
  new Map([...(leavesOf(body) ?? [])].map(([key, { text }]) => [key, text]));

/** The fields of a body after the changes were made to it. */
const applied = (
  before: unknown,
  changes: NonNullable<ReturnType<typeof findChanges>>,
): Map<string, string> => {
  const fields = flat(before);
  const key = (path: Path) => JSON.stringify(path);
  for (const change of changes) fields.delete(key(change.kind === "moved" ? change.from : change.path));
  for (const change of changes)
    if (change.kind !== "removed") fields.set(key(change.path), JSON.stringify(change.after));
  return fields;
};

const sorted = (fields: ReadonlyMap<string, string>) => [...fields].sort(([a], [b]) => (a < b ? -1 : 1));

describe("the changes between two bodies", () => {
  it.each(someOf(Array.from({ length: 400 }, (_, seed) => seed)))(
    "make the second of the first (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const before = anyValue(random);
      const after = random() < 0.8 ? changed(before, random) : anyValue(random);
      const changes = findChanges(before, after) ?? [];
      expect(sorted(applied(before, changes))).toEqual(sorted(flat(after)));
      expect(findChanges(before, before)).toEqual([]);
      for (const change of changes) {
        const texts = [writePath(change.path), ...("after" in change ? [writeValue(change.after)] : [])];
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(MAX_TEXT);
      }
    },
  );

  it("know a field by its value in another place", () => {
    const before = {
      model: "m",
      messages: [{ role: "user", content: "Good morning" }],
      max_tokens: 5,
      seed: 1,
    };
    const after = {
      model: "n",
      messages: [{ role: "user", content: [{ type: "text", text: "Good morning" }] }],
      max_completion_tokens: 5,
    };
    expect(findChanges(before, after)).toEqual([
      { kind: "changed", path: ["model"], before: "m", after: "n" },
      {
        kind: "moved",
        path: ["messages", 0, "content", 0, "text"],
        from: ["messages", 0, "content"],
        after: "Good morning",
      },
      { kind: "removed", path: ["max_tokens"], before: 5 },
      { kind: "removed", path: ["seed"], before: 1 },
      { kind: "added", path: ["messages", 0, "content", 0, "type"], after: "text" },
      { kind: "added", path: ["max_completion_tokens"], after: 5 },
    ]);
  });

  it("end for deep and for wide bodies", () => {
    let deep: unknown = "core";
    for (let depth = 0; depth < 2000; depth += 1) deep = depth % 2 ? [deep] : { a: deep };
    expect(findChanges(deep, { a: 1 })?.length).toBeLessThan(5);
    const wide = Array.from({ length: 300_000 }, (_, index) => index);
    expect(findChanges(wide, [])).toBeUndefined();
    expect(findChanges({ a: wide }, {})).toBeUndefined();
    // A long name would stand in the path of each field below it.
    const below = { ["a".repeat(200_000)]: Array.from({ length: 19_000 }, () => 0) };
    expect(findChanges(below, {})).toBeUndefined();
  });
});

describe("a field for reading", () => {
  it.each([
    [["messages", 0, "content"], "messages[0].content"],
    [["a.b", "c"], '["a.b"].c'],
    [["a", ""], 'a[""]'],
    [[], ""],
  ])("has the path %j as %s", (path, text) => {
    expect(writePath(path)).toBe(text);
  });

  it.each([
    ["hi", '"hi"'],
    [5, "5"],
    [{ a: 1 }, '{"a":1}'],
    [`data:image/png;base64,${"A".repeat(9000)}`, "data:image/png,… (9022)"],
    ["iVBORw0KGgo".repeat(100), "iVBORw0KGgoiVBOR… (1100)"],
    ["word ".repeat(100), `"${"word ".repeat(27)}wor…" (500)`],
  ])("has the value %j cut", (value, text) => {
    expect(writeValue(value)).toBe(text);
  });
});
