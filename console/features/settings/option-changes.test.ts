import { entryOf, OPTION_KEYS } from "@tollgate/contract/options/options";
import { otherValueOf } from "@tollgate/testkit/option-values";
import { describe, expect, it } from "vitest";
import { addDomain, changeOf, findMistake, shownValue } from "./option-changes";
import { type FieldKey, sectionsOf } from "./sections";

/** The value to send for a typed text, or its mistake. */
const change = (key: FieldKey, typed: string, stored: string, isHttps = false) => {
  const value = changeOf(key, typed, { [key]: stored });
  const mistake = value === undefined ? undefined : findMistake(key, value, isHttps);
  return {
    changes: value === undefined || mistake ? [] : [{ key, value }],
    mistakes: mistake ? { [key]: mistake } : {},
  };
};

describe("changes", () => {
  it("are only the differences, as text", () => {
    expect(change("TopUpLink", "https://shop.example/", "").changes).toEqual([
      { key: "TopUpLink", value: "https://shop.example" },
    ]);
    expect(change("RetryTimes", "3", "0").changes).toEqual([{ key: "RetryTimes", value: "3" }]);
    expect(change("QuotaPerUnit", "500000", "500000").changes).toEqual([]);
  });

  it.each(["Logo", "WeChatAccountQRCodeImageURL"] as const)(
    "T7: of the picture %s are refused where a page of HTTPS would not draw them",
    (key) => {
      const plain = "http://example.com/picture.png";
      expect(change(key, plain, "", true)).toEqual({
        changes: [],
        mistakes: { [key]: { key: "setting.picturePlain" } },
      });
      expect(change(key, plain, "", false).changes).toEqual([{ key, value: plain }]);
      for (const drawn of ["https://example.com/p.png", "/logo.png", "data:image/png;base64,AA=="])
        expect(change(key, drawn, "", true).changes).toEqual([{ key, value: drawn }]);
      // A mere link may be plain HTTP.
      expect(change("TopUpLink", "http://shop.example", "", true).mistakes).toEqual({});
    },
  );

  it("leave an empty secret alone, and send a typed one untrimmed", () => {
    expect(change("SMTPToken", "", "").changes).toEqual([]);
    expect(change("SMTPToken", " x ", "").changes).toEqual([{ key: "SMTPToken", value: " x " }]);
  });

  it("V1: are texts without blanks and slashes at their ends, but for those of several lines", () => {
    expect(change("SystemName", " Acme ", "").changes).toEqual([{ key: "SystemName", value: "Acme" }]);
    expect(change("Notice", " two\nlines ", "").changes).toEqual([{ key: "Notice", value: " two\nlines " }]);
    expect(change("TopUpLink", " https://a.example// ", "").changes).toEqual([
      { key: "TopUpLink", value: "https://a.example" },
    ]);
    expect(change("EmailDomainWhitelist", "a.com, b.com,", "").changes).toEqual([
      { key: "EmailDomainWhitelist", value: "a.com,b.com" },
    ]);
    expect(changeOf("Notice", "", {})).toBeUndefined();
  });

  it("V1: show the stored values, JSON on lines of its own, and no secret", () => {
    const shown = (key: FieldKey, value?: string) =>
      shownValue(key, value === undefined ? {} : { [key]: value });
    expect(shown("ModelPrice", '{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(shown("ModelRatio", "no JSON")).toBe("no JSON");
    expect(shown("Notice", '{"a":1}')).toBe('{"a":1}');
    expect([shown("SMTPToken", "x"), shown("Notice")]).toEqual(["", ""]);
  });

  it("can empty a text", () => {
    expect(change("Notice", "", "old").changes).toEqual([{ key: "Notice", value: "" }]);
  });

  it("do not count the lines that JSON is shown on", () => {
    const stored = '{"gpt-4":15}';
    const shown = shownValue("ModelRatio", { ModelRatio: stored });
    expect(shown).toBe('{\n  "gpt-4": 15\n}');
    expect(change("ModelRatio", shown, stored)).toEqual({ changes: [], mistakes: {} });
  });
});

describe("mistakes", () => {
  it.each<[FieldKey, string, object]>([
    ["RetryTimes", "-1", { key: "setting.wholeNumberInvalid", min: 0 }],
    ["RetryTimes", "1.5", { key: "setting.wholeNumberInvalid", min: 0 }],
    ["QuotaForNewUser", "", { key: "setting.wholeNumberInvalid", min: 0 }],
    ["ChannelDisableThreshold", "soon", { key: "setting.numberInvalid", min: 0 }],
    ["Logo", "logo.png", { key: "setting.urlInvalid" }],
    ["Logo", "x https://a.example/l.png", { key: "setting.urlInvalid" }],
    ["Logo", "https://a.example/l.png x", { key: "setting.urlInvalid" }],
    ["ChannelDisableThreshold", "-0.5", { key: "setting.numberInvalid", min: 0 }],
    ["ChannelDisableThreshold", "", { key: "setting.numberInvalid", min: 0 }],
    ["ModelPrice", "{", { key: "setting.jsonInvalid", place: { line: 1, column: 2 } }],
    ["GroupRatio", "[1]", { key: "setting.ratioShape" }],
    ["GroupRatio", "null", { key: "setting.ratioShape" }],
    ["GroupRatio", "1", { key: "setting.ratioShape" }],
    ["ServiceTierRatio", "{", { key: "optionInvalid.ServiceTierRatio", place: { line: 1, column: 2 } }],
    ["CompletionRatio", '{"gpt-5": -1}', { key: "setting.ratioShape" }],
    ["CompletionRatio", "{", { key: "optionInvalid.CompletionRatio", place: { line: 1, column: 2 } }],
    ["GroupRatio", '{"vip": "1"}', { key: "setting.ratioShape" }],
    ["GroupRatio", "", { key: "optionInvalid.GroupRatio", place: { line: 1, column: 1 } }],
    ["ModelRatio", '{\n  "a": 1,\n}', { key: "optionInvalid.ModelRatio", place: { line: 3, column: 1 } }],
  ])("of %s typed %j", (key, typed, mistake) => {
    expect(change(key, typed, "5")).toEqual({ changes: [], mistakes: { [key]: mistake } });
  });
});

it.each([
  ["Logo", ""],
  ["Logo", "https://a.example/l.png"],
  ["TopUpLink", "http://a.example"],
  ["ChannelDisableThreshold", "0"],
  ["ChannelDisableThreshold", "1.5"],
  ["RetryTimes", "0"],
  ["ModelPrice", "[]"],
  ["GroupRatio", "{}"],
  ["GroupRatio", '{"vip":0}'],
] as const)("V1: of %s typed %j is sent", (key, value) => {
  expect(change(key, value, "5", true)).toEqual({ changes: [{ key, value }], mistakes: {} });
});

it("V1: takes several domains at once, in small letters", () => {
  expect(addDomain([], " A.com, b.com ")).toEqual(["a.com", "b.com"]);
  expect(addDomain([], "x@a.com")).toEqual(["x@a.com"]);
});

it("ignores empty and repeated domains", () => {
  expect(addDomain(["qq.com"], " ")).toEqual(["qq.com"]);
  expect(addDomain(["qq.com"], "QQ.com")).toEqual(["qq.com"]);
  expect(addDomain(["qq.com"], "@example.com")).toEqual(["qq.com", "example.com"]);
});

describe("the cards of the settings page", () => {
  const TABS = ["operation", "system", "other"] as const;
  const cards = (stored: Record<string, string>) => TABS.flatMap((tab) => sectionsOf(tab, stored));
  const keysOn = (stored: Record<string, string>) =>
    cards(stored).flatMap(({ switches, fields }) => [...switches, ...fields]);

  it("have every option that the server knows once", () => {
    const all = Object.fromEntries(OPTION_KEYS.map((key) => [key, ""]));
    expect(keysOn(all).toSorted()).toEqual([...OPTION_KEYS].toSorted());
  });

  it("have those of one-api alone for a server that tells no others, and no empty card", () => {
    expect(keysOn({}).toSorted()).toEqual(OPTION_KEYS.filter((key) => !entryOf(key).isExtra).toSorted());
    expect(cards({}).map(({ id }) => id)).not.toContain("bodies");
  });

  it("have the secrets of a card that the server knows, whose values are never told", () => {
    const told = Object.fromEntries(
      OPTION_KEYS.filter((key) => entryOf(key).type !== "secret").map((key) => [key, ""]),
    );
    expect(keysOn(told).toSorted()).toEqual([...OPTION_KEYS].toSorted());
  });

  it("save every field's other value, and nothing of one that was left as it was shown", () => {
    for (const key of cards(Object.fromEntries(OPTION_KEYS.map((each) => [each, ""]))).flatMap(
      ({ fields }) => fields,
    )) {
      const value = otherValueOf(key);
      expect([key, change(key, value, "{}")]).toEqual([key, { changes: [{ key, value }], mistakes: {} }]);
      expect([key, change(key, shownValue(key, { [key]: value }), value)]).toEqual([
        key,
        { changes: [], mistakes: {} },
      ]);
    }
  });
});
