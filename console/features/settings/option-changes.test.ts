import { entryOf, OPTION_KEYS } from "@tollgate/contract/options/options";
import { otherValueOf } from "@tollgate/testkit/option-values";
import { describe, expect, it } from "vitest";
import { addDomain, findChanges, shownValue } from "./option-changes";
import { type FieldKey, sectionsOf } from "./sections";

const change = (key: FieldKey, typed: string, stored: string, isHttps = false) =>
  findChanges([key], { [key]: typed }, { [key]: stored }, isHttps);

describe("changes", () => {
  it("are only what differs, as text", () => {
    expect(
      findChanges(
        ["TopUpLink", "RetryTimes", "QuotaPerUnit"],
        { TopUpLink: "https://shop.example/", RetryTimes: "3", QuotaPerUnit: "500000" },
        { TopUpLink: "", RetryTimes: "0", QuotaPerUnit: "500000" },
        true,
      ),
    ).toEqual({
      changes: [
        { key: "TopUpLink", value: "https://shop.example" },
        { key: "RetryTimes", value: "3" },
      ],
      mistakes: {},
    });
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
      // What is only linked to may be plain.
      expect(change("TopUpLink", "http://shop.example", "", true).mistakes).toEqual({});
    },
  );

  it("leave an empty secret alone, and send a typed one untrimmed", () => {
    expect(change("SMTPToken", "", "").changes).toEqual([]);
    expect(change("SMTPToken", " x ", "").changes).toEqual([{ key: "SMTPToken", value: " x " }]);
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
    ["CompletionRatio", '{"gpt-5": -1}', { key: "setting.ratioShape" }],
    ["CompletionRatio", "{", { key: "optionInvalid.CompletionRatio", place: { line: 1, column: 2 } }],
    ["GroupRatio", '{"vip": "1"}', { key: "setting.ratioShape" }],
    ["GroupRatio", "", { key: "optionInvalid.GroupRatio", place: { line: 1, column: 1 } }],
    ["ModelRatio", '{\n  "a": 1,\n}', { key: "optionInvalid.ModelRatio", place: { line: 3, column: 1 } }],
  ])("of %s typed %j", (key, typed, mistake) => {
    expect(change(key, typed, "5")).toEqual({ changes: [], mistakes: { [key]: mistake } });
  });
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
