import { readFile } from "node:fs/promises";
import { addUser, demand } from "@tollgate/demo/build-world";
import { startFakeEPay } from "@tollgate/testkit/fake-payments/fake-epay";
import type { FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStage, type Person, startGatewayStage } from "./gateway-stage";
import { actOnRow, enter, fieldOf, unfoldSettings } from "./visitor";

/*
 * What customers get, bring and are told of: codes, invitations, orders that are completed by hand, plans that are given,
 * statements, the ledger and how models are served. What is done in the browser is looked at in balances and files.
 */

let stage: GatewayStage;
let provider: FakeProvider;
let dave: Person;
/** The second customer's window. */
let other: Page;

beforeAll(async () => {
  [stage, provider] = await Promise.all([startGatewayStage(), startFakeEPay()]);
  dave = await addUser(stage.root, stage.server.signIn, "dave", { quota: 1_000_000 });
  other = await stage.visit();
  await enter(other, stage.server.url, "dave", "password-1");
  await stage.addChannel({ name: "主线", models: "gpt-3.5-turbo" });
});

afterAll(async () => {
  await stage?.close();
  await provider?.close();
});

const balanceOf = async (person: Person): Promise<number> =>
  ((await demand(person.api("GET", "/api/user/self"))) as { quota: number }).quota;

/** Exports what a page shows. @returns the file's lines. */
const exported = async (page: Page): Promise<string[]> => {
  await page.getByRole("button", { name: "导出" }).click();
  const started = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const text = await readFile(await (await started).path(), "utf8");
  return text.trim().split(/\r?\n/);
};

describe("redemption codes", () => {
  let code: string;
  const redeem = async (page: Page): Promise<void> => {
    await stage.open("/topup", page);
    await page.getByLabel("兑换码").fill(code);
    await stage.press("兑换", page);
  };

  it("for several users, with an end, are made, used once by each, and name who used them", async () => {
    await stage.open("/redemption/add");
    await fieldOf(stage.page, "名称").fill("活动");
    await fieldOf(stage.page, "额度").fill("50000");
    await fieldOf(stage.page, "可用人数").fill("2");
    await fieldOf(stage.page, "过期时间").fill("2099-01-01 00:00:00");
    const file = stage.page.waitForEvent("download");
    await stage.press("提交");
    code = (await readFile(await (await file).path(), "utf8")).trim();
    expect(code).toMatch(/^[0-9a-f]{32}$/);
    const before = await balanceOf(stage.carol);
    await redeem(stage.customer);
    await stage.seeDone(stage.customer);
    expect(await balanceOf(stage.carol)).toBe(before + 50_000);
    await redeem(stage.customer);
    await stage.customer
      .getByText(/已被?使用/)
      .first()
      .waitFor();
    await redeem(other);
    await stage.seeDone(other);
    expect(await balanceOf(stage.carol)).toBe(before + 50_000);
    await stage.open("/redemption");
    await stage.row("活动").getByText("已使用 2 / 2 次").waitFor();
    await actOnRow(stage.row("活动"), "编辑");
    const uses = stage.page.getByRole("table", { name: "使用记录" });
    await uses.getByText("carol").waitFor();
    await uses.getByText("dave").waitFor();
  });

  it("that are dead are cleared away, and those that can be used stay", async () => {
    await demand(stage.root.api("POST", "/api/redemption/", { name: "还可用", quota: 1, count: 1 }));
    await stage.open("/redemption");
    await stage.press("清理失效兑换码");
    await stage.page.getByRole("alertdialog").getByRole("button", { name: "清理失效兑换码" }).click();
    await stage.seeDone(stage.page, "已删除 1 个兑换码");
    await stage.row("活动").waitFor({ state: "detached" });
    await stage.row("还可用").waitFor();
  });
});

