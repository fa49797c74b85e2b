import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findErrorKind } from "./define-vendor";
import { findVendor, namesVersion, readsEveryLimit, VENDORS } from "./vendors";

const HERE = new URL(".", import.meta.url);

describe("the vendors", () => {
  it("have a number of their own each", () => {
    expect(new Set(VENDORS.map(({ type }) => type)).size).toBe(VENDORS.length);
    for (const vendor of VENDORS) expect(findVendor(vendor.type)).toBe(vendor);
  });

  it("stand in a file each, which the list in vendors.ts names", () => {
    const files = readdirSync(HERE).filter(
      (file) => file.endsWith(".ts") && !/^(?:define-vendor|vendors)\b|\.test\.ts$/.test(file),
    );
    const list = readFileSync(new URL("vendors.ts", HERE), "utf8");
    for (const file of files) expect(list).toContain(`from "./${file.slice(0, -3)}"`);
    expect(VENDORS).toHaveLength(files.length);
  });

  it("have a row each in e2e/api/relay/vendor-rows.ts, which states the expected results", () => {
    const rows = readFileSync(new URL("../e2e/api/relay/vendor-rows.ts", HERE), "utf8");
    const missing = VENDORS.filter(({ type }) => !new RegExp(`\\(${type}, |type: ${type},`).test(rows));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it.each(VENDORS.filter(({ baseUrl }) => baseUrl !== ""))(
    "$name answers at a usable address",
    ({ baseUrl }) => {
      expect(new URL(baseUrl).protocol).toMatch(/^https?:$/);
      // Paths are put behind it.
      expect(baseUrl.endsWith("/")).toBe(false);
    },
  );

  it("without an address show an example of one", () => {
    for (const { baseUrl, baseUrlField } of VENDORS) {
      expect(baseUrlField !== undefined).toBe(baseUrl === "");
      if (baseUrlField) expect(new URL(baseUrlField.example).protocol).toBe("https:");
    }
  });

  it("have names in Latin letters: others are texts of the console", () => {
    expect(VENDORS.map(({ name }) => name).filter((name) => /[^ -~]/.test(name))).toEqual([]);
  });

  it("name no model twice", () => {
    for (const { models } of VENDORS) expect(new Set(models).size).toBe(models.length);
  });

  it("give the meaning of their error codes, the whole code before its beginning", () => {
    const tencent = VENDORS.find(({ name }) => name === "Tencent Hunyuan")!;
    expect(findErrorKind(tencent, "AuthFailure.SignatureExpire")).toBe("overloaded");
    expect(findErrorKind(tencent, "AuthFailure.SecretIdNotFound")).toBe("dead-key");
    expect(findErrorKind(tencent, "Whatever.SecretIdNotFound")).toBeUndefined();
  });
});

describe("an address, whatever the channel's type", () => {
  it.each([
    ["https://api.openai.com", true],
    ["https://mine.openai.azure.com", true],
    ["https://api.groq.com", true],
    ["https://api.x.ai", true],
    ["https://openrouter.ai", true],
    ["https://api.openai.com:8443", false],
    ["https://api.openai.com.example.com", false],
    ["https://a.b.openai.azure.com", false],
    ["https://api.example.com", false],
  ])("%s is known to read every limit: %s", (origin, isKnown) => {
    expect(readsEveryLimit(origin)).toBe(isKnown);
  });

  it.each([
    ["https://api.example.com/v1", true],
    ["https://api.example.com/v1beta", true],
    ["https://open.bigmodel.cn/api/paas/v4", true],
    ["https://generativelanguage.googleapis.com/v1beta/openai", true],
    ["https://gateway.ai.cloudflare.com/v1/me/mine/openai", true],
    ["https://api.example.com/v1/openai", false],
    ["https://api.example.com/api", false],
  ])("%s names a version of the API: %s", (baseUrl, isVersioned) => {
    expect(namesVersion(baseUrl)).toBe(isVersioned);
  });
});
