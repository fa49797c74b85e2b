import { findRuleDateFault, parsePriceRules } from "@tollgate/contract/management/price-rule";
import { type Decimal, parseDecimal } from "@tollgate/contract/values/decimal";
import { describe, expect, it } from "vitest";
import { priceAnswer } from "./bill";
import { findPrice, type PriceBook } from "./price";
import { comparePrecedence, RuleBook } from "./price-rules";

const decimal = (text: string | number): Decimal => parseDecimal(text)!;
const table = (of: Record<string, number>) =>
  new Map(Object.entries(of).map(([name, value]) => [name, decimal(value)]));

const bookOf = (rules: object): RuleBook => {
  const parsed = parsePriceRules(JSON.stringify(rules));
  if ("fault" in parsed) throw new Error(String(parsed.fault));
  return new RuleBook(parsed);
};

const priceBook = (rules: object, more: Partial<PriceBook> = {}): PriceBook => ({
  modelRatios: table({ m: 2, "m-mini": 1 }),
  completionRatios: table({ m: 4, "m-mini": 4 }),
  groupRatios: table({ default: 1, vip: 0.5 }),
  rules: bookOf(rules),
  ...more,
});

const NOW = Date.parse("2026-06-01T00:00:00Z");
const ruleFor = (
  rules: object,
  { user, group = "default", model = "gpt-5-mini", asked = model, at = NOW } = {} as {
    user?: number;
    group?: string;
    model?: string;
    asked?: string;
    at?: number;
  },
) => bookOf(rules).find({ userId: user, group, model, requestedModel: asked }, at).rule?.name;

