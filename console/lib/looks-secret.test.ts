import { describe, expect, it } from "vitest";
import { looksSecret } from "./looks-secret";

describe("looksSecret", () => {
  it.each([
    "sk-1234",
    "sk-ant-api03-AbCdEfGh1234",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA-1234567890abcdefghijklmnopqrstu",
    "appid|secretid|secret-key-0123456789",
    '{"type":"service_account", "private_key": "x"}',
    "0123456789abcdef0123456789abcdef",
    "Bearer x",
  ])("is true of %s", (key) => {
    expect(looksSecret(key)).toBe(true);
  });

  it.each([
    "",
    "7",
    "123456789012345678901234567890",
    "openai",
    "azure eastus2 for the whole team",
    "production-backend",
    "someone.with.a.long.name1@example.com",
    "我们的第二个备用渠道，只给测试组使用，请勿删除",
  ])("is false of %s", (name) => {
    expect(looksSecret(name)).toBe(false);
  });
});
