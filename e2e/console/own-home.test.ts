import { addUser } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStage, startGatewayStage } from "./gateway-stage";
import { enter } from "./visitor";

/* The home page of a person who is signed in: what is theirs, and what to do next. */

let stage: GatewayStage;

/** One answer of sold-model is 13 tokens read and 5 written: (13 × 2 + 5 × 4) / 2 = 23 quota. */
const PRICES = { "sold-model": { input: 2, output: 4 } };

beforeAll(async () => {
  stage = await startGatewayStage();
  await stage.setOption("ModelPrice", JSON.stringify(PRICES));
  await stage.addChannel({ name: "主线", models: "sold-model" });
});

afterAll(() => stage?.close());

const part = (name: string) => stage.customer.getByRole("region", { name });

describe("the home of a signed-in person", () => {
  it("begins with the three steps where nothing was asked yet", async () => {
    await stage.open("/", stage.customer);
    await stage.customer.getByRole("heading", { name: "三步开始使用" }).waitFor();
    await part("余额与消费").getByText("近 7 天没有消费").waitFor();
  });

  it("tells the balance, spending against the budgets, and the latest requests, failed ones first", async () => {
    await stage.root.api("PUT", "/api/user/", { id: stage.carol.id, daily_quota: 500_000 });
    await stage.setOption("GroupLimits", '{"default":{"per_user":{"monthly_quota":5000000}}}');
    const key = await stage.addKey();
    expect((await stage.ask(key, { model: "sold-model" })).status).toBe(200);
    expect((await stage.ask(key, { model: "no-such-model" })).status).toBe(404);
    expect((await stage.ask(key, { model: "sold-model" })).status).toBe(200);
    await expect
      .poll(
        async () => {
          await stage.open("/", stage.customer);
          return part("最近的请求").getByRole("listitem").allTextContents();
        },
        { timeout: 20_000 },
      )
      .toHaveLength(3);
    const [first = ""] = await part("最近的请求").getByRole("listitem").allTextContents();
    expect(first).toContain("no-such-model");
    expect(first).toContain("404");
    await part("余额与消费").getByText("$0.000092").first().waitFor();
    await part("余额与消费").getByText("预算 $1.00").waitFor();
    await part("余额与消费").getByText("分组预算 $10.00").waitFor();
    await part("余额与消费").getByText("可以用一年以上").waitFor();
    await part("我的令牌").getByText("最近使用").first().waitFor();
    await part("余额与消费").getByRole("link", { name: "失败 1" }).click();
    await stage.customer.waitForURL("**/log?**type=5**");
    await stage.customer.getByRole("cell", { name: "no-such-model", exact: true }).waitFor();
  });

  it("shows the site's announcement, and its own page instead where the site has set one", async () => {
    await stage.setOption("Notice", "**周三** 维护");
    await stage.open("/", stage.customer);
    await part("公告").getByText("周三").waitFor();
    await stage.setOption("HomePageContent", "# 我们的主页");
    await stage.open("/", stage.customer);
    await stage.customer.getByRole("heading", { name: "我们的主页" }).waitFor();
    expect(await part("最近的请求").count()).toBe(0);
    await stage.setOption("HomePageContent", "");
  });

  it("shows announcements of the person's groups above either page, and runs nothing that they say", async () => {
    const body = [
      "**今晚** 维护",
      '<img src="x" onerror="window.hacked=1">',
      "[go](javascript:window.hacked=2)",
      "<script>window.hacked=3</script>",
      '<svg onload="window.hacked=4"></svg><iframe src="javascript:parent.hacked=5"></iframe>',
    ].join("\n\n");
    const create = (more: object) => stage.root.api("POST", "/api/announcement/", { body, ...more });
    await create({ title: "<b>维护</b>通知", level: "warning", is_pinned: true });
    await create({ title: "只给会员", groups: "vip" });
    for (const content of ["# 我们的主页", ""]) {
      await stage.setOption("HomePageContent", content);
      await stage.open("/", stage.customer);
      await part("公告").getByRole("button", { name: "<b>维护</b>通知" }).waitFor();
      await part("公告").getByText("今晚").waitFor();
      expect(await part("公告").getByText("只给会员").count()).toBe(0);
      expect(await part("公告").locator("script, svg[onload], iframe, [onerror]").count()).toBe(0);
      expect(await part("公告").locator('a[href^="javascript"]').count()).toBe(0);
      expect(await stage.customer.evaluate(() => "hacked" in globalThis)).toBe(false);
    }
    await part("公告").getByRole("link", { name: "全部公告" }).click();
    await stage.customer.getByRole("heading", { name: "公告", level: 1 }).waitFor();
    await stage.customer.getByRole("button", { name: "全部标为已读" }).click();
    expect(await stage.customer.getByRole("img", { name: "未读" }).count()).toBe(0);
  });

  it("asks a person without a key to create one", async () => {
    await addUser(stage.root, stage.server.signIn, "erin", { quota: 0 });
    const page = await stage.visit();
    await enter(page, stage.server.url, "erin", "password-1");
    await stage.open("/", page);
    await page.getByRole("region", { name: "我的令牌" }).getByRole("link", { name: "创建令牌" }).click();
    await page.waitForURL("**/token/add");
  });
});
