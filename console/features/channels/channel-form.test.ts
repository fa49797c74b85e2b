import type { Channel } from "@tollgate/contract/control/channel";
import { describe, expect, it } from "vitest";
import { groupTone } from "../../components/group-badges";
import { balanceText } from "./balance-text";
import { responseTone } from "./channel-cells";
import {
  channelFieldsSchema,
  modelsForType,
  NEW_CHANNEL,
  otherForType,
  toChannelFields,
  toCreateBody,
  toUpdateBody,
} from "./channel-form";

const CHANNEL: Channel = {
  id: 7,
  type: 1,
  name: "main",
  status: 1,
  weight: 0,
  priority: 0,
  createdTime: 0,
  testTime: 0,
  responseTimeMs: 0,
  baseUrl: "https://a.example",
  other: "",
  balance: 0,
  balanceUpdatedTime: 0,
  models: ["gpt-4"],
  groups: ["default"],
  usedQuota: 0,
  modelMapping: { a: "b" },
  keyCount: 1,
  deadKeyCount: 0,
  proxy: "",
};

const mistakes = (change: Partial<typeof NEW_CHANNEL>, isNew = true): string[] => {
  const filled = { ...NEW_CHANNEL, name: "n", key: "k", models: ["m"] };
  const parsed = channelFieldsSchema(isNew).safeParse({ ...filled, ...change });
  return parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
};

describe("what is sent", () => {
  it("joins lists, cleans keys and strips trailing slashes", () => {
    const fields = {
      ...NEW_CHANNEL,
      name: " n ",
      key: " k1 \n\n k2",
      baseUrl: "https://a.example//",
      models: ["x", "y"],
      groups: ["default", "vip"],
    };
    expect(toCreateBody(fields)).toMatchObject({
      type: 1,
      name: "n",
      key: "k1\nk2",
      base_url: "https://a.example",
      models: "x,y",
      group: "default,vip",
    });
  });

  it.each([
    [3, "2023-06-01-preview"],
    [18, "v2.1"],
    [21, ""],
  ])("fills in the other of type %d", (type, other) => {
    expect(toCreateBody({ ...NEW_CHANNEL, type }).other).toBe(other);
    expect(toCreateBody({ ...NEW_CHANNEL, type, other: "mine" }).other).toBe("mine");
  });

  it("T10: holds no other where the type has no such field, and none that meant something else", () => {
    expect(toCreateBody({ ...NEW_CHANNEL, type: 1, other: "v2.1" }).other).toBe("");
    expect(otherForType(3, 18, "v3.1")).toBe("");
    expect(otherForType(1, 18, "v3.1")).toBe("");
    expect(otherForType(18, 18, "v3.1")).toBe("v3.1");
  });

  it("is the whole form on a change, with a key only where one was typed", () => {
    const before = toChannelFields(CHANNEL);
    expect(toUpdateBody(7, { ...before, name: "new" }, before)).toEqual({
      id: 7,
      type: 1,
      name: "new",
      base_url: "https://a.example",
      other: "",
      models: "gpt-4",
      group: "default",
      model_mapping: '{\n  "a": "b"\n}',
    });
    expect(toUpdateBody(7, { ...before, key: " k " }, before).key).toBe("k");
    expect(toUpdateBody(7, { ...before, proxy: "http://p" }, before).proxy).toBe("http://p");
  });
});

describe("what is refused", () => {
  it("asks for name and key only on creation", () => {
    expect(mistakes({ name: " ", key: "" })).toEqual(["name: field.missing", "key: field.missing"]);
    expect(mistakes({ name: "", key: "" }, false)).toEqual([]);
  });
  it("asks for a model and for a mapping that is one", () => {
    expect(mistakes({ models: [] })).toEqual(["models: channelForm.modelsMissing"]);
    expect(mistakes({ mapping: '{"a":' })).toEqual(["mapping: channelForm.mappingInvalid"]);
    expect(mistakes({ mapping: "[1]" })).toEqual(["mapping: channelForm.mappingInvalid"]);
    expect(mistakes({ mapping: '{"a":"b"}' })).toEqual([]);
  });
  it("asks a custom channel for its address, and every vendor that has none of its own", () => {
    for (const type of [3, 8, 37]) {
      expect(mistakes({ type })).toEqual(["baseUrl: field.missing"]);
      expect(mistakes({ type, baseUrl: "https://a.example" })).toEqual([]);
    }
    expect(mistakes({ type: 14 })).toEqual([]);
  });
});

describe("business constants", () => {
  it("presets models for a type only where there are none", () => {
    expect(modelsForType(14, [])).toContain("claude-opus-5-5");
    expect(modelsForType(14, ["mine"])).toEqual(["mine"]);
    expect(modelsForType(1, [])).toEqual([]);
  });
  it.each([
    [0, "grey"],
    [1000, "green"],
    [1001, "olive"],
    [3000, "olive"],
    [5000, "yellow"],
    [5001, "red"],
  ])("colours %d ms %s", (time, tone) => expect(responseTone(time)).toBe(tone));
  it("colours groups", () => {
    expect(["vip", "pro", "svip", "premium", "default"].map(groupTone)).toEqual([
      "yellow",
      "yellow",
      "red",
      "red",
      "grey",
    ]);
  });
  it("writes a balance in its type's unit", () => {
    expect([1, 8, 4, 12, 5, 14].map((type) => balanceText(type, 12_345))).toEqual([
      "$12345.00",
      "$12345.00",
      "¥12345.00",
      "¥12345.00",
      "¥1.23",
      undefined,
    ]);
    expect(balanceText(10, 12_345)).toBe("12.3k");
  });
});
