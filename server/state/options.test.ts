import type { Option } from "@tollgate/contract/api/options";
import { declares, entryOf, OPTION_KEYS } from "@tollgate/contract/options/options";
import type { AccountChanges, AccountQueries } from "@tollgate/storage/accounts/ports";
import type { ExpectedOption, OptionCount } from "@tollgate/storage/accounts/site-ports";
import { neededBy, otherValueOf, publicValueOf, refusedValuesOf } from "@tollgate/testkit/option-values";
import { describe, expect, it } from "vitest";
import { Failure } from "../management-api/failure";
import { Options } from "./options";

const setUp = async (stored: Option[] = []) => {
  const written: [string, string, boolean][] = [];
  const read = { options: { all: async () => stored } } as unknown as AccountQueries;
  const values = new Map(stored.map(({ key, value }) => [key, value]));
  const write = {
    options: {
      put: async (
        key: string,
        value: string,
        isSecret: boolean,
        counted?: OptionCount,
        expected?: ExpectedOption,
      ) => {
        const all = () => [...values].map(([name, text]) => ({ key: name, value: text }));
        if (expected && (values.get(key) ?? expected.fallback) !== expected.value) return all();
        written.push([key, value, isSecret]);
        if (counted && (values.get(key) ?? counted.before) !== value)
          values.set(counted.key, String(Number(values.get(counted.key) ?? 1) + 1));
        values.set(key, value);
        return all();
      },
    },
  } as unknown as AccountChanges;
  return { options: await Options.load(read, write), written, values };
};

describe("an option", () => {
  it("starts with the contract's default and then has the stored value", async () => {
    const { options } = await setUp([{ key: "RetryTimes", value: "3" }]);
    expect([options.number("RetryTimes"), options.number("PreConsumedQuota")]).toEqual([3, 500]);
    expect(options.isOn("RegisterEnabled")).toBe(true);
  });

  it("takes effect at once, is stored, and tells who listens", async () => {
    const { options, written } = await setUp();
    const heard: string[] = [];
    options.onChange((key) => heard.push(key));
    await options.put("Notice", "hello\nworld");
    expect(options.text("Notice")).toBe("hello\nworld");
    expect(written).toEqual([["Notice", "hello\nworld", false]]);
    expect(heard).toEqual(["Notice"]);
  });

  it("is refused with a day that does not exist, unless the stored value has one already", async () => {
    const from = (day: string) => `{"a":{"input":1,"from":"2026-02-${day}"}}`;
    const { options } = await setUp();
    await expect(options.put("ModelPrice", from("30"))).rejects.toMatchObject({
      key: "option-data-invalid",
      params: { key: "ModelPrice", place: "a.from" },
    });
    await options.put("ModelPrice", from("28"));
    const older = await setUp([{ key: "ModelPrice", value: from("30") }]);
    await older.options.put("ModelPrice", from("31"));
    expect(older.options.text("ModelPrice")).toBe(from("31"));
  });

  it("is refused where another node has saved it since it was read, and is known as it is then", async () => {
    const { options, values } = await setUp();
    const seen = options.text("ModelFallbacks");
    values.set("ModelFallbacks", '{"a":["b"]}');
    await expect(options.put("ModelFallbacks", '{"c":["d"]}', seen)).rejects.toMatchObject({
      key: "option-changed",
      params: { key: "ModelFallbacks" },
    });
    expect(options.text("ModelFallbacks")).toBe('{"a":["b"]}');
    await options.put("ModelFallbacks", '{"c":["d"]}', '{"a":["b"]}');
    expect(options.text("ModelFallbacks")).toBe('{"c":["d"]}');
  });

  it("is edited as another node has left it, where that one was faster", async () => {
    const { options, values } = await setUp();
    values.set("PriceRules", '{"other":{"models":"a","factor":2}}');
    await options.change("PriceRules", (text) =>
      JSON.stringify({ ...JSON.parse(text), own: { models: "b", factor: 3 } }),
    );
    expect(Object.keys(JSON.parse(options.text("PriceRules")))).toEqual(["other", "own"]);
  });

  it.each([
    ["RegisterEnabled", "yes"],
    ["RetryTimes", "-1"],
    ["RetryTimes", "1.5"],
    ["RetryTimes", ""],
    ["QuotaPerUnit", "0"],
    ["QuotaPerUnit", "NaN"],
    ["SMTPPort", "70000"],
    ["QuotaForNewUser", "1e20"],
    ["ModelRatio", "{"],
    ["ModelRatio", '{"gpt-4": -1}'],
    ["GroupRatio", '{"vip": "cheap"}'],
    ["Notice", "a\u0000b"],
    ["GitHubOAuthEnabled", "true"],
    ["WeChatAuthEnabled", "true"],
    ["TurnstileCheckEnabled", "true"],
  ])("%s refuses %j, and nothing changes", async (key, value) => {
    const { options, written } = await setUp();
    const before = options.list();
    await expect(options.put(key, value)).rejects.toBeInstanceOf(Failure);
    expect(written).toEqual([]);
    expect(options.list()).toEqual(before);
  });

  it("can be switched on once its requirements are met", async () => {
    const { options } = await setUp();
    await options.put("EmailDomainWhitelist", "");
    await expect(options.put("EmailDomainRestrictionEnabled", "true")).rejects.toBeInstanceOf(Failure);
    await options.put("EmailDomainWhitelist", "example.com");
    await options.put("EmailDomainRestrictionEnabled", "true");
    expect(options.isOn("EmailDomainRestrictionEnabled")).toBe(true);
  });

  it("that is a secret is sealed and never listed", async () => {
    const { options, written } = await setUp();
    for (const key of [
      "SMTPToken",
      "GitHubClientSecret",
      "WeChatServerToken",
      "TurnstileSecretKey",
      "OtherToken",
    ]) {
      await options.put(key, "hush");
      expect(written.at(-1)).toEqual([key, "hush", true]);
    }
    expect(JSON.stringify(options.list())).not.toContain("hush");
    expect(options.list().map((option) => option.key)).not.toContain("TurnstileSecretKey");
  });

  it("that this version does not know is kept", async () => {
    const { options } = await setUp();
    await options.put("Theme", "default");
    expect(options.list()).toContainEqual({ key: "Theme", value: "default" });
  });
});

