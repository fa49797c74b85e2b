import { mayChangeOption } from "@tollgate/contract/options/option-rights";
import {
  defaultTextOf,
  entryOf,
  isOptionKey,
  OPTION_KEYS,
  type OptionKey,
} from "@tollgate/contract/options/options";
import { ROLE_ADMIN } from "@tollgate/contract/values/roles";
import { otherValueOf, publicValueOf, refusedValuesOf } from "@tollgate/testkit/option-values";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

const list = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await succeed<{ key: string; value: string }[]>(world.root.api("GET", "/api/option/"))).map(
      ({ key, value }) => [key, value],
    ),
  );

/** Options of a type, such as "switch". */
const keysOf = (...types: string[]): OptionKey[] =>
  OPTION_KEYS.filter((key) => types.includes(entryOf(key).type));

const SECRETS = keysOf("secret");

const put = (key: unknown, value: unknown, more: Partial<Row>): Row => ({
  who: "root",
  method: "PUT",
  path: "/api/option/",
  body: { key, value },
  success: false,
  ...more,
});

describe("options", () => {
  it("have the contract's defaults, are all texts, and hold no secret", async () => {
    const options = await list();
    expect(Object.values(options).every((value) => typeof value === "string")).toBe(true);
    const told = OPTION_KEYS.filter((key) => !SECRETS.includes(key));
    expect(Object.keys(options).toSorted()).toEqual(told.toSorted());
    for (const key of told) {
      const value = defaultTextOf(key);
      if (value !== undefined) expect({ [key]: options[key] }).toEqual({ [key]: value });
    }
    expect(JSON.parse(options.ModelRatio ?? "")).toMatchObject({
      // The contract's table where its prices still hold, today's lists for everything else.
      "gpt-5": 0.625,
      "gpt-4": 15,
      hunyuan: 7.143,
    });
  });
});

describeRows("an option whose value is no text is refused with 400", () => world, [
  ...[7, true, null, [], {}].map((value) =>
    put("RegisterEnabled", value, { status: 400, says: "无效的参数" }),
  ),
  put("RegisterEnabled", undefined, { status: 400, says: "无效的参数" }),
  ...["", 7, null, "x".repeat(65)].map((key) => put(key, "x", { status: 400, says: "无效的参数" })),
  put("Notice", "x".repeat(1_000_001), { status: 400, says: "无效的参数" }),
  ...["", "{", '{"key":"Notice","value":"x"', "[]", "null", '"x"'].map(
    (body): Row => ({ ...put("Notice", "x", { status: 400, says: "无效的参数" }), body }),
  ),
]);

describeRows("what somebody has changed since it was read is not written over", () => world, [
  put("ModelFallbacks", '{"a":["b"]}', { success: true, changes: ["options", "audit"] }),
  {
    ...put("ModelFallbacks", '{"c":["d"]}', { says: "已被其他人修改" }),
    body: { key: "ModelFallbacks", value: '{"c":["d"]}', before: "{}" },
  },
  {
    ...put("ModelFallbacks", "{}", { success: true, changes: ["options", "audit"] }),
    body: { key: "ModelFallbacks", value: "{}", before: '{"a":["b"]}' },
  },
  // A secret is not told, and a comparison would tell it.
  {
    ...put("SMTPToken", "x", { status: 400, says: "无效的参数" }),
    body: { key: "SMTPToken", value: "x", before: "y" },
  },
]);

describeRows(
  "a switch takes true and false only",
  () => world,
  keysOf("switch").flatMap((key) => refusedValuesOf(key).map((value) => put(key, value, { says: key }))),
);

describeRows(
  "a number keeps to its bounds",
  () => world,
  keysOf("whole", "decimal", "quota").flatMap((key) => {
    const entry = entryOf(key);
    const bounds = "min" in entry ? [entry.max, entry.min, entry.default] : [];
    return [
      ...refusedValuesOf(key).map((value) => put(key, value, { says: key })),
      ...bounds
        .filter((bound, at) => bound !== bounds[at - 1])
        .map((bound) => put(key, String(bound), { success: true, changes: ["options", "audit"] })),
    ];
  }),
);

