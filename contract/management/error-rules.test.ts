import { describe, expect, it } from "vitest";
import type { UpstreamSaying } from "../relay/error";
import {
  findErrorRule,
  MAX_ERROR_RULES,
  MAX_RULE_ITEMS,
  MAX_RULE_TEXT,
  MAX_RULE_WORD,
  type PreparedErrorRule,
  parseErrorRules,
  passableStatus,
  rewriteOf,
  textFor,
} from "./error-rules";

const OWN = { answer: "own", text: { en: "Busy" } };

const readAll = (rules: unknown): readonly PreparedErrorRule[] => {
  const parsed = parseErrorRules(JSON.stringify(rules));
  if ("fault" in parsed) throw new Error(parsed.fault);
  return parsed;
};

const faultOf = (rules: unknown): string | undefined => {
  const parsed = parseErrorRules(typeof rules === "string" ? rules : JSON.stringify(rules));
  return "fault" in parsed ? parsed.fault : undefined;
};

const SAID: UpstreamSaying = {
  channelId: 3,
  channelType: 14,
  status: 429,
  code: "insufficient_quota",
  message: "You exceeded your current QUOTA. 余额不足",
};

describe("the text of the rules", () => {
  it.each([
    ["{}", "JSON"],
    ["[", "JSON"],
    ["null", "JSON"],
    [[1], "1"],
    [[{ ...OWN, status: 200 }], "1.status"],
    [[{ ...OWN, status: 399 }], "1.status"],
    [[{ ...OWN, status: 600 }], "1.status"],
    [[{ ...OWN, status: 500.5 }], "1.status"],
    [[OWN, { ...OWN, status: "503" }], "2.status"],
    [[{ answer: "own" }], "1.text"],
    [[{ answer: "own", text: {} }], "1.text"],
    [[{ answer: "own", text: { en: " " } }], "1.text.en"],
    [[{ answer: "own", text: { en: "a\u0007" } }], "1.text.en"],
    [[{ answer: "own", text: { en: "x".repeat(MAX_RULE_TEXT + 1) } }], "1.text.en"],
    [[{ ...OWN, words: [" "] }], "1.words.0"],
    [[{ ...OWN, words: ["x".repeat(MAX_RULE_WORD + 1)] }], "1.words.0"],
    [[{ ...OWN, words: Array.from({ length: MAX_RULE_ITEMS + 1 }, () => "w") }], "1.words"],
    [[{ ...OWN, statuses: [100] }], "1.statuses.0"],
    [[{ ...OWN, statuses: ["2xx"] }], "1.statuses.0"],
    [[{ ...OWN, channels: [0] }], "1.channels.0"],
    [[{ ...OWN, code: "a b" }], "1.code"],
    [[{ ...OWN, code: "a\r\nset-cookie: b" }], "1.code"],
    [[{ answer: "drop" }], "1.answer"],
    [[{ ...OWN, regex: ".*" }], "1.regex"],
  ])("%j is wrong at %s", (rules, place) => {
    expect(faultOf(rules)).toBe(place);
  });

  it("has at most a hundred rules", () => {
    const many = Array.from({ length: MAX_ERROR_RULES }, () => OWN);
    expect(faultOf(many)).toBeUndefined();
    expect(faultOf([...many, OWN])).toBe(String(MAX_ERROR_RULES + 1));
  });
});

describe("the rule for an error", () => {
  it.each([
    ["no condition", {}, 0],
    ["its channel", { channels: [9, 3] }, 0],
    ["another channel", { channels: [9] }, -1],
    ["its type", { types: [14] }, 0],
    ["another type", { types: [1] }, -1],
    ["its status", { statuses: [503, 429] }, 0],
    ["its class", { statuses: ["4xx"] }, 0],
    ["another class", { statuses: ["5xx"] }, -1],
    ["words of any case", { words: ["nothing", "your current quota"] }, 0],
    ["words of its code", { words: ["INSUFFICIENT_"] }, 0],
    ["Chinese words", { words: ["余额"] }, 0],
    ["words as a pattern", { words: ["your.*quota"] }, -1],
    ["its status with other words", { statuses: [429], words: ["billing"] }, -1],
  ])("with %s", (_, conditions, expected) => {
    expect(findErrorRule(readAll([{ ...OWN, ...conditions }]), SAID)).toBe(expected);
  });

  it("is the first that fits", () => {
    const rules = readAll([{ ...OWN, statuses: [500] }, { ...OWN, words: ["quota"] }, OWN]);
    expect(findErrorRule(rules, SAID)).toBe(1);
    expect(findErrorRule(rules, { ...SAID, message: "", code: "" })).toBe(2);
    expect(findErrorRule(rules, { ...SAID, status: 500 })).toBe(0);
  });

  it("takes a connection without an answer for no class", () => {
    const none = { ...SAID, status: 0, message: "", code: "" };
    expect(findErrorRule(readAll([{ ...OWN, statuses: ["4xx", "5xx"] }]), none)).toBe(-1);
    expect(findErrorRule(readAll([OWN]), none)).toBe(0);
  });
});

it("passes on no text of a rule that passes the original on", () => {
  const [rule] = readAll([{ answer: "original", status: 503, text: { en: "left over" } }]);
  expect(rule && rewriteOf(rule)).toEqual({ isOriginal: true, status: 503 });
});

it.each([
  ["zh-TW", { "zh-TW": "繁", "zh-CN": "简", en: "E" }, "繁"],
  ["zh-TW", { "zh-CN": "简", en: "E" }, "简"],
  ["zh-TW", { en: "E" }, "E"],
  ["en", { "zh-CN": "简" }, "简"],
  ["en", {}, undefined],
])("for a reader of %s, of %j it shows %s", (language, text: Record<string, string>, shown) => {
  expect(textFor(text, language)).toBe(shown);
});

it.each([
  [0, undefined],
  [200, undefined],
  [302, undefined],
  [400, 400],
  [401, undefined],
  [429, 429],
  [529, 529],
  [700, undefined],
])("gives a client the upstream's status %i as %s", (status, passed) => {
  expect(passableStatus(status)).toBe(passed);
});