describe("every option of the catalogue", () => {
  it("refuses an unusable value, and keeps its own", async () => {
    const { options, written } = await setUp();
    const before = options.list();
    for (const key of OPTION_KEYS) {
      for (const value of refusedValuesOf(key))
        await expect(options.put(key, value), `${key} = ${value}`).rejects.toBeInstanceOf(Failure);
    }
    expect(written).toEqual([]);
    expect(options.list()).toEqual(before);
  });

  it("takes its bounds and another value, which are stored as texts and told where they may be", async () => {
    const { options, written } = await setUp();
    for (const key of OPTION_KEYS) {
      const entry = entryOf(key);
      const bounds = "min" in entry ? [String(entry.min), String(entry.max)] : [];
      for (const needed of neededBy(key)) await options.put(needed, otherValueOf(needed));
      for (const value of [...bounds, otherValueOf(key)]) {
        await options.put(key, value);
        expect(written.at(-1)).toEqual([key, value, entry.type === "secret"]);
      }
      const value = otherValueOf(key);
      expect(options.list().find((each) => each.key === key)?.value).toBe(
        entry.type === "secret" ? undefined : value,
      );
      if (entry.status) expect(options.publicValues()[entry.status]).toBe(publicValueOf(key, value));
    }
  });

  it("that changes prices has a version of its own, also where several are saved at once", async () => {
    const { options } = await setUp();
    const versions: number[] = [];
    options.onChange(() => versions.push(options.priceVersion));
    await Promise.all([
      options.put("ModelRatio", '{"a":1}'),
      options.put("GroupRatio", '{"default":2}'),
      options.put("ModelRatio", '{"a":3}'),
    ]);
    expect(versions).toEqual([2, 3, 4]);
    expect(options.text("ModelRatio")).toBe('{"a":3}');
  });

  it("that says so makes a new version of the prices, and no other does", async () => {
    for (const key of OPTION_KEYS.filter((each) => !declares(each, "needs"))) {
      const { options } = await setUp();
      await options.put(key, otherValueOf(key));
      expect([key, options.priceVersion]).toEqual([key, declares(key, "isPrice") ? 2 : 1]);
    }
  });
});

it("a name that every object has is no option", async () => {
  const { options } = await setUp();
  await options.put("constructor", "kept");
  expect(options.list()).toContainEqual({ key: "constructor", value: "kept" });
});

describe("the display currency", () => {
  const row = { from: "2026-11-01", currency: "CNY", rate: 7.2 };
  const textOf = (...rows: readonly object[]): string => JSON.stringify(rows);

  it.each([
    [textOf({ ...row, rate: 0 }), "display-rate-range"],
    [textOf({ ...row, from: "soon" }), "display-rate-day"],
    [textOf({ ...row, currency: "XXX" }), "display-rate-currency"],
    [textOf({ ...row, currency: "USD" }), "display-rate-dollar"],
    [textOf(row, row), "display-rate-twice"],
    ["{}", "option-data-invalid"],
  ])("%s is refused at its field, and nothing changes", async (value, key) => {
    const { options, written } = await setUp();
    await expect(options.put("DisplayCurrency", value)).rejects.toMatchObject({ key, field: "value" });
    expect([written, options.text("DisplayCurrency")]).toEqual([[], "[]"]);
  });

  it("keeps the rates of months that are over", async () => {
    const { options, written } = await setUp([
      { key: "DisplayCurrency", value: textOf({ ...row, from: "2020-01-01" }) },
    ]);
    await expect(
      options.put("DisplayCurrency", textOf({ ...row, from: "2020-01-01", rate: 7 })),
    ).rejects.toMatchObject({
      key: "display-rate-past",
      field: "value",
    });
    await expect(options.put("DisplayCurrency", "[]")).rejects.toMatchObject({ key: "display-rate-past" });
    expect(written).toEqual([]);
    const longer = textOf({ ...row, from: "2020-01-01" }, { ...row, from: "2999-01-01" });
    await options.put("DisplayCurrency", longer);
    expect(options.text("DisplayCurrency")).toBe(longer);
  });

  it("is refused where another node has saved other rates meanwhile", async () => {
    const { options, values } = await setUp();
    values.set("DisplayCurrency", textOf({ ...row, from: "2020-01-01" }));
    await expect(options.put("DisplayCurrency", textOf(row))).rejects.toMatchObject({
      key: "option-changed",
    });
    expect(options.text("DisplayCurrency")).toBe(textOf({ ...row, from: "2020-01-01" }));
  });
});
