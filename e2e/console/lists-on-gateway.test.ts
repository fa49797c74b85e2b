import { addChannel, addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actOnRow, closeConnect, enter, newVisit } from "./visitor";

let server: ServerProcess;
let upstream: FakeUpstream;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, upstream, browser] = await Promise.all([startServer(), startFakeUpstream(), launchBrowser()]);
  const root = await server.signIn();
  for (let index = 1; index <= 12; index += 1) {
    await addChannel(root, { name: `线路 ${index}`, base_url: upstream.url });
  }
  await addUser(root, server.signIn, "another");
  await root.api("POST", "/api/user/manage", { username: "another", action: "promote" });
  page = await newVisit(browser, { viewport: { width: 1440, height: 900 } });
  await enter(page, server.url);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await upstream?.close();
});

const row = (text: string) => page.getByRole("row").filter({ hasText: text });
const toast = (text: string) => page.getByRole("region", { name: "通知" }).getByText(text);

/** Disables, enables and deletes the row with this name. */
const goThrough = async (name: string, enabled: string) => {
  await actOnRow(row(name), "禁用");
  await row(name).getByText("已禁用").waitFor();
  await actOnRow(row(name), "启用");
  await row(name).getByText(enabled, { exact: true }).waitFor();
  await actOnRow(row(name), "删除");
  await page.getByRole("alertdialog").getByRole("button", { name: /^删除/ }).click();
  await row(name).waitFor({ state: "detached" });
};

describe("views of a list", () => {
  const pick = async (name: string) => {
    await page.getByRole("button", { name: "视图", exact: true }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const manage = async () => {
    await pick("保存与管理视图…");
    return page.getByRole("dialog", { name: "视图" });
  };

  it("are saved, picked, found by Ctrl+K, renamed and deleted, each person's own", async () => {
    const view = `${server.url}/channel?sort=-name&status=1`;
    await page.goto(view);
    await row("线路 9").waitFor();
    const saving = await manage();
    await saving.getByLabel("视图名称").fill("用着的");
    await saving.getByRole("button", { name: "保存" }).click();
    await toast("已保存视图“用着的”").waitFor();

    await page.goto(`${server.url}/channel`);
    await pick("用着的");
    await page.waitForURL(view);
    await page.goto(`${server.url}/token`);
    // The keys hold from when their button is there.
    await page.getByRole("button", { name: /^搜索/ }).first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "搜索与命令" }).fill("用着的");
    await page.getByRole("option", { name: "用着的" }).click();
    await page.waitForURL(view);

    // In the same browser.
    await enter(page, server.url, "another", "password-1");
    await page.goto(`${server.url}/channel`);
    await page.getByRole("button", { name: "视图", exact: true }).click();
    await page.getByRole("menuitem", { name: "保存与管理视图…" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "用着的" }).count()).toBe(0);
    await enter(page, server.url);
    await page.goto(`${server.url}/channel`);

    const changing = await manage();
    await changing.getByLabel("重命名视图：用着的").fill("启用的");
    await changing.getByLabel("重命名视图：用着的").press("Enter");
    await changing.getByRole("button", { name: "删除视图：启用的" }).click();
    await changing.getByRole("button", { name: "删除视图：启用的" }).waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "视图", exact: true }).click();
    await page.getByRole("menuitem", { name: "保存与管理视图…" }).waitFor();
    expect(await page.getByRole("menuitem").count()).toBe(1);
    await page.keyboard.press("Escape");
  });
});

describe("on the gateway itself", () => {
  it("a run over all channels is followed to its end", async () => {
    await page.goto(`${server.url}/channel`);
    await row("线路 12").getByText("未测试").waitFor();
    await page.getByRole("button", { name: "测试所有已启用的渠道" }).click();
    await toast("所有已启用的渠道测试完毕，共 12 个。").waitFor();
    await row("线路 12")
      .getByText(/^\d+\.\d\d 秒$/)
      .waitFor();
  });

  it("channels are edited, switched and deleted", async () => {
    await page.goto(`${server.url}/channel?q=${encodeURIComponent("线路 12")}`);
    const weight = page.getByRole("spinbutton", { name: "权重：线路 12" });
    await weight.fill("5");
    await weight.press("Enter");
    await actOnRow(row("线路 12"), "编辑");
    await page.getByRole("textbox", { name: "名称", exact: true }).fill("线路 12 改");
    await page.getByRole("button", { name: "提交" }).click();
    await row("线路 12 改").waitFor();
    expect(await page.getByRole("spinbutton", { name: "权重：线路 12 改" }).inputValue()).toBe("5");
    await goThrough("线路 12 改", "已启用");
  });

  it("limits of a channel are set in its form, refused where they are none, and seen in the list", async () => {
    await page.goto(`${server.url}/channel?q=${encodeURIComponent("线路 11")}`);
    await actOnRow(row("线路 11"), "编辑");
    await page.getByText("上游限制", { exact: true }).click();
    await page.getByRole("spinbutton", { name: "同时请求数", exact: true }).fill("-1");
    await page.getByRole("button", { name: "提交" }).click();
    await page.getByText("请输入不小于 0 的整数").waitFor();
    await page.getByRole("spinbutton", { name: "同时请求数", exact: true }).fill("4");
    await page.getByRole("spinbutton", { name: "每个密钥的每分钟请求数" }).fill("60");
    await page.getByRole("button", { name: "提交" }).click();
    await row("线路 11").getByText("0 / 4 同时").waitFor();
    await row("线路 11").getByTitle("0 / 60 每分钟").waitFor();
  });

  it("tokens are created, edited, switched and deleted", async () => {
    await page.goto(`${server.url}/token/add`);
    await page.getByRole("textbox", { name: "名称" }).fill("笔记本");
    await page.getByRole("button", { name: "一天后过期" }).click();
    const expiry = await page.getByRole("textbox", { name: "过期时间" }).inputValue();
    await page.getByRole("button", { name: "提交" }).click();
    await closeConnect(page);
    await row("笔记本").getByText(expiry).waitFor();
    await actOnRow(row("笔记本"), "编辑");
    await page.getByRole("spinbutton", { name: "额度" }).fill("1000000");
    await page.getByRole("button", { name: "提交" }).click();
    await row("笔记本").getByText("$2.00").waitFor();
    await goThrough("笔记本", "已启用");
  });

  it("codes are created, downloaded, edited, switched and deleted", async () => {
    await page.goto(`${server.url}/redemption/add`);
    await page.getByRole("textbox", { name: "名称" }).fill("活动");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "提交" }).click();
    expect((await download).suggestedFilename()).toBe("活动.txt");
    await row("活动").getByText("$0.20").waitFor();
    await actOnRow(row("活动"), "编辑");
    await page.getByRole("spinbutton", { name: "额度" }).fill("500000");
    await page.getByRole("button", { name: "提交" }).click();
    await row("活动").getByText("$1.00").waitFor();
    await goThrough("活动", "未使用");
  });
});
