import { channelOf } from "@tollgate/testkit/channel-of";
import { describe, expect, it } from "vitest";
import { groupTone } from "../../components/group-badges";
import { balanceText } from "./balance-text";
import { responseTone } from "./channel-cells";
import {
  channelFieldsSchema,
  isBasicModel,
  mayNeedKeyAgain,
  modelsForType,
  NEW_CHANNEL,
  otherForType,
  toChannelFields,
  toCreateBody,
  toUpdateBody,
} from "./channel-form";
import { NO_CHANNEL_LIMITS } from "./channel-limits";
import { NO_OVERRIDES } from "./override-fields";

const CHANNEL = channelOf({
  id: 7,
  name: "main",
  baseUrl: "https://a.example",
  models: ["gpt-4"],
  modelMapping: { a: "b" },
});

const mistakes = (change: Partial<typeof NEW_CHANNEL>, isNew = true): string[] => {
  const filled = { ...NEW_CHANNEL, name: "n", key: "k", models: ["m"] };
  const parsed = channelFieldsSchema(isNew).safeParse({ ...filled, ...change });
  return parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
};

describe("the body that the form sends", () => {
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

  it("keeps what another administrator has changed since the form was opened", () => {
    const before = toChannelFields(CHANNEL);
    const now = toChannelFields({
      ...CHANNEL,
      type: 3,
      name: "renamed",
      baseUrl: "https://b.example",
      other: "2024-02-01",
      models: ["gpt-4", "gpt-5"],
      groups: ["vip"],
      modelMapping: {},
    });
    expect(toUpdateBody(7, { ...before, models: ["gpt-6"] }, before, now)).toEqual({
      id: 7,
      type: 3,
      name: "renamed",
      base_url: "https://b.example",
      other: "2024-02-01",
      models: "gpt-6",
      group: "vip",
      model_mapping: "",
    });
    expect(toUpdateBody(7, { ...before, type: 14 }, before, now)).toMatchObject({ type: 14, other: "" });
  });

  it("sends overrides that only move with the address as they are stored by now", () => {
    const before = toChannelFields({ ...CHANNEL, overrides: '{"headers":{"x-a":"1"}}' });
    const now = toChannelFields({ ...CHANNEL, overrides: '{"headers":{"x-a":"2"}}' });
    const moved = { ...before, baseUrl: "https://b.example" };
    expect(toUpdateBody(7, moved, before, now).overrides).toBe('{"headers":{"x-a":"2"}}');
    expect(toUpdateBody(7, { ...before, name: "n" }, before, now)).not.toHaveProperty("overrides");
  });

  it("V1: names a proxy and several keys in one channel only where there are any", () => {
    const plain = toCreateBody({ ...NEW_CHANNEL, proxy: "  " });
    expect("proxy" in plain || "multi_key" in plain).toBe(false);
    const used = toCreateBody({ ...NEW_CHANNEL, proxy: " http://p:1 ", isMultiKey: true });
    expect(used).toMatchObject({ proxy: "http://p:1", multi_key: true });
  });

  it("V1: takes an other without the blanks around it, and the default for blanks alone", () => {
    expect(toCreateBody({ ...NEW_CHANNEL, type: 18, other: " v3 " }).other).toBe("v3");
    expect(toCreateBody({ ...NEW_CHANNEL, type: 18, other: "  " }).other).toBe("v2.1");
  });

  it("V1: takes texts without the blanks around them", () => {
    const before = toChannelFields({ ...CHANNEL, proxy: "http://p" });
    const sent = toUpdateBody(
      7,
      {
        ...before,
        name: " n ",
        baseUrl: " https://b.example/v1/ ",
        mapping: ' {"a":"c"} ',
        proxy: " http://p ",
      },
      before,
    );
    expect(sent).toMatchObject({ name: "n", base_url: "https://b.example/v1", model_mapping: '{"a":"c"}' });
    expect("proxy" in sent || "key" in sent).toBe(false);
    expect(toUpdateBody(7, { ...before, proxy: "" }, before).proxy).toBe("");
  });

  it("V1: may lack a key that has to be typed again, where the place that it is sent to has changed", () => {
    const before = toChannelFields(CHANNEL);
    expect(mayNeedKeyAgain(before, before)).toBe(false);
    expect(mayNeedKeyAgain({ ...before, name: "new", models: ["x"] }, before)).toBe(false);
    for (const change of [
      { type: 3 },
      { baseUrl: "https://b.example" },
      { other: "x" },
      { proxy: "http://p" },
    ]) {
      expect(mayNeedKeyAgain({ ...before, ...change, key: "  " }, before)).toBe(true);
      expect(mayNeedKeyAgain({ ...before, ...change, key: "k" }, before)).toBe(false);
    }
  });
});

it("V1: the form of a stored channel shows no key, an empty mapping as nothing, and several keys as such", () => {
  expect(toChannelFields({ ...CHANNEL, modelMapping: {}, keyCount: 2 })).toEqual({
    type: 1,
    name: "main",
    groups: ["default"],
    models: ["gpt-4"],
    mapping: "",
    key: "",
    baseUrl: "https://a.example",
    other: "",
    proxy: "",
    isMultiKey: true,
    tag: "",
    testModel: "",
    skipsTests: false,
    calendar: {},
    overrides: NO_OVERRIDES,
    limits: NO_CHANNEL_LIMITS,
  });
  expect(toChannelFields(CHANNEL).isMultiKey).toBe(false);
});

