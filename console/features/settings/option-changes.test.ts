import { describe, expect, it } from "vitest";
import { addDomain, findChanges, shownValue } from "./option-changes";
import { OPERATION_SECTIONS, type OptionField, OTHER_SECTIONS, SYSTEM_SECTIONS } from "./options";

const fieldsOf = (...keys: string[]): OptionField[] =>
  [...OPERATION_SECTIONS, ...SYSTEM_SECTIONS, ...OTHER_SECTIONS]
    .flatMap((section) => section.fields ?? [])
    .filter((field) => keys.includes(field.key));

const change = (key: string, typed: string, stored: string, isHttps = false) =>
  findChanges(fieldsOf(key), { [key]: typed }, { [key]: stored }, isHttps);

describe("changes", () => {
  it("are only what differs, as text", () => {
    expect(
      findChanges(
        fieldsOf("TopUpLink", "RetryTimes", "QuotaPerUnit"),
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

  it.each(["Logo", "WeChatAccountQRCodeImageURL"])(
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
    const [field] = fieldsOf("ModelRatio");
    const shown = field ? shownValue(field, { ModelRatio: stored }) : "";
    expect(shown).toBe('{\n  "gpt-4": 15\n}');
    expect(change("ModelRatio", shown, stored)).toEqual({ changes: [], mistakes: {} });
  });
});

describe("mistakes", () => {
  it.each([
    ["RetryTimes", "-1", { key: "setting.wholeNumberInvalid", min: 0 }],
    ["RetryTimes", "1.5", { key: "setting.wholeNumberInvalid", min: 0 }],
    ["QuotaForNewUser", "", { key: "setting.wholeNumberInvalid", min: 0 }],
    ["ChannelDisableThreshold", "soon", { key: "setting.numberInvalid", min: 0 }],
    ["Logo", "logo.png", { key: "setting.urlInvalid" }],
    ["CompletionRatio", '{"gpt-5": -1}', { key: "setting.ratioShape" }],
    ["CompletionRatio", "{", { key: "setting.completionRatioInvalid", place: { line: 1, column: 2 } }],
    ["GroupRatio", '{"vip": "1"}', { key: "setting.ratioShape" }],
    ["GroupRatio", "", { key: "setting.groupRatioInvalid", place: { line: 1, column: 1 } }],
    ["ModelRatio", '{\n  "a": 1,\n}', { key: "setting.modelRatioInvalid", place: { line: 3, column: 1 } }],
  ])("of %s typed %j", (key, typed, mistake) => {
    expect(change(key, typed, "5")).toEqual({ changes: [], mistakes: { [key]: mistake } });
  });
});

it("ignores empty and repeated domains", () => {
  expect(addDomain(["qq.com"], " ")).toEqual(["qq.com"]);
  expect(addDomain(["qq.com"], "QQ.com")).toEqual(["qq.com"]);
  expect(addDomain(["qq.com"], "@example.com")).toEqual(["qq.com", "example.com"]);
});