describeRows("ratios are JSON objects of numbers that are not negative", () => world, [
  ...(["ModelRatio", "CompletionRatio", "GroupRatio"] as const).flatMap((key) =>
    ["", "{", "[]", "null", "7", '"x"', '{"a":-1}', '{"a":"1"}', '{"a":null}', '{"a":1e400}', '{"a":{}}'].map(
      (value) => put(key, value, { says: "倍率不是合法的 JSON 字符串" }),
    ),
  ),
  {
    title: "what was refused has neither emptied the table nor the groups",
    who: "root",
    method: "GET",
    path: "/api/group/",
    success: true,
    data: ["default", "svip", "vip"],
  },
  put("GroupRatio", '{"default":1,"gold":0.5}', { success: true, changes: ["options", "audit"] }),
  { who: "root", method: "GET", path: "/api/group", success: true, data: ["default", "gold"] },
  ...["{", "[]", '{"a":-1}', '{"priority":0}'].map((value) =>
    put("ServiceTierRatio", value, { says: "服务等级倍率不是合法的 JSON 字符串" }),
  ),
  ...["{", "[]", '{"a":-1}'].map((value) =>
    put("ToolPrice", value, { says: "工具价格不是合法的 JSON 字符串" }),
  ),
  put("ModelRatio", '{"gpt-4":0}', { success: true, changes: ["options", "audit"] }),
  put("CompletionRatio", '{"gpt-4":0,"my-model":4.5}', { success: true, changes: ["options", "audit"] }),
]);

describeRows("a switch that needs settings cannot be switched on without them", () => world, [
  put("GitHubOAuthEnabled", "true", { says: "请先填入 GitHub Client Id 以及 GitHub Client Secret" }),
  put("GitHubClientId", "id", { success: true, changes: ["options", "audit"] }),
  put("GitHubOAuthEnabled", "true", { says: "GitHub Client Secret" }),
  put("GitHubClientSecret", "hush-github", { success: true, hides: ["hush"], changes: ["options", "audit"] }),
  put("GitHubOAuthEnabled", "true", { success: true, changes: ["options", "audit"] }),
  put("WeChatAuthEnabled", "true", { says: "请先填入微信登录相关配置信息" }),
  put("WeChatServerAddress", "https://wechat.example.com", { success: true, changes: ["options", "audit"] }),
  put("WeChatAuthEnabled", "true", { success: true, changes: ["options", "audit"] }),
  put("TurnstileCheckEnabled", "true", { says: "请先填入 Turnstile 校验相关配置信息" }),
  put("TurnstileSiteKey", "site", { success: true, changes: ["options", "audit"] }),
  put("TurnstileCheckEnabled", "true", { says: "Turnstile" }),
  put("TurnstileSecretKey", "hush-turnstile", { success: true, changes: ["options", "audit"] }),
  put("TurnstileCheckEnabled", "true", { success: true, changes: ["options", "audit"] }),
  put("TurnstileCheckEnabled", "false", { success: true, changes: ["options", "audit"] }),
  put("EmailDomainWhitelist", "", { success: true, changes: ["options", "audit"] }),
  put("EmailDomainRestrictionEnabled", "true", { says: "请先填入限制的邮箱域名" }),
  put("EmailDomainWhitelist", "example.com", { success: true, changes: ["options", "audit"] }),
  put("EmailDomainRestrictionEnabled", "true", { success: true, changes: ["options", "audit"] }),
]);

describeRows("secrets are written and never read", () => world, [
  ...SECRETS.map((key) => put(key, `hush-${key}`, { success: true, changes: ["options", "audit"] })),
  put("OtherToken", "hush-OtherToken", { success: true, changes: ["options", "audit"] }),
  { who: "root", method: "GET", path: "/api/option/", success: true, hides: ["hush", ...SECRETS] },
  { who: "guest", method: "GET", path: "/api/status", success: true, hides: ["hush"] },
]);

const ADMINS = OPTION_KEYS.filter((key) => mayChangeOption(ROLE_ADMIN, key));