describe("the precedence of price rules", () => {
  it("is a customer's in a group, a customer's, a group's, all customers'", () => {
    const rules = {
      all: { models: "gpt-5-mini", factor: 1 },
      group: { group: "vip", models: "gpt-*", factor: 1 },
      user: { user: 7, models: "*", factor: 1 },
      both: { user: 7, group: "vip", models: "*", factor: 1 },
    };
    expect(ruleFor(rules, { user: 7, group: "vip" })).toBe("both");
    expect(ruleFor(rules, { user: 7 })).toBe("user");
    expect(ruleFor(rules, { user: 8, group: "vip" })).toBe("group");
    expect(ruleFor(rules, { user: 8 })).toBe("all");
    expect(ruleFor(rules)).toBe("all");
    expect(ruleFor(rules, { user: 8, model: "claude" })).toBeUndefined();
  });

  it("is a whole name, then the longer pattern", () => {
    const rules = {
      any: { models: "*", factor: 1 },
      short: { models: "gpt*", factor: 1 },
      long: { models: "gpt-5*", factor: 1 },
      exact: { models: "gpt-5", factor: 1 },
    };
    expect(ruleFor(rules, { model: "gpt-5" })).toBe("exact");
    expect(ruleFor(rules, { model: "gpt-5-pro" })).toBe("long");
    expect(ruleFor(rules, { model: "gpt-4" })).toBe("short");
    expect(ruleFor(rules, { model: "o3" })).toBe("any");
  });

  it("asks for the client's name only where a rule says so, and before the upstream's", () => {
    const rules = {
      alias: { models: "house-best", names: "requested", factor: 1 },
      upstream: { models: "gpt-5", factor: 1 },
    };
    expect(ruleFor(rules, { model: "gpt-5", asked: "house-best" })).toBe("alias");
    expect(ruleFor(rules, { model: "gpt-5" })).toBe("upstream");
    expect(ruleFor({ upstream: rules.upstream }, { model: "o3", asked: "gpt-5" })).toBeUndefined();
  });

  it("follows the dates, and knows until when an answer holds", () => {
    const book = bookOf({
      now: { models: "m", factor: 1, until: "2026-07-01" },
      soon: { models: "m", factor: 2, from: "2026-06-15" },
      over: { models: "m", factor: 3, until: "2026-05-01" },
    });
    const at = (text: string) =>
      book.find({ userId: 1, group: "g", model: "m", requestedModel: "m" }, Date.parse(text));
    expect(at("2026-06-01").rule?.name).toBe("now");
    expect(at("2026-06-01").untilMs).toBe(Date.parse("2026-06-15"));
    expect(at("2026-06-15").rule?.name).toBe("soon");
    expect(at("2026-07-02").rule?.name).toBe("soon");
  });

  it("is total and stable, in whichever order the rules were written", () => {
    let seed = 20_261_122;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const one = <T>(of: readonly T[]): T => of[random(of.length)] as T;
    for (let round = 0; round < 200; round++) {
      const entries = Array.from({ length: 1 + random(12) }, (_, index) => [
        `r${index}`,
        {
          ...(random(2) ? { user: 1 + random(2) } : {}),
          ...(random(2) ? { group: one(["a", "b"]) } : {}),
          models: one(["*", "m*", "*m", "m", "mm", "m*m"]),
          ...(random(2) ? { names: one(["upstream", "requested"]) } : {}),
          factor: random(5),
          ...(random(4) ? {} : { from: one(["2026-01-01", "2027-01-01"]) }),
        },
      ]);
      const book = bookOf(Object.fromEntries(entries));
      const shuffled = bookOf(Object.fromEntries(entries.toReversed()));
      expect(shuffled.rules.map(({ name }) => name)).toEqual(book.rules.map(({ name }) => name));
      for (const a of book.rules)
        for (const b of book.rules)
          expect(Math.sign(comparePrecedence(a, b)) + Math.sign(comparePrecedence(b, a))).toBe(0);
      const asked = { userId: 1 + random(2), group: one(["a", "b"]), model: one(["m", "mm", "x"]) };
      const request = { ...asked, requestedModel: one(["m", "x"]) };
      // Slowly, and without an index: the first in the whole order that fits.
      const expected = book.rules.find(({ rule, fromMs, untilMs }) => {
        const name = rule.names === "requested" ? request.requestedModel : request.model;
        const pattern = new RegExp(`^${rule.models.replaceAll("*", ".*")}$`);
        const isHis = rule.user === undefined || rule.user === request.userId;
        const isThere = rule.group === undefined || rule.group === request.group;
        return isHis && isThere && pattern.test(name) && fromMs <= NOW && NOW < untilMs;
      });
      expect(book.find(request, NOW).rule).toBe(expected);
    }
  });

  it("takes no longer for patterns that are made to be slow, or for ten thousand rules", () => {
    const rules: Record<string, object> = {};
    for (let index = 0; index < 9_999; index++)
      rules[`r${index}`] = { models: `${"*a".repeat(90)}${index}`, factor: 1 };
    rules.any = { models: "*", factor: 1 };
    const book = bookOf(rules);
    const started = performance.now();
    const model = "a".repeat(200);
    expect(book.find({ userId: 1, group: "g", model, requestedModel: model }, NOW).rule?.name).toBe("any");
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("accepts names of inherited object properties", () => {
    const text = '{"__proto__":{"group":"__proto__","models":"__proto__","factor":2}}';
    const parsed = parsePriceRules(text);
    if ("fault" in parsed) throw new Error(parsed.fault);
    const book = new RuleBook(parsed);
    const asked = { userId: 1, group: "__proto__", model: "__proto__", requestedModel: "__proto__" };
    expect(book.find(asked, NOW).rule?.name).toBe("__proto__");
    expect(book.find({ ...asked, group: "constructor" }, NOW).rule).toBeUndefined();
  });
});

describe("a price by a rule", () => {
  const charge = (rules: object, group: string, user = 7, more: Partial<PriceBook> = {}): number => {
    const payer = { id: user, groups: ["default"] };
    const price = findPrice(priceBook(rules, more), "m", group, NOW, payer);
    return priceAnswer(price!, 1000, 100).quota;
  };

  it("is the usual price times the rule's factor, at the rule's ratio or the group's, or the rule's own price", () => {
    expect(charge({}, "vip")).toBe((1000 + 100 * 4) * 2 * 0.5);
    expect(charge({ a: { user: 7, models: "m", factor: 0.8 } }, "vip")).toBe(1120);
    expect(charge({ a: { user: 7, models: "m", ratio: 0.25 } }, "vip")).toBe(700);
    expect(charge({ a: { user: 7, models: "m", ratio: 0.25, factor: 2 } }, "vip")).toBe(1400);
    // USD per million tokens, 500,000 points a dollar, at the group's ratio.
    const price = { input: 3, output: 15 };
    expect(charge({ a: { user: 7, models: "m", price } }, "vip")).toBe(1125);
    expect(charge({ a: { user: 7, models: "m", price, ratio: 1 } }, "vip")).toBe(2250);
    expect(charge({ a: { user: 7, models: "m", price: { perCall: 0.01 } } }, "default")).toBe(5000);
    expect(charge({ a: { user: 8, models: "m", factor: 0 } }, "vip")).toBe(1400);
  });

  it("is charged for a model that has none", () => {
    const book = priceBook({ a: { models: "new", price: { input: 2, output: 4 } } });
    expect(findPrice(book, "new", "default", NOW)?.isOutputPriced).toBe(true);
    expect(findPrice(priceBook({ a: { models: "new", factor: 2 } }), "new", "default", NOW)).toBeUndefined();
  });

  it("says which rule it was, in the log line too", () => {
    const book = priceBook({ "Acme 2026": { user: 7, models: "m*", factor: 0.8 } });
    const price = findPrice(book, "m", "vip", NOW, { id: 7, groups: ["vip"] });
    expect(price?.rule).toEqual({ name: "Acme 2026", factor: "0.8" });
    expect(price?.explanation.at(-1)).toEqual({ code: "price-rule", name: "Acme 2026" });
    expect(price?.unitText).toBe("2 × 0.4");
    expect(findPrice(book, "m", "vip", NOW)?.rule).toBeUndefined();
  });

  it("equals exact arithmetic, rounded up once", () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < 300; round++) {
      const [factor, ratio] = [random(3000), random(3000)];
      const rules = { a: { models: "*", factor: factor / 1000, ratio: ratio / 1000 } };
      const [prompt, written] = [1 + random(100_000), random(100_000)];
      const price = findPrice(priceBook(rules), "m", "vip", NOW)!;
      const exact = BigInt(prompt + written * 4) * 2n * BigInt(factor) * BigInt(ratio);
      const rounded = Number((exact + 999_999n) / 1_000_000n);
      expect(priceAnswer(price, prompt, written).quota).toBe(rounded);
    }
  });

  it("is, without a rule, at the ratio that the first of the user's groups has for the group", () => {
    const groupGroupRatios = new Map([
      ["vip", table({ default: 0.25 })],
      ["other", table({ default: 9, vip: 3 })],
    ]);
    const price = (groups: string[], group: string) =>
      findPrice(priceBook({}, { groupGroupRatios }), "m", group, NOW, { id: 1, groups })?.unitText;
    expect(price(["vip", "other"], "default")).toBe("2 × 0.25");
    expect(price(["other", "vip"], "default")).toBe("2 × 9");
    expect(price(["vip", "other"], "vip")).toBe("2 × 3");
    expect(price(["default"], "vip")).toBe("2 × 0.5");
  });
});

