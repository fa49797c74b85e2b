import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { type ControlWorld, startControlWorld } from "./control-world";
import { describeRows } from "./describe-rows";
import { DEFAULT_GROUP_RATIOS_TEXT, DEFAULT_OPTIONS, SECRET_OPTIONS } from "./option-defaults";
import type { Row } from "./row-runner";

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld();
});

afterAll(() => world?.stop());

const list = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await succeed<{ key: string; value: string }[]>(world.root.api("GET", "/api/option/"))).map(
      ({ key, value }) => [key, value],
    ),
  );

const SWITCHES = Object.keys(DEFAULT_OPTIONS).filter((key) =>
  /^(true|false)$/.test(DEFAULT_OPTIONS[key] ?? ""),
);

const put = (key: unknown, value: unknown, more: Partial<Row>): Row => ({
  who: "root",
  method: "PUT",
  path: "/api/option/",
  body: { key, value },
  success: false,
  ...more,
});

const NUMBERS: Record<string, { least: string; most: string; beyond: string[] }> = {
  SMTPPort: { least: "1", most: "65535", beyond: ["0", "65536", "1.5"] },
  QuotaPerUnit: { least: "1", most: "1000000000000", beyond: ["0", "0.5", "1e13"] },
  RetryTimes: { least: "0", most: "10", beyond: ["11", "0.5"] },
  ChannelDisableThreshold: { least: "0", most: "86400", beyond: ["86401"] },
  QuotaRemindThreshold: { least: "0", most: "9007199254740991", beyond: ["9007199254740993", "0.5"] },
  QuotaForNewUser: { least: "0", most: "9007199254740991", beyond: ["1e17", "0.5"] },
  QuotaForInviter: { least: "0", most: "9007199254740991", beyond: ["1e17", "0.5"] },
  QuotaForInvitee: { least: "0", most: "9007199254740991", beyond: ["1e17", "0.5"] },
  PreConsumedQuota: { least: "0", most: "9007199254740991", beyond: ["1e17", "0.5"] },
};

describe("options", () => {
  it("have the contract's defaults, are all texts, and hold no secret", async () => {
    const options = await list();
    expect(Object.values(options).every((value) => typeof value === "string")).toBe(true);
    for (const [key, value] of Object.entries(DEFAULT_OPTIONS))
      expect({ [key]: options[key] }).toEqual({ [key]: value });
    for (const key of SECRET_OPTIONS) expect(options).not.toHaveProperty(key);
    expect(options.CompletionRatio).toBe("{}");
    expect(JSON.parse(options.GroupRatio ?? "")).toEqual(JSON.parse(DEFAULT_GROUP_RATIOS_TEXT));
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

describeRows(
  "a switch takes true and false only",
  () => world,
  SWITCHES.flatMap((key) => ["yes", "1", "", "TRUE", " true"].map((value) => put(key, value, { says: key }))),
);

describeRows(
  "a number keeps to its bounds",
  () => world,
  Object.entries(NUMBERS).flatMap(([key, { least, most, beyond }]) => [
    ...["", " ", "-1", "abc", "NaN", "Infinity", "1,5", ...beyond].map((value) =>
      put(key, value, { says: key }),
    ),
    put(key, most, { success: true, changes: ["options", "audit"] }),
    ...(least === DEFAULT_OPTIONS[key]
      ? []
      : [put(key, least, { success: true, changes: ["options", "audit"] })]),
    put(key, DEFAULT_OPTIONS[key] ?? "", { success: true, changes: ["options", "audit"] }),
  ]),
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
  ...SECRET_OPTIONS.map((key) => put(key, `hush-${key}`, { success: true, changes: ["options", "audit"] })),
  put("OtherToken", "hush-OtherToken", { success: true, changes: ["options", "audit"] }),
  { who: "root", method: "GET", path: "/api/option/", success: true, hides: ["hush", ...SECRET_OPTIONS] },
  { who: "guest", method: "GET", path: "/api/status", success: true, hides: ["hush"] },
]);

const ADMIN_OPTIONS: Record<string, string> = {
  TopUpLink: "https://example.com/buy",
  QuotaPerUnit: "400000",
  RetryTimes: "1",
  DisplayInCurrencyEnabled: "false",
  DisplayTokenStatEnabled: "false",
  ApproximateTokenEnabled: "true",
  ChannelDisableThreshold: "6",
  QuotaRemindThreshold: "900",
  AutomaticDisableChannelEnabled: "true",
  AutomaticEnableChannelEnabled: "false",
  PreConsumedQuota: "400",
  ModelRatio: '{"gpt-4":14}',
  CompletionRatio: '{"gpt-4":2.5}',
  GroupRatio: '{"default":1}',
  FallbackModelRatio: "30",
  ModelPrice: '{"gpt-5":{"input":1.25,"output":10}}',
  CacheRatio: '{"gpt-4":0.5}',
  CacheBillingEnabled: "false",
  ServiceTierRatio: '{"priority":2}',
  ToolPrice: '{"web_search":10}',
  GroupLimits: '{"vip":{"rpm":600,"per_user":{"rpm":60}}}',
  LogConsumeEnabled: "false",
  Notice: "notice",
  SystemName: "Gate",
  Logo: "/logo.svg",
  HomePageContent: "home",
  About: "about",
  Footer: "footer",
};

describeRows("an administrator changes what nobody can take the site over with", () => world, [
  ...Object.entries(ADMIN_OPTIONS).map(([key, value]) =>
    put(key, value, { who: "admin", success: true, changes: ["options", "audit"] }),
  ),
  ...[
    ...Object.keys(DEFAULT_OPTIONS).filter((key) => !(key in ADMIN_OPTIONS)),
    ...SECRET_OPTIONS,
    // What other versions may take it for is not known here.
    "Theme",
    "OidcWellKnown",
    // Nobody but root decides that prompts are kept.
    "BodyLogEnabled",
    "BodyRetentionDays",
    "BodyMaxKilobytes",
    "BodyStoreMegabytes",
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
    shows: ['{"key":"SMTPServer"', '{"key":"Notice","value":"notice"}'],
    hides: ["hush", "OtherVersion", ...SECRET_OPTIONS],
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
  it.each([
    ["SystemName", "Gate", "system_name", "Gate"],
    ["Logo", "https://example.com/logo.png", "logo", "https://example.com/logo.png"],
    ["Footer", "<b>foot</b>", "footer_html", "<b>foot</b>"],
    ["ServerAddress", "https://gate.example.com", "server_address", "https://gate.example.com"],
    ["TopUpLink", "https://example.com/buy", "top_up_link", "https://example.com/buy"],
    ["ChatLink", "https://example.com/chat", "chat_link", "https://example.com/chat"],
    ["QuotaPerUnit", "1000", "quota_per_unit", 1000],
    ["DisplayInCurrencyEnabled", "false", "display_in_currency", false],
    ["EmailVerificationEnabled", "true", "email_verification", true],
    [
      "WeChatAccountQRCodeImageURL",
      "https://example.com/qr.png",
      "wechat_qrcode",
      "https://example.com/qr.png",
    ],
    ["GitHubClientId", "client", "github_client_id", "client"],
    ["TurnstileSiteKey", "site-key", "turnstile_site_key", "site-key"],
  ])("%s shows in the status", async (key, value, field, expected) => {
    await saveOptions(world.root, { [key]: value });
    const status = await succeed<Record<string, unknown>>(callApi(world.url, "GET", "/api/status"));
    expect(status[field]).toBe(expected);
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
        world.root.api("PUT", "/api/option/", { key, value }, { host, origin });
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
