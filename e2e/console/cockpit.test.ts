import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStage, startGatewayStage } from "./gateway-stage";

/* What waits for an administrator: each matter arises as it does in use, and its link leads to where it is settled. */

let stage: GatewayStage;
let broken: number;

beforeAll(async () => {
  stage = await startGatewayStage();
  await stage.setOption(
    "ModelPrice",
    JSON.stringify({ "sold-model": { input: 2, output: 4 }, "sold-model--500": { input: 2, output: 4 } }),
  );
  await stage.addChannel({ name: "主线", models: "sold-model" });
});

afterAll(() => stage?.close());

const matters = () => stage.page.getByRole("region", { name: "需要处理" });
const row = (text: string) => matters().getByRole("listitem").filter({ hasText: text });

describe("the cockpit", () => {
  it("says that no matter waits, and shows today's requests", async () => {
    const key = await stage.addKey();
    expect((await stage.ask(key, { model: "sold-model" })).status).toBe(200);
    await stage.open("/cockpit");
    await matters().getByText("没有需要处理的事").waitFor();
    const tiles = stage.page.getByRole("region", { name: "今天" });
    await expect
      .poll(async () => {
        await stage.page.getByRole("button", { name: "刷新" }).click();
        return tiles.textContent();
      })
      .toMatch(/请求1.*失败率0\.0%.*收入/);
    await stage.page.getByRole("table", { name: "渠道健康（近 24 小时）" }).getByText("主线").waitFor();
    await stage.page.getByRole("region", { name: "模型消费变化" }).getByText("sold-model").waitFor();
  });

  it("names a channel whose requests fail, and leads to the lines that say why", async () => {
    broken = await stage.addChannel({
      name: "坏线",
      models: "broken-model",
      model_mapping: '{"broken-model":"sold-model--500"}',
    });
    const key = await stage.addKey();
    for (let each = 0; each < 10; each += 1)
      expect((await stage.ask(key, { model: "broken-model" })).status).not.toBe(200);
    await expect
      .poll(async () => (await stage.root.api("GET", "/api/attention")).text, { timeout: 20_000 })
      .toContain("坏线");
    await stage.open("/cockpit");
    await row("1 个渠道近一小时有一半以上的请求失败").getByText("坏线").waitFor();
    await row("请求失败").getByRole("link", { name: "查看失败的请求" }).click();
    await stage.page.waitForURL(({ pathname, searchParams }) => {
      const channel = searchParams.get("channel");
      return pathname === "/log" && searchParams.get("type") === "5" && channel === String(broken);
    });
    await stage.page.getByRole("cell", { name: "broken-model" }).first().waitFor();
  });

  it("names models without a price, and models sold below cost, with their pages", async () => {
    await stage.addChannel({ name: "新线", models: "model-nobody-has-priced" });
    const buying = { rules: [{ model: "*", prices: [{ input: 20, output: 40 }] }] };
    await stage.addChannel({ name: "贵线", models: "sold-model", buying_prices: JSON.stringify(buying) });
    await expect
      .poll(async () => (await stage.root.api("GET", "/api/attention")).text, { timeout: 20_000 })
      .toContain("sold-at-loss");
    await stage.open("/cockpit");
    await row("1 个模型低于成本出售").getByText("sold-model").waitFor();
    await row("没有价格").getByText("model-nobody-has-priced").waitFor();
    await row("没有价格").getByRole("link", { name: "设置价格" }).click();
    await stage.page.waitForURL("**/setting/prices?tab=missing");
    await stage.page.getByText("model-nobody-has-priced").first().waitFor();
  });

  it("is for administrators alone", async () => {
    await stage.open("/cockpit", stage.customer);
    await stage.customer.getByText("只有管理员可以看到全站的运行情况").waitFor();
    expect((await stage.carol.api("GET", "/api/attention")).body.success).toBe(false);
    await stage.root.api("DELETE", `/api/channel/${broken}`);
  });
});