describe("the option PriceRules", () => {
  it.each([
    ["[]", "JSON"],
    ['{"a":{"models":"m"}}', "a.factor"],
    ['{"a":{"models":"","factor":1}}', "a.models"],
    ['{"a":{"models":"m","factor":-1}}', "a.factor"],
    ['{"a":{"models":"m","factor":1,"user":0}}', "a.user"],
    ['{"a":{"models":"m","factor":1,"what":0}}', "a.what"],
    ['{"a":{"models":"m","price":{"input":-1}}}', "a.price.input"],
    ['{"a":{"models":"m","price":{"input":1,"from":"2026-01-01"}}}', "a.price"],
    ['{"a":{"models":"m","factor":1,"from":"2026-02-01","until":"2026-01-01"}}', "a.until"],
    ['{" a":{"models":"m","factor":1}}', " a"],
  ])("is refused at its place: %s", (text, fault) => {
    expect(parsePriceRules(text)).toEqual({ fault });
  });

  it.each(["from", "until"])("names a day that does not exist in its field %s, and can be read", (field) => {
    const text = `{"a":{"models":"m","factor":1,"${field}":"2026-02-30"}}`;
    expect(parsePriceRules(text)).toBeInstanceOf(Map);
    expect(findRuleDateFault(text)).toEqual({ fault: `a.${field}` });
    expect(findRuleDateFault(text.replace("30", "28"))).toBeUndefined();
  });
});