describe("an order whose money came otherwise", () => {
  it("is completed by hand with a reason, which its buyer's balance and the list show", async () => {
    for (const [key, value] of Object.entries({
      ServerAddress: stage.server.url,
      ...provider.options,
      EPayEnabled: "true",
      PaymentEnabled: "true",
      CommissionPercent: "10",
      CommissionMinimum: "1000",
    }))
      await stage.setOption(key, value);
    // The buyer was invited: what follows from that comes below.
    const link = (await demand(stage.carol.api("GET", "/api/user/aff"))) as string;
    const guest = await stage.visit();
    await stage.open(`/register?aff=${link}`, guest);
    await fieldOf(guest, "用户名").fill("erin");
    await fieldOf(guest, "密码").fill("password-1");
    await fieldOf(guest, "确认密码").fill("password-1");
    await stage.press("注册", guest);
    await guest.waitForURL("**/login");
    await enter(guest, stage.server.url, "erin", "password-1");
    await stage.open("/topup", guest);
    await guest.getByLabel(/购买额度（美元）/).fill("4");
    await stage.press("支付", guest);
    await guest.getByRole("dialog").waitFor();

    await stage.open("/order");
    const row = stage.row("erin");
    await row.getByText("待支付").waitFor();
    await row.getByRole("link", { name: /^[0-9a-f]{8}$/ }).click();
    await stage.press("手动完成");
    await stage.page.getByRole("dialog").getByLabel(/^原因/).fill("银行转账");
    await stage.page.getByRole("dialog").getByRole("button", { name: "手动完成" }).click();
    await stage.page.getByText("由 root 手动完成").waitFor();
    await stage.page.getByText("银行转账").waitFor();
    await guest.getByText("支付成功，已充值 $4.00").waitFor();
    await stage.open("/order", guest);
    await stage.row("已支付", guest).waitFor();
    await guest.context().close();
  });
});

describe("invitations", () => {
  it("bring commission, which is turned into balance, asked for, declined with a reason, and paid out", async () => {
    await stage.open("/invitation", stage.customer);
    // A tenth of 4 dollars.
    await stage.customer.getByText("支付，你可得 10% 佣金").waitFor();
    await stage.customer.getByText("$0.40").first().waitFor();
    const before = await balanceOf(stage.carol);
    await stage.customer.getByLabel("额度").fill("0.1");
    await stage.press("转入余额", stage.customer);
    await stage.customer.getByText("$0.30").first().waitFor();
    expect(await balanceOf(stage.carol)).toBe(before + 50_000);

    for (const decision of ["拒绝", "已付款"]) {
      await stage.customer.getByLabel("额度").fill("0.2");
      await stage.customer.getByLabel("收款方式").fill("6222 0000");
      await stage.press("申请提现", stage.customer);
      await stage.customer.getByText("待处理").waitFor();
      await stage.open("/invitation/manage");
      const asked = stage.row("待处理");
      await asked.getByText("6222 0000").waitFor();
      await asked.getByLabel("carol 的说明").fill("已核对");
      await asked.getByRole("button", { name: decision, exact: true }).click();
      await asked.waitFor({ state: "detached" });
      await stage.open("/invitation", stage.customer);
      await stage.customer
        .getByText(decision === "拒绝" ? "已拒绝" : "已付款")
        .first()
        .waitFor();
      await stage.customer
        .getByText(decision === "拒绝" ? "$0.30" : "$0.10")
        .first()
        .waitFor();
    }
    const commissions = stage.page.getByRole("table", { name: "佣金记录" });
    await commissions.getByText("erin").waitFor();
  });
});

