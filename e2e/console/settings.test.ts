import { launchBrowser } from "@tollgate/testkit/browser";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DoublePage, openDoublePage } from "./double-page";
import { jsonFieldOf, unfoldSettings } from "./visitor";

let browser: Browser;
let at: DoublePage;

beforeAll(async () => {
  browser = await launchBrowser();
  at = await openDoublePage(browser, "root");
  // Amounts are typed in points here: only fields in points hold what the server stores.
  await at.page.evaluate("localStorage.setItem('quota_unit', 'points')");
});

afterAll(async () => {
  await at?.close();
  await browser?.close();
});

type Tab = "operation" | "system" | "other";

const reopen = async (tab: Tab): Promise<void> => {
  await at.go(`/setting?tab=${tab}`);
  await at.page.locator("section form").first().waitFor();
  if (tab !== "other") await unfoldSettings(at.page);
};
/** Opens a tab, unless the page shows it already. */
const show = async (tab: Tab): Promise<void> => {
  if (!at.page.url().endsWith(`tab=${tab}`)) await reopen(tab);
};

const control = (key: string): Locator => at.page.locator(`[name="${key}"]`);
/** The row that a setting's field stands in. */
const rowOf = (key: string): Locator => at.page.locator(`#option-${key}`);
/** The bar that stands on the page while something is changed. */
const bar = (): Locator => at.page.getByRole("region", { name: "未保存的更改" });
const save = (): Promise<void> => bar().getByRole("button", { name: "保存", exact: true }).click();

/** Settings that are tables, with their labels. */
const TABLES: Readonly<Record<string, string>> = { ModelRatio: "模型倍率", GroupRatio: "分组倍率" };
const fieldFor = async (key: string): Promise<Locator> => {
  const label = TABLES[key];
  return label === undefined ? control(key) : jsonFieldOf(at.page, label);
};
const puts = () => at.bodiesOf("PUT /api/option/");

const SWITCHES: [key: string, tab: Tab, label: string][] = [
  ["PasswordLoginEnabled", "system", "允许通过密码进行登录"],
  ["PasswordRegisterEnabled", "system", "允许通过密码进行注册"],
  ["EmailVerificationEnabled", "system", "通过密码注册时需要进行邮箱验证"],
  ["GitHubOAuthEnabled", "system", "允许通过 GitHub 账户登录与注册"],
  ["WeChatAuthEnabled", "system", "允许通过微信登录与注册"],
  ["TurnstileCheckEnabled", "system", "启用 Turnstile 用户校验"],
  ["RegisterEnabled", "system", "允许新用户注册"],
  ["EmailDomainRestrictionEnabled", "system", "启用邮箱域名白名单"],
  ["AutomaticDisableChannelEnabled", "operation", "失败时自动禁用渠道"],
  ["LogConsumeEnabled", "operation", "启用额度消费日志记录"],
  ["DisplayInCurrencyEnabled", "operation", "以货币形式显示额度"],
  ["DisplayTokenStatEnabled", "operation", "Billing 相关 API 显示令牌额度而非用户额度"],
  ["ApproximateTokenEnabled", "operation", "使用近似的方式估算 token 数以减少计算量"],
];

const FIELDS: [key: string, tab: Tab, typed: string][] = [
  ["TopUpLink", "operation", "https://shop.example.com"],
  ["ChatLink", "operation", "https://chat.example.com"],
  ["QuotaPerUnit", "operation", "400000"],
  ["RetryTimes", "operation", "2"],
  ["ChannelDisableThreshold", "operation", "7.5"],
  ["QuotaRemindThreshold", "operation", "2000"],
  ["QuotaForNewUser", "operation", "100"],
  ["QuotaForInviter", "operation", "300"],
  ["QuotaForInvitee", "operation", "200"],
  ["PreConsumedQuota", "operation", "600"],
  ["ModelRatio", "operation", '{"gpt-4":10}'],
  ["GroupRatio", "operation", '{"default":1,"vip":0.5}'],
  ["ServerAddress", "system", "https://gate.example.com"],
  ["SMTPServer", "system", "smtp.example.com"],
  ["SMTPPort", "system", "465"],
  ["SMTPAccount", "system", "post@example.com"],
  ["SMTPFrom", "system", "gate@example.com"],
  ["SMTPToken", "system", "smtp secret"],
  ["GitHubClientId", "system", "client"],
  ["GitHubClientSecret", "system", "github secret"],
  ["WeChatServerAddress", "system", "https://wechat.example.com"],
  ["WeChatServerToken", "system", "wechat secret"],
  ["WeChatAccountQRCodeImageURL", "system", "https://example.com/qr.png"],
  ["TurnstileSiteKey", "system", "site key"],
  ["TurnstileSecretKey", "system", "turnstile secret"],
  ["Notice", "other", "明天维护"],
  ["SystemName", "other", "Gate"],
  ["Logo", "other", "https://example.com/logo.png"],
  ["HomePageContent", "other", "# 首页"],
  ["About", "other", "# 关于"],
  ["Footer", "other", "<b>页脚</b>"],
];

