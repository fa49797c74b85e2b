import { createServer } from "node:http";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { addUser } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import {
  ROOT_PASSWORD,
  type ServerProcess,
  type SignedIn,
  startServer,
} from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enter, newVisit, unfoldSettings } from "./visitor";

let server: ServerProcess;
let browser: Browser;
let root: SignedIn;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  root = await server.signIn();
  await addUser(root, server.signIn, "manager");
  await root.api("POST", "/api/user/manage", { username: "manager", action: "promote" });
  await addUser(root, server.signIn, "carol");
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const signIn = async (username: string, password = "password-1"): Promise<Page> => {
  const page = await newVisit(browser, { viewport: { width: 1440, height: 900 } });
  await enter(page, server.url, username, password);
  return page;
};

const option = async (key: string): Promise<string | undefined> =>
  ((await root.api("GET", "/api/option/")).body.data as { key: string; value: string }[]).find(
    (each) => each.key === key,
  )?.value;

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

describe("an administrator's settings", () => {
  let page: Page;

  beforeAll(async () => {
    page = await signIn("manager");
  });

  it("are saved when they cannot be used to take over the site", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.url}/setting?tab=operation`);
    await page.locator('[name="RetryTimes"]').waitFor();
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(2500);
    await unfoldSettings(page);
    await page.locator('[name="RetryTimes"]').fill("3");
    await press(page, "保存");
    await page.getByText("操作成功完成!").waitFor();
    expect(await option("RetryTimes")).toBe("3");
    await page.getByRole("switch", { name: "失败时自动禁用渠道" }).click();
    await expect.poll(() => option("AutomaticDisableChannelEnabled")).toBe("true");
    await page.getByRole("tab", { name: "其他设置" }).click();
    await page.locator('[name="Notice"]').fill("**明天维护**");
    await press(page, "保存");
    await expect.poll(() => option("Notice")).toBe("**明天维护**");
  });

  it("are shown but locked where only root may change them, and say so", async () => {
    await page.goto(`${server.url}/setting?tab=operation`);
    await unfoldSettings(page);
    const quota = page.getByRole("form", { name: "额度设置" });
    await quota.waitFor();
    const locked = [
      "QuotaForNewUser",
      "QuotaForInviter",
      "QuotaForInvitee",
      "CommissionPercent",
      "CommissionMinimum",
      "PreConsumedQuota",
      "InterruptionDrainSeconds",
    ];
    for (const key of locked) {
      expect([key, await page.locator(`[name="${key}"]`).isDisabled()]).toEqual([key, true]);
    }
    expect(await page.locator('[name="PlanNoticeDays"]').isEnabled()).toBe(true);
    // Each control that cannot be changed says why; the switches and choices are among them.
    const shut = await quota
      .locator("[role=switch], [role=combobox], [role=spinbutton], input[name]")
      .evaluateAll(
        (controls) =>
          controls.filter((control) => control.matches(":disabled, [aria-disabled=true], [data-disabled]"))
            .length,
      );
    expect(shut).toBeGreaterThan(locked.length);
    expect(await quota.getByText("只有超级管理员可以修改").count()).toBe(shut);

    await page.getByRole("tab", { name: "系统设置" }).click();
    const system = page.getByRole("tabpanel", { name: "系统设置" });
    await unfoldSettings(page);
    await system.locator('[name="SMTPServer"]').waitFor();
    // Cards can be opened.
    expect(await system.locator("input:enabled, textarea:enabled, form button:enabled").count()).toBe(0);
    await system.getByText("只有超级管理员可以修改这里的设置。").waitFor();
    expect(await system.getByRole("region").count()).toBeGreaterThan(5);
  });

  it("include the clearing of the log, which really clears it", async () => {
    await page.goto(`${server.url}/setting?tab=operation`);
    await unfoldSettings(page);
    await page.getByRole("textbox", { name: "目标时间" }).fill("2000-01-01 00:00:00");
    await press(page, "清理历史日志");
    await press(page, "确认清理");
    await page.getByText("0 条日志已清理!").waitFor();
  });
});

describe("the notice of the home page", () => {
  it("is shown once, and again when it has changed", async () => {
    const page = await browser.newPage({ locale: "zh-CN" });
    const notices = page.getByRole("region", { name: "通知" }).getByRole("article");
    const visit = async (): Promise<void> => {
      const answered = page.waitForResponse("**/api/notice");
      await page.goto(server.url);
      await answered;
      await page.getByRole("heading", { level: 1 }).waitFor();
    };
    await root.api("PUT", "/api/option/", { key: "Notice", value: "**第一条**" });
    await visit();
    await notices.getByText("第一条").waitFor();
    // It is rendered, and stays until it is closed.
    expect(await notices.locator("strong").textContent()).toBe("第一条");
    await visit();
    expect(await notices.count()).toBe(0);
    await root.api("PUT", "/api/option/", { key: "Notice", value: "第二条" });
    await visit();
    await notices.getByText("第二条").waitFor();
    await page.close();
  });
});

describe("the pictures of a site that is not encrypted", () => {
  it("T7: may be unencrypted as well, and are drawn", async () => {
    const picture = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "image/svg+xml" });
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16"/></svg>',
      );
    });
    const address = await listenOnLoopback(picture);
    await root.api("PUT", "/api/option/", { key: "Logo", value: `${address}/logo.svg` });
    const page = await browser.newPage();
    await page.goto(`${server.url}/login`);
    const drawn = () =>
      page.evaluate(`document.querySelector('img[src="${address}/logo.svg"]')?.naturalWidth`);
    await expect.poll(drawn).toBe(16);
    await page.close();
    await root.api("PUT", "/api/option/", { key: "Logo", value: "" });
    picture.close();
    picture.closeAllConnections();
  });
});

describe("a server address that root has not set", () => {
  it("T10: is warned about where mails and addresses are set, until it is set", async () => {
    const page = await signIn("root", ROOT_PASSWORD);
    await page.goto(`${server.url}/setting?tab=system`);
    await unfoldSettings(page);
    const warnings = page.getByText("收件人无法打开");
    await expect.poll(() => warnings.count()).toBe(2);
    await page.locator('[name="ServerAddress"]').fill("https://gate.example.com");
    await press(page, "保存");
    await expect.poll(() => warnings.count()).toBe(0);
    await page.close();
  });
});

describe("the check for updates", () => {
  const RELEASES = "https://api.github.com/repos/*/*/releases/latest";
  let page: Page;

  beforeAll(async () => {
    page = await signIn("carol");
    await page.goto(`${server.url}/setting`);
  });

  it("asks the release service, and says the tag when this is the latest version", async () => {
    await page.route(RELEASES, (route) => route.fulfill({ json: { tag_name: CONTRACT_VERSION, body: "" } }));
    const asked = page.waitForRequest(RELEASES);
    await press(page, "检查更新");
    expect((await asked).method()).toBe("GET");
    await page.getByText(`已是最新版本：${CONTRACT_VERSION}`).waitFor();
  });

  it("shows a newer version's tag and its release notes, rendered and harmless", async () => {
    await page.route(RELEASES, (route) =>
      route.fulfill({
        json: { tag_name: "v9.9.9", body: "## 新功能\n\n<img src=x onerror='window.hit = 1'>\n\n- 更快" },
      }),
    );
    await press(page, "检查更新");
    const release = page.getByRole("dialog", { name: "新版本：v9.9.9" });
    await release.getByRole("heading", { name: "新功能" }).waitFor();
    expect(await release.getByRole("listitem").textContent()).toBe("更快");
    expect(await page.evaluate("window.hit")).toBeUndefined();
    await page.keyboard.press("Escape");
    await release.waitFor({ state: "detached" });
  });

  it("T10: calls no older release new", async () => {
    await page.route(RELEASES, (route) => route.fulfill({ json: { tag_name: "v0.5.8", body: "old" } }));
    await press(page, "检查更新");
    await page.getByText("已是最新版本：v0.5.8").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("tells when the service does not answer", async () => {
    await page.route(RELEASES, (route) => route.abort());
    await press(page, "检查更新");
    await page
      .getByRole("alert")
      .getByText(/^Error: /)
      .waitFor();
  });
});

describe("deleting one's own account", () => {
  it("ends it: the name and password open nothing any more", async () => {
    const page = await signIn("carol");
    await page.goto(`${server.url}/setting`);
    await press(page, "删除个人账户");
    await page.getByRole("dialog").getByRole("textbox").fill("carol");
    await press(page, "确认删除");
    await page.waitForURL("**/login");
    await page.getByText("账户已删除!").waitFor();
    const again = await server.api("POST", "/api/user/login", { username: "carol", password: "password-1" });
    expect(again.body.success).toBe(false);
    await page.close();
  });
});