describe("plans", () => {
  it("are given by an administrator, go first, stop where they say so, and are ended", async () => {
    await stage.open("/plan/manage/add");
    await fieldOf(stage.page, "名称").fill("赠送卡");
    await fieldOf(stage.page, "价格").fill("0.000002");
    await fieldOf(stage.page, "包含额度").fill("0.0002");
    await stage.choose("额度用完后", "用完即止，不动用余额");
    await stage.press("提交");
    await stage.page.waitForURL("**/plan/manage");
    await stage.open("/plan/subscribers");
    await stage.press("赠送套餐");
    const window = stage.page.getByRole("dialog");
    await window.getByRole("combobox", { name: "套餐" }).click();
    await stage.page.getByRole("option", { name: "赠送卡" }).click();
    await window.getByLabel("用户 ID").fill(String(dave.id));
    const before = await balanceOf(dave);
    await window.getByRole("button", { name: "赠送套餐" }).click();
    await stage.row("dave").getByText("有效").waitFor();
    // What is the user's own is put aside: it stops where the plan does.
    expect(await balanceOf(dave)).toBe(100);
    await stage.open("/plan", other);
    await other.getByRole("region", { name: "我的套餐" }).getByText("赠送卡").first().waitFor();
    await other.getByText(/你自己的 \$[\d.]+ 已暂存/).waitFor();
    const key = await stage.addKey({}, dave);
    expect((await stage.ask(key, { max_tokens: 10_000 })).status).toBe(403);
    await stage.row("dave").getByRole("button", { name: "立即结束" }).click();
    await stage.page.getByRole("alertdialog").getByRole("button", { name: "立即结束" }).click();
    await stage.row("dave").getByText("已结束").waitFor();
    expect(await balanceOf(dave)).toBe(before);
  });
});

describe("the ledger and statements", () => {
  it("name each movement with its cause, show an administrator all users, and are exported", async () => {
    await stage.open("/ledger");
    await stage.choose("原因", "邀请佣金");
    await stage.row("carol").getByText("邀请佣金").waitFor();
    const lines = await exported(stage.page);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("carol");
    await stage.open("/ledger", stage.customer);
    for (const cause of ["佣金转入余额", "申请提现", "提现被拒", "已提现"])
      await stage.row(cause, stage.customer).first().waitFor();
    // Who decided is not told to customers.
    expect(await stage.customer.getByRole("table").textContent()).not.toContain("root");
  });

  it("add up to the balance, in a file that says the same, and print without the frame of the page", async () => {
    const key = await stage.addKey();
    expect((await stage.ask(key)).status).toBe(200);
    await expect.poll(() => balanceOf(stage.carol)).toBeLessThan(5_100_000);
    await stage.open("/statement", stage.customer);
    const paper = stage.customer.getByRole("region", { name: "余额", exact: true });
    await paper.getByText("兑换码兑换").waitFor();
    const closing = await paper.getByRole("row").last().textContent();
    expect(closing).toBe(`期末余额$${(await balanceOf(stage.carol)) / 500_000}`);
    const text = (await exported(stage.customer)).join("\n");
    expect(text).toContain(String(await balanceOf(stage.carol)));
    await stage.customer.emulateMedia({ media: "print" });
    expect(await stage.customer.getByRole("banner").isVisible()).toBe(false);
    expect(await stage.customer.getByRole("button", { name: "打印" }).isVisible()).toBe(false);
    expect(await paper.isVisible()).toBe(true);
    await stage.customer.emulateMedia({ media: "screen" });
  });
});

describe("how models are served", () => {
  it("is shown from real requests, for a day, a week and a month, to guests where the site says so", async () => {
    const key = await stage.addKey();
    stage.upstream.reply(({ body }) => (String(body?.max_tokens) === "7" ? { fault: "500" } : {}));
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        stage.ask(key, { stream: true, max_tokens: index < 2 ? 7 : 8 }),
      ),
    );
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(18);
    const guest = await stage.visit();
    await stage.open("/status", guest);
    await guest.getByText("登录后可以查看模型状态").waitFor();
    await stage.open("/setting?tab=operation");
    await unfoldSettings(stage.page);
    await stage.page.getByRole("combobox", { name: "模型状态页" }).click();
    await stage.page.getByRole("option", { name: "所有人可见" }).click();
    await stage.press("保存");
    await stage.seeDone();
    await stage.open("/status", guest);
    const model = guest.getByRole("listitem").filter({ hasText: "gpt-3.5-turbo" });
    for (const span of ["24 小时", "7 天", "30 天"]) {
      await guest.getByText(span, { exact: true }).click();
      await expect.poll(() => model.textContent()).toMatch(/9\d(\.\d)?%.*秒/);
    }
    await guest.context().close();
  });
});
