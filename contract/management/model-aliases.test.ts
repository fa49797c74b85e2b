import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { MAX_ALIASES, type ModelAliases, parseModelAliases, readModelAliases } from "./model-aliases";

const parse = (aliases: object | string) =>
  parseModelAliases(typeof aliases === "string" ? aliases : JSON.stringify(aliases));

const faultOf = (aliases: object | string): unknown => {
  const parsed = parse(aliases);
  return parsed && "fault" in parsed ? parsed.fault : undefined;
};

const aliasesOf = (aliases: object): ModelAliases => {
  const parsed = parse(aliases);
  if (!parsed || "fault" in parsed) throw new Error("these aliases are invalid");
  return parsed;
};

describe("the aliases of a key or a user", () => {
  it("stand for a model under an exact name, or under the longest beginning that fits", () => {
    const { find, names } = aliasesOf({
      "claude-*": "glm-4.6",
      "claude-haiku*": "deepseek-chat",
      "claude-haiku-4-5": "kimi-k2",
    });
    expect(find("claude-haiku-4-5")).toBe("kimi-k2");
    expect(find("claude-haiku-3")).toBe("deepseek-chat");
    expect(find("claude-opus-4-1")).toBe("glm-4.6");
    expect(find("claude")).toBeUndefined();
    expect(find("Claude-haiku-4-5")).toBeUndefined();
    expect(names).toEqual(["claude-haiku-4-5"]);
  });

  it("are none for an empty text or an empty object", () => {
    expect(parse("")).toBeUndefined();
    expect(parse(" ")).toBeUndefined();
    expect(parse({})).toBeUndefined();
  });

  it("may have names that objects use themselves", () => {
    const { find } = aliasesOf(JSON.parse('{"__proto__":"m","constructor":"n"}') as object);
    expect([find("__proto__"), find("constructor"), find("toString")]).toEqual(["m", "n", undefined]);
  });

  it("are refused as anything other than an object of names and models", () => {
    expect(faultOf("{")).toEqual({ code: "not-aliases" });
    expect(faultOf("[]")).toEqual({ code: "not-aliases" });
    expect(faultOf('"a"')).toEqual({ code: "not-aliases" });
    expect(faultOf({ a: 1 })).toEqual({ code: "model-invalid", name: "a" });
    expect(faultOf({ a: "" })).toEqual({ code: "model-invalid", name: "a" });
    expect(faultOf({ a: "m-*" })).toEqual({ code: "model-invalid", name: "a" });
    expect(faultOf({ a: { name: "m" } })).toEqual({ code: "model-invalid", name: "a" });
  });

  it("are refused when too many or too long", () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, "m"]));
    expect(faultOf(many(MAX_ALIASES))).toBeUndefined();
    expect(faultOf(many(MAX_ALIASES + 1))).toEqual({ code: "too-many" });
    expect(faultOf({ ["x".repeat(201)]: "m" })).toMatchObject({ code: "name-invalid" });
    expect(faultOf({ a: "m".repeat(201) })).toMatchObject({ code: "model-invalid" });
  });

  it.each(["", " a", "a ", "a\u0000", "gpt\u200b-5", "\u202egpt", "a\ud800", "a*b", "**", "a\nb"])(
    "are refused with the name %j",
    (name) => {
      expect(faultOf({ [name]: "m" })).toEqual({ code: "name-invalid", name });
    },
  );

  it("are refused when one leads to another, with both names", () => {
    expect(faultOf({ a: "b", b: "c" })).toEqual({ code: "chain", name: "a", model: "b" });
    expect(faultOf({ a: "b", b: "a" })).toEqual({ code: "chain", name: "a", model: "b" });
    expect(faultOf({ a: "claude-x", "claude-*": "m" })).toMatchObject({ code: "chain" });
    // A name may stand for itself, as an exception of a wildcard.
    expect(faultOf({ "*": "m", "gpt-5": "gpt-5" })).toBeUndefined();
    expect(faultOf({ "gpt-*": "gpt-5" })).toBeUndefined();
  });

  it.each(seeds(500))("resolve any name to a model that is no alias of another one, seed %i", (seed) => {
    const random = createRandom(seed);
    const name = (): string =>
      Array.from({ length: 1 + random() * 3 }, () => "ab*"[Math.floor(random() * 3)]).join("");
    const entries = Object.fromEntries(Array.from({ length: 1 + random() * 4 }, () => [name(), name()]));
    const aliases = readModelAliases(JSON.stringify(entries));
    if (!aliases) return;
    for (let asked = 0; asked < 20; asked += 1) {
      const found = aliases.find(name());
      if (found !== undefined) expect(aliases.find(found) ?? found).toBe(found);
    }
  });
});