describe("limits of the upstream", () => {
  const limited = { ...CHANNEL, rpm: 60, keyConcurrency: 2 };

  it("are sent if they changed, and as 0 if they were removed", () => {
    const before = toChannelFields(limited);
    expect(before.limits).toMatchObject({ rpm: "60", keyConcurrency: "2", tpm: "" });
    expect(toUpdateBody(3, before, before)).not.toHaveProperty("rpm");
    const limits = { ...before.limits, rpm: " ", tpm: "500", keyConcurrency: "2" };
    const body = toUpdateBody(3, { ...before, limits }, before);
    expect(body).toMatchObject({ rpm: 0, tpm: 500 });
    expect(body).not.toHaveProperty("key_concurrency");
    expect(toCreateBody({ ...before, limits })).toMatchObject({ tpm: 500, key_concurrency: 2 });
  });

  it.each(["0", "-1", "1.5", "3601", "99999999999999999999"])("of time are not taken as %j", (seconds) => {
    const limits = { ...toChannelFields(CHANNEL).limits, firstTokenSeconds: seconds };
    expect(mistakes({ limits })).toEqual(["limits.firstTokenSeconds: field.seconds"]);
  });

  it.each(["-1", "1.5", "many", "99999999999999999999"])("are not taken as %j", (rpm) => {
    const limits = { ...toChannelFields(CHANNEL).limits, rpm };
    expect(mistakes({ limits })).toEqual(["limits.rpm: field.wholeNumber"]);
  });
});

describe("the check of the form", () => {
  it.each([
    ["", []],
    ["  ", []],
    [" http://p.example:8080 ", []],
    ["ahttp://p.example", ["proxy: channelForm.proxyInvalid"]],
    ["https://u:p@p.example", []],
    ["socks5://p.example", []],
    ["socks5h://u:p@p.example:1080", []],
    ["socks4://p.example", ["proxy: channelForm.proxyInvalid"]],
    ["socks5://", ["proxy: channelForm.proxyInvalid"]],
    ["socks5:p.example", ["proxy: channelForm.proxyInvalid"]],
    ["x http://p.example", ["proxy: channelForm.proxyInvalid"]],
    ["http://", ["proxy: channelForm.proxyInvalid"]],
    ["http://a b", ["proxy: channelForm.proxyInvalid"]],
  ])("V1: of the proxy %j finds %j", (proxy, found) => expect(mistakes({ proxy })).toEqual(found));

  it("V1: requires no further fields for a channel of an unknown type, and sends none", () => {
    expect(mistakes({ type: 999 })).toEqual([]);
    expect(toCreateBody({ ...NEW_CHANNEL, type: 999, other: "x" }).other).toBe("");
    expect(modelsForType(999, [])).toEqual([]);
    expect(otherForType(999, 18, "x")).toBe("");
    expect(otherForType(18, 999, "x")).toBe("");
    expect(otherForType(18, 1, "x")).toBe("");
  });

  it("V1: asks for a group", () => {
    expect(mistakes({ groups: [] })).toEqual(["groups: field.missing"]);
    expect(mistakes({ type: 8, baseUrl: " " })).toEqual(["baseUrl: field.missing"]);
  });

  it("asks for name and key only on creation", () => {
    expect(mistakes({ name: " ", key: "" })).toEqual(["name: field.missing", "key: field.missing"]);
    expect(mistakes({ key: "  " })).toEqual(["key: field.missing"]);
    expect(mistakes({ name: "", key: "" }, false)).toEqual([]);
  });
  it("refuses an end of the calendar that is no time", () => {
    expect(mistakes({ calendar: { endsAt: Number.NaN } })).toEqual(["calendar: calendar.endsAtInvalid"]);
    expect(mistakes({ calendar: { endsAt: 1_800_000_000 } })).toEqual([]);
    expect(mistakes({ calendar: {} })).toEqual([]);
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
  it("V1: counts names that begin with gpt-3 or text- as basic", () => {
    const names = ["gpt-3.5-turbo", "text-davinci-003", "gpt-4", "a-gpt-3", "a-text-", "my-gpt-3"];
    expect(names.filter(isBasicModel)).toEqual(["gpt-3.5-turbo", "text-davinci-003"]);
  });
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
  it("writes a balance in its type's unit, or that of its address", () => {
    const textOf = (type: number, baseUrl = "") => balanceText(channelOf({ type, baseUrl, balance: 12_345 }));
    expect([1, 8, 4, 12, 5, 14].map((type) => textOf(type))).toEqual([
      "$12345.00",
      "$12345.00",
      "¥12345.00",
      "¥12345.00",
      "¥1.23",
      undefined,
    ]);
    expect(textOf(10)).toBe("12.3k");
    expect(textOf(999)).toBeUndefined();
    expect(textOf(25)).toBe("¥12345.00");
    expect(textOf(25, "https://api.moonshot.ai/v1")).toBe("$12345.00");
    expect(textOf(44)).toBeUndefined();
    expect(textOf(44, "https://api.siliconflow.com")).toBe("$12345.00");
  });
});