describe("the tabs", () => {
  it("are personal, operation, system and other settings for administrators", async () => {
    await at.go("/setting");
    await at.page.getByRole("region", { name: "账户绑定" }).waitFor();
    expect(await at.page.getByRole("tab").allTextContents()).toEqual([
      "个人设置",
      "运营设置",
      "系统设置",
      "其他设置",
    ]);
    // Nothing is asked before it is needed.
    expect(at.callsOf("GET /api/option/")).toEqual([]);
    await at.page.getByRole("tab", { name: "系统设置" }).click();
    await at.page.locator("#section-smtp").waitFor();
    expect(at.callsOf("GET /api/option/")).toEqual(["GET /api/option/"]);
    expect(new URL(at.page.url()).searchParams.get("tab")).toBe("system");
  });

  it("are reduced to the personal one for a user, whatever the address says", async () => {
    const alice = await openDoublePage(browser, "alice");
    await alice.go("/setting?tab=system");
    await alice.page.getByRole("region", { name: "账户绑定" }).waitFor();
    expect(await alice.page.getByRole("tab").allTextContents()).toEqual(["个人设置"]);
    expect(alice.callsOf("GET /api/option/")).toEqual([]);
    await alice.close();
  });

  it("report the failure when the settings do not load, and try again", async () => {
    at.double.fail("/api/option/", "refused");
    await at.go("/setting?tab=other");
    await at.page.getByText("加载失败").waitFor();
    at.double.fail("/api/option/", undefined);
    await at.page.getByRole("button", { name: "重试" }).click();
    await control("Notice").waitFor();
  });
});

