import { token as format } from "@tollgate/contract/api/api-keys";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { describe, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import {
  expiryAfter,
  hasAdvanced,
  NEW_TOKEN,
  toApiKeyBody,
  toApiKeyChange,
  toApiKeyFields,
  tokenFieldsSchema,
} from "./api-key-form";
import { clientLink } from "./client-links";

const mistakes = (change: Partial<typeof NEW_TOKEN>, isNew = true): string[] => {
  const parsed = tokenFieldsSchema(isNew).safeParse({ ...NEW_TOKEN, name: "n", ...change });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.message);
};

describe("token form", () => {
  it("begins with the default quota and no expiry", () => {
    expect(toApiKeyBody({ ...NEW_TOKEN, name: "n" })).toEqual({
      name: "n",
      expired_time: -1,
      remain_quota: 500_000,
      unlimited_quota: false,
    });
  });

  it("sends unix seconds and whole quota", () => {
    const body = toApiKeyBody({
      ...NEW_TOKEN,
      name: "n",
      expiry: "2024-01-02 03:04:05",
      quota: "12.9",
      isUnlimited: true,
    });
    expect(body.expired_time).toBe(Math.floor(new Date(2024, 0, 2, 3, 4, 5).getTime() / 1000));
    expect(body.remain_quota).toBe(12);
    expect(toApiKeyBody({ ...NEW_TOKEN, quota: "1e5" }).remain_quota).toBe(100_000);
  });

  it("V1: shows a token of a server that knows neither models nor addresses", () => {
    const token = format.read({ id: 1, name: "n", expired_time: -1, remain_quota: 5 });
    if (!token) throw new Error("no token");
    const { models: _models, subnet: _subnet, ...plain } = token;
    expect(toApiKeyFields(plain)).toEqual({ ...NEW_TOKEN, name: "n", quota: "5" });
  });

  it("sends fields unknown to other servers only when they are used", () => {
    const token = format.read({ id: 1, name: "n", models: "gpt-4,gpt-5", subnet: "10.0.0.0/8", rpm: 60 });
    if (!token) throw new Error("no token");
    const before = toApiKeyFields(token);
    const changed = (fields: typeof before, from = before) => toApiKeyChange(token, fields, from);
    expect(Object.keys(changed(before))).toHaveLength(6);
    expect(changed({ ...before, models: "gpt-4", subnet: "", rpm: "", tpm: "500" })).toMatchObject({
      models: "gpt-4",
      subnet: "",
      rpm: 0,
      tpm: 500,
    });
    expect(toApiKeyBody({ ...NEW_TOKEN, name: "n", models: " gpt-4,\ngpt-5 " })).toMatchObject({
      models: "gpt-4,gpt-5",
    });
    expect(changed({ ...before, hasNoFallbacks: true })).toMatchObject({ no_fallbacks: true });
    const strict = { ...before, unsupportedFields: "refuse" as const };
    expect(changed(strict)).toMatchObject({ unsupported_fields: "refuse" });
    expect(changed(before, strict)).toMatchObject({ unsupported_fields: "" });
    expect(hasAdvanced({ ...NEW_TOKEN, unsupportedFields: "ignore" })).toBe(true);
    expect(mistakes({ rpm: "-1" })).toEqual(["field.wholeNumber"]);
  });

  const stored = format.read({ id: 7, name: "n", expired_time: 1_800_000_000, remain_quota: 90 });
  if (!stored) throw new Error("no token");
  const shown = toApiKeyFields(stored);
  const now = {
    ...stored,
    name: "renamed",
    expiredTime: 1_900_000_000,
    remainQuota: 40,
    unlimitedQuota: true,
  };

  it("sends unedited values as they are stored by now, and marks an unedited quota", () => {
    expect(toApiKeyChange(now, shown, shown)).toEqual({
      id: 7,
      name: "renamed",
      expired_time: 1_900_000_000,
      remain_quota: 40,
      unlimited_quota: true,
      original_remain_quota: 40,
    });
  });

  it("sends edited values as typed, and an edited quota without a mark", () => {
    const typed = { ...shown, name: "mine", expiry: "", quota: "120" };
    expect(toApiKeyChange(now, typed, shown)).toEqual({
      id: 7,
      name: "mine",
      expired_time: -1,
      remain_quota: 120,
      unlimited_quota: true,
    });
  });

  it("refuses the values that the specification refuses", () => {
    expect(mistakes({ name: "" })).toEqual(["token.nameMissing"]);
    expect(mistakes({ name: "" }, false)).toEqual([]);
    expect(mistakes({ expiry: "tomorrow" })).toEqual(["token.expiryInvalid"]);
    expect(mistakes({ quota: "-1" })).toEqual(["field.wholeNumber"]);
    expect(mistakes({ quota: "1,000" })).toEqual(["field.wholeNumber"]);
    expect(mistakes({ quota: "", isUnlimited: true })).toEqual([]);
  });

  it("takes quota from 0 to the most that is counted exactly, and no name of blanks", () => {
    expect(mistakes({ quota: "0" })).toEqual([]);
    expect(mistakes({ quota: String(MAX_QUOTA) })).toEqual([]);
    expect(mistakes({ quota: String(MAX_QUOTA + 1) })).toEqual(["field.wholeNumber"]);
    expect(mistakes({ quota: "" })).toEqual(["field.wholeNumber"]);
    expect(mistakes({ name: "  " })).toEqual(["token.nameMissing"]);
    expect(mistakes({ expiry: "  " })).toEqual([]);
    expect(toApiKeyBody({ ...NEW_TOKEN, name: " n " }).name).toBe("n");
  });

  it("shows a stored token as it is", () => {
    const never = format.read({ id: 1, name: "n", expired_time: -1, remain_quota: 7, unlimited_quota: true });
    const dated = format.read({
      id: 2,
      name: "d",
      expired_time: 1_700_000_000,
      models: "a,b",
      subnet: "10.0.0.0/8",
    });
    if (!never || !dated) throw new Error("no token");
    expect(toApiKeyFields(never)).toMatchObject({
      expiry: "",
      quota: "7",
      isUnlimited: true,
      models: "",
      subnet: "",
    });
    expect(toApiKeyFields(dated)).toMatchObject({
      expiry: formatTime(1_700_000_000),
      isUnlimited: false,
      models: "a\nb",
      subnet: "10.0.0.0/8",
    });
  });

  it.each(["models", "subnet", "rpm", "tpm", "concurrency"] as const)(
    "unfolds the advanced fields once %s is set",
    (name) => {
      expect(hasAdvanced(NEW_TOKEN)).toBe(false);
      expect(hasAdvanced({ ...NEW_TOKEN, [name]: "1" })).toBe(true);
    },
  );

  it("moves the expiry by the named step", () => {
    const now = new Date(2024, 0, 10, 12, 0, 0);
    expect(expiryAfter("never", now)).toBeUndefined();
    expect(expiryAfter("month", now)).toEqual(new Date(2024, 1, 10, 12, 0, 0));
    expect(expiryAfter("month", new Date(2024, 0, 31, 12))).toEqual(new Date(2024, 1, 29, 12));
    expect(expiryAfter("day", now)).toEqual(new Date(2024, 0, 11, 12, 0, 0));
    expect(expiryAfter("hour", now)).toEqual(new Date(2024, 0, 10, 13, 0, 0));
    expect(expiryAfter("minute", now)).toEqual(new Date(2024, 0, 10, 12, 1, 0));
  });
});

describe("client links", () => {
  it.each([
    ["plain", "", "sk-abc"],
    ["ama", "", "ama://set-api-key?server=https%3A%2F%2Fgw.example&key=sk-abc"],
    ["opencat", "", "opencat://team/join?domain=https%3A%2F%2Fgw.example&token=sk-abc"],
    [
      "next",
      "https://chat.example/",
      'https://chat.example/#/?settings={"key":"sk-abc","url":"https://gw.example"}',
    ],
  ] as const)("writes %s", (format, chat, link) =>
    expect(clientLink(format, "abc", "https://gw.example", chat)).toBe(link),
  );

  it("names no stranger's client where the site has none", () =>
    expect(clientLink("next", "abc", "https://gw.example", "")).toBeUndefined());

  it("does not prefix a key twice", () => expect(clientLink("plain", "sk-abc", "", "")).toBe("sk-abc"));
});