describeRows("an administrator changes what nobody can take the site over with", () => world, [
  ...ADMINS.map((key) =>
    put(key, otherValueOf(key), { who: "admin", success: true, changes: ["options", "audit"] }),
  ),
  ...[
    ...OPTION_KEYS.filter((key) => !ADMINS.includes(key)),
    // What other versions may take it for is not known here.
    "Theme",
    "OidcWellKnown",
  ].map((key) => put(key, "true", { who: "admin", says: "只有超级管理员可以修改" })),
  put("ServerAddress", "https://evil.example", {
    title: "and is told so in English",
    who: "admin",
    headers: { "accept-language": "en" },
    says: "only root may change it",
  }),
  put("SMTPToken", "hush-SMTPToken", { success: true, changes: ["options", "audit"] }),
  put("OtherVersion", "kept", { success: true, changes: ["options", "audit"] }),
  {
    title: "and reads all but secrets and the options of other versions",
    who: "admin",
    method: "GET",
    path: "/api/option/",
    success: true,
    shows: ['{"key":"SMTPServer"', '{"key":"Notice","value":"other Notice"}'],
    hides: ["hush", "OtherVersion", ...SECRETS],
  },
]);

describeRows("other options", () => world, [
  put("Theme", "default", {
    title: "of other versions are kept",
    success: true,
    changes: ["options", "audit"],
  }),
  {
    who: "root",
    method: "GET",
    path: "/api/option/",
    success: true,
    shows: ['{"key":"Theme","value":"default"}'],
  },
  put("Notice", "a\u0000b", { status: 400, says: "无效的参数" }),
  put("SystemName", "a\u0007b", { says: "SystemName" }),
  put("Notice", "# Hello\n\n<script>alert(1)</script>\ttab", {
    success: true,
    changes: ["options", "audit"],
  }),
  {
    title: "are told as they were written: who shows them makes them harmless",
    who: "guest",
    method: "GET",
    path: "/api/notice/",
    success: true,
    data: "# Hello\n\n<script>alert(1)</script>\ttab",
  },
]);

describe("an option takes effect at once", () => {
  const TOLD = OPTION_KEYS.flatMap((key) => {
    const { status } = entryOf(key);
    return status ? [[key, status] as const] : [];
  });

  it.each(TOLD)("%s shows in the status", async (key, field) => {
    const entry = entryOf(key);
    const needed = (entry.type === "switch" && entry.needs) || [];
    await saveOptions(
      world.root,
      Object.fromEntries(needed.filter(isOptionKey).map((each) => [each, otherValueOf(each)])),
    );
    const value = otherValueOf(key);
    await saveOptions(world.root, { [key]: value });
    const status = await succeed<Record<string, unknown>>(callApi(world.url, "GET", "/api/status"));
    expect(status[field]).toBe(publicValueOf(key, value));
  });

  it.each([
    ["About", "/api/about"],
    ["HomePageContent", "/api/home_page_content"],
  ])("%s shows at %s", async (key, path) => {
    await saveOptions(world.root, { [key]: "https://example.com/page" });
    expect(await succeed(callApi(world.url, "GET", path))).toBe("https://example.com/page");
  });

  it.each(["Logo", "WeChatAccountQRCodeImageURL"])(
    "T7: %s is refused with the reason where the page that saves it would not draw it",
    async (key) => {
      const value = "http://example.com/picture.png";
      const { host } = new URL(world.url);
      const save = (origin: string) =>
        world.root.api("PUT", "/api/option/", { key, value }, { headers: { host, origin } });
      const refused = await save(`https://${host}`);
      expect(refused.body.success).toBe(false);
      expect(refused.body.message).toContain("https://");
      expect((await list())[key]).not.toBe(value);
      expect((await save(`http://${host}`)).body.success).toBe(true);
    },
  );

  it("and lasts beyond a restart, secrets included, which lie sealed in the file", async () => {
    const rows = world.stored.all<{ key: string; value: string; is_sealed: number }>("SELECT * FROM options");
    // With its dash: four letters alone come up in sealed bytes once in a while.
    expect(JSON.stringify(rows)).not.toContain("hush-");
    expect(rows.find(({ key }) => key === "SMTPToken")?.is_sealed).toBe(1);
    expect(JSON.stringify(world.snapshot().audit)).not.toContain("hush");
  });
});