describe("the cards of a tab", () => {
  const isShown = (key: string): Promise<boolean> => control(key).isVisible();

  it("are folded but for the first; the index, links and a mistake open them", async () => {
    await at.go("/setting?tab=operation");
    await control("RetryTimes").waitFor();
    expect(await isShown("QuotaForNewUser")).toBe(false);
    await at.page.getByRole("navigation", { name: "本页的卡片" }).getByText("额度设置").click();
    await control("QuotaForNewUser").waitFor();

    await at.go("/setting?tab=operation&option=ChannelDisableThreshold");
    await control("ChannelDisableThreshold").waitFor();
    expect(await isShown("QuotaForNewUser")).toBe(false);

    await at.go("/setting?tab=operation#section-quota");
    await control("QuotaForNewUser").fill("-1");
    await at.page.locator("#section-quota summary").click();
    await control("QuotaForNewUser").waitFor({ state: "hidden" });
    await save();
    await rowOf("QuotaForNewUser").getByText("请输入不小于 0 的整数").waitFor();
    await bar().getByRole("button", { name: "放弃更改" }).click();
  });

  it("have controls for a finger on a phone", async () => {
    await at.page.setViewportSize({ width: 390, height: 844 });
    await at.go("/setting?tab=operation");
    await control("RetryTimes").waitFor();
    const heightOf = async (of: Locator) => (await of.boundingBox())?.height;
    expect(await heightOf(control("RetryTimes"))).toBe(44);
    await at.go("/setting");
    expect(await heightOf(at.page.getByRole("link", { name: "更新个人信息" }))).toBe(44);
    await at.page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe("a switch", () => {
  const handleOf = (label: string): Locator => at.page.getByRole("switch", { name: label, exact: true });

  it("for signing in with a password asks first, since it may lock people out", async () => {
    await show("system");
    at.forgetCalls();
    await handleOf("允许通过密码进行登录").click();
    const question = at.page.getByRole("alertdialog");
    await question.getByText("未绑定其他登录方式的用户").waitFor();
    await question.getByRole("button", { name: "取消" }).click();
    await question.waitFor({ state: "detached" });
    expect(puts()).toEqual([]);
  });

  it.each(SWITCHES)("%s sends the opposite string the moment it is turned", async (key, tab, label) => {
    await show(tab);
    at.forgetCalls();
    const before = at.double.world.options[key];
    const opposite = before === "true" ? "false" : "true";
    const handle = handleOf(label);
    expect(await handle.getAttribute("aria-checked")).toBe(before);
    await handle.click();
    if (key === "PasswordLoginEnabled") await at.page.getByRole("button", { name: "确认关闭" }).click();
    await expect.poll(() => handle.getAttribute("aria-checked")).toBe(opposite);
    expect(puts()).toEqual([{ key, value: opposite }]);
  });

  it("that is turned again sends the first string again", async () => {
    await show("operation");
    at.forgetCalls();
    const handle = handleOf("以货币形式显示额度");
    await handle.click();
    await expect.poll(() => handle.getAttribute("aria-checked")).toBe("true");
    expect(puts()).toEqual([{ key: "DisplayInCurrencyEnabled", value: "true" }]);
    // The whole console follows: it reads the status again.
    await expect.poll(() => at.callsOf("GET /api/status")).toHaveLength(1);
    await expect.poll(() => at.page.evaluate("localStorage.getItem('display_in_currency')")).toBe("true");
  });

  it("stays as it was when the server refuses", async () => {
    await show("operation");
    at.double.fail("/api/option/", "refused");
    const handle = handleOf("启用额度消费日志记录");
    const before = await handle.getAttribute("aria-checked");
    await handle.click();
    await at.toast("服务器拒绝了这次操作");
    await expect.poll(() => handle.isEnabled()).toBe(true);
    expect(await handle.getAttribute("aria-checked")).toBe(before);
    at.double.fail("/api/option/", undefined);
  });
});

describe("a field", () => {
  it.each(FIELDS)("%s is saved under its key, and alone", async (key, tab, typed) => {
    await show(tab);
    at.forgetCalls();
    await (await fieldFor(key)).fill(typed);
    await save();
    await expect.poll(puts).toEqual([{ key, value: typed }]);
    await at.toast("操作成功完成!");
    await bar().waitFor({ state: "detached" });
    // A secret is not kept where it could be read.
    if (/(Token|Secret|SecretKey)$/.test(key)) await expect.poll(() => control(key).inputValue()).toBe("");
  });

  it("EmailDomainWhitelist is a list that is saved with commas; empty and repeated domains are ignored", async () => {
    await reopen("system");
    at.forgetCalls();
    const entry = at.page.getByLabel("新的邮箱域名");
    const add = at.page.getByRole("button", { name: "填入", exact: true });
    const tags = () => rowOf("EmailDomainWhitelist").getByRole("listitem").allTextContents();
    await add.click();
    await entry.fill("QQ.com");
    await add.click();
    expect(await tags()).toEqual(["gmail.com", "163.com", "qq.com"]);
    await entry.fill("@example.com");
    await entry.press("Enter");
    expect(await tags()).toEqual(["gmail.com", "163.com", "qq.com", "example.com"]);
    expect(puts()).toEqual([]);
    await at.page.getByRole("button", { name: "移除 163.com" }).click();
    await save();
    await expect.poll(puts).toEqual([{ key: "EmailDomainWhitelist", value: "gmail.com,qq.com,example.com" }]);
  });

  it("that was not changed is not sent, nor a secret that is empty", async () => {
    await reopen("system");
    at.forgetCalls();
    await control("SMTPAccount").press("Enter");
    await at.toast("没有需要保存的更改");
    expect([puts(), await bar().count()]).toEqual([[], 0]);
    await control("SMTPServer").fill("smtp2.example.com");
    await control("SMTPPort").fill("587");
    await control("SMTPServer").press("Enter");
    await at.toast("操作成功完成!");
    expect(puts()).toEqual([
      { key: "SMTPServer", value: "smtp2.example.com" },
      { key: "SMTPPort", value: "587" },
    ]);
  });

  it.each([
    ["ModelRatio", "{", "模型倍率不是合法的 JSON 字符串"],
    ["GroupRatio", '{"a":}', "分组倍率不是合法的 JSON 字符串"],
    ["RetryTimes", "-1", "请输入不小于 0 的整数"],
    ["ChannelDisableThreshold", "-1", "请输入不小于 0 的数字"],
    ["QuotaRemindThreshold", "-1", "请输入不小于 0 的整数"],
    ["QuotaForNewUser", "-1", "请输入不小于 0 的整数"],
    ["QuotaForInviter", "-1", "请输入不小于 0 的整数"],
    ["QuotaForInvitee", "-1", "请输入不小于 0 的整数"],
    ["PreConsumedQuota", "-1", "请输入不小于 0 的整数"],
    ["Logo", "logo", "请输入以 http:// 或 https:// 开头的地址"],
  ])("%s that holds %s is refused: %s", async (key, typed, says) => {
    await show(key === "Logo" ? "other" : "operation");
    at.forgetCalls();
    const field = await fieldFor(key);
    await field.fill(typed);
    await save();
    await rowOf(key).getByText(says).waitFor();
    expect(puts()).toEqual([]);
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    await bar().getByRole("button", { name: "放弃更改" }).click();
    await bar().waitFor({ state: "detached" });
  });

  it("for a number says its bounds to the browser, and the SMTP port its usual value", async () => {
    await show("operation");
    const bounds = async (key: string) => [
      await control(key).getAttribute("type"),
      await control(key).getAttribute("min"),
      await control(key).getAttribute("step"),
    ];
    expect(await bounds("RetryTimes")).toEqual(["number", "0", "1"]);
    for (const key of [
      "QuotaRemindThreshold",
      "QuotaForNewUser",
      "QuotaForInviter",
      "QuotaForInvitee",
      "PreConsumedQuota",
    ]) {
      expect([key, ...(await bounds(key))]).toEqual([key, "number", "0", "1"]);
    }
    expect((await bounds("ChannelDisableThreshold")).slice(0, 2)).toEqual(["number", "0"]);
    await show("system");
    expect(await control("SMTPPort").getAttribute("placeholder")).toBe("默认：587");
    await show("other");
    expect(await control("Logo").getAttribute("type")).toBe("url");
  });
});

describe("a quota", () => {
  it("shows its worth in the currency while it is typed", async () => {
    await reopen("operation");
    await control("QuotaForNewUser").fill("1250000");
    // The test before has made a dollar of 400,000 points, and shows money.
    await rowOf("QuotaForNewUser").getByText("等价金额：$3.125").waitFor();
  });

  it("is typed in money by a person who has chosen no unit", async () => {
    await at.page.evaluate("localStorage.removeItem('quota_unit')");
    await reopen("operation");
    await at.page.locator('[data-name="QuotaForNewUser"]').fill("2.5");
    await rowOf("QuotaForNewUser").getByText("1,000,000").waitFor();
    expect(await control("QuotaForNewUser").inputValue()).toBe("1000000");
  });
});

describe("clearing the log", () => {
  const clear = async (): Promise<void> => {
    await at.page.getByRole("button", { name: "清理历史日志" }).click();
    await at.page.getByRole("alertdialog").getByRole("button", { name: "确认清理" }).click();
  };
  const DAYS_30 = 2_592_000;

  it("offers lines older than 30 days, confirms first, and reports the number of deleted lines", async () => {
    await reopen("operation");
    at.forgetCalls();
    const before = Math.floor(Date.now() / 1000);
    await clear();
    await at.toast("64 条日志已清理!");
    const [call, ...more] = at.callsOf("DELETE ");
    expect(more).toEqual([]);
    const target = Number(/^DELETE \/api\/log\/\?target_timestamp=(\d+)$/.exec(call ?? "")?.[1]);
    // The page was opened up to a few seconds before the click.
    expect(before - DAYS_30 - target).toBeGreaterThanOrEqual(-1);
    expect(before - DAYS_30 - target).toBeLessThan(30);
  });

  it("takes another time, and refuses one that is none", async () => {
    await reopen("operation");
    at.forgetCalls();
    const time = at.page.getByRole("textbox", { name: "目标时间" });
    await time.fill("yesterday");
    await at.page.getByText("时间格式错误！").waitFor();
    expect(await at.page.getByRole("button", { name: "清理历史日志" }).isDisabled()).toBe(true);
    await time.fill("2024-05-18 00:00:00");
    await clear();
    await at.toast("0 条日志已清理!");
    const target = await at.page.evaluate("new Date(2024, 4, 18).getTime() / 1000");
    expect(at.callsOf("DELETE ")).toEqual([`DELETE /api/log/?target_timestamp=${target}`]);
  });

  it("says 日志清理失败: and the server's message when it is refused", async () => {
    await reopen("operation");
    at.double.fail("/api/log", "refused");
    await clear();
    await at.toast("日志清理失败:服务器拒绝了这次操作");
    at.double.fail("/api/log", undefined);
  });

  it("shows that it is going on, and goes on when the page is left", async () => {
    await reopen("operation");
    let answer: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await at.page.route("**/api/log/?target_timestamp=*", async (route) => {
      await gate;
      await route.fulfill({ json: { success: true, message: "", data: 12345 } });
    });
    await clear();
    const progress = at.page.getByRole("progressbar", { name: "清理中..." });
    await progress.waitFor();
    expect(await at.page.getByRole("button", { name: "清理历史日志" }).count()).toBe(0);
    await at.page.getByRole("link", { name: "充值", exact: true }).click();
    await at.page.getByLabel("兑换码").waitFor();
    await at.page.getByRole("link", { name: "设置", exact: true }).click();
    await at.page.getByRole("tab", { name: "运营设置" }).click();
    await unfoldSettings(at.page);
    await progress.waitFor();
    await at.page.getByRole("link", { name: "充值", exact: true }).click();
    await at.page.getByLabel("兑换码").waitFor();
    answer();
    await at.toast("12345 条日志已清理!");
    await at.page.unroute("**/api/log/?target_timestamp=*");
  });
});
