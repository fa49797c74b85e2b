import { expect, it } from "vitest";
import { readNoticeFields } from "./notice-fields";

it.each([
  ["webhook", { address: "https://a.test/hook" }, { address: "https://a.test/hook", secret: "" }],
  ["bark", { key: " k ", extra: "x" }, { key: "k", address: "" }],
  ["telegram", { token: "12:a-b", chat: "@ops" }, { token: "12:a-b", chat: "@ops", address: "" }],
] as const)("of %s from %j takes the declared fields", (kind, given, expected) => {
  expect(readNoticeFields(kind, given)).toEqual(expected);
});

it.each([
  ["webhook", {}, "notice-field-needed"],
  ["webhook", { address: "file:///etc/passwd" }, "notice-field-invalid"],
  ["webhook", { address: "javascript:alert(1)" }, "notice-field-invalid"],
  ["webhook", { address: "https://user:pass@a.test/" }, "notice-field-invalid"],
  ["webhook", { address: "https://a.test/\r\nX: 1" }, "notice-field-invalid"],
  ["webhook", { address: "https://" }, "notice-field-invalid"],
  ["telegram", { token: "1:a/../../x", chat: "1" }, "notice-field-invalid"],
  ["telegram", { token: "1:a", chat: "1\n2" }, "notice-field-invalid"],
  ["gotify", { address: "https://g.test", token: "a b" }, "notice-field-invalid"],
  ["email", { to: "a@b.test, c@d.test" }, "notice-field-invalid"],
  ["email", { to: "a@b.test\nBcc: c@d.test" }, "notice-field-invalid"],
  ["wecom", { address: "qyapi.weixin.qq.com" }, "notice-field-invalid"],
] as const)("of %s from %j refuses: %s", (kind, given, key) => {
  expect(() => readNoticeFields(kind, given)).toThrow(key);
});

const BEFORE = { address: "https://g.test", token: "secret-1" };

it("keeps a secret that is not typed again, and takes a new one", () => {
  expect(readNoticeFields("gotify", { token: "" }, BEFORE)).toEqual(BEFORE);
  expect(readNoticeFields("gotify", { address: "https://g.test", token: "new" }, BEFORE).token).toBe("new");
});

it("sends no stored secret to another address", () => {
  const moved = { address: "https://evil.test" };
  expect(() => readNoticeFields("gotify", moved, BEFORE)).toThrow("notice-secret-anew");
  expect(readNoticeFields("gotify", { ...moved, token: "other" }, BEFORE)).toEqual({
    ...moved,
    token: "other",
  });
  const bark = { key: "k", address: "" };
  expect(() => readNoticeFields("bark", { address: "https://evil.test" }, bark)).toThrow(
    "notice-secret-anew",
  );
});
