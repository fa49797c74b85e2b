import { addUser } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayStage, type Person, startGatewayStage } from "./gateway-stage";
import { actOnRow, fieldOf, unfoldSettings } from "./visitor";

/*
 * Prices as customers choose and see them, what upstreams ask, what is earned, and a change of prices before it holds: by hand in
 * the browser, then looked at where it counts.
 */

let stage: GatewayStage;
let dave: Person;
let key: string;
let main: number;

/** One answer of sold-model is 13 tokens read and 5 written: (13 × 2 + 5 × 4) / 2 = 23 quota. */
const PRICES = { "sold-model": { input: 2, output: 4 }, "image-model": { perCall: 0.04 } };

beforeAll(async () => {
  stage = await startGatewayStage();
  dave = await addUser(stage.root, stage.server.signIn, "dave", { quota: 5_000_000, group: "vip,default" });
  await stage.setOption("ModelPrice", JSON.stringify(PRICES));
  await stage.setOption("GroupRatio", '{"default":1,"vip":0.5,"fast":2,"slow":0.1}');
  await stage.setOption("UserUsableGroups", '{"fast":"快速线路","slow":"慢速线路"}');
  main = await stage.addChannel({ name: "主线", models: "sold-model,image-model", group: "default" });
  key = await stage.addKey();
});

afterAll(() => stage?.close());

const ask = async (by = key, model = "sold-model") => {
  const asked = await stage.ask(by, { model });
  expect(asked.status, asked.text).toBe(200);
  return asked;
};

const newestKey = async (person: Person): Promise<string> => {
  const [made] = (await person.api("GET", "/api/token/?p=0")).body.data as { key: string }[];
  return made?.key ?? "";
};

describe("groups of a key", () => {
  it("are tried one after another where it is automatic, and the one that answered is paid", async () => {
    await stage.addChannel({
      name: "快线",
      models: "sold-model",
      group: "fast",
      model_mapping: '{"sold-model":"sold-model--503"}',
    });
    await stage.addChannel({ name: "慢线", models: "sold-model", group: "slow" });
    await stage.open("/token/add", stage.customer);
    await fieldOf(stage.customer, "名称").fill("自动");
    await stage.choose("分组", "自动", stage.customer);
    await stage.pick(stage.customer.getByRole("combobox", { name: "分组顺序" }), "fast", "slow");
    await stage.customer.getByRole("switch", { name: "无限额度" }).click();
    await stage.press("提交", stage.customer);
    await stage.customer.waitForURL("**/token");
    const asked = await ask(await newestKey(stage.carol));
    await stage.openReceipt(asked, stage.customer);
    await stage.customer.getByText("使用分组 slow。").waitFor();
    // A tenth of 23, rounded up.
    await stage.customer.getByText("3 点额度").waitFor();
  });

  it("of a user with several: the first that has a channel for the model", async () => {
    await stage.open(`/user/edit/${dave.id}`);
    await stage.page.getByRole("button", { name: "移除 vip" }).waitFor();
    await stage.page.getByRole("button", { name: "移除 default" }).waitFor();
    const made = await dave.api("POST", "/api/token/", { name: "k", unlimited_quota: true, remain_quota: 0 });
    expect(made.body.success).toBe(true);
    await stage.openReceipt(await ask(await newestKey(dave)));
    await stage.page.getByText("23 点额度").waitFor();
    await stage.root.api("PUT", "/api/channel/", { id: main, group: "default,vip" });
    await stage.openReceipt(await ask(await newestKey(dave)));
    await stage.page.getByText("使用分组 vip。").waitFor();
    await stage.page.getByText("12 点额度").waitFor();
  });
});

describe("a price for one customer", () => {
  const write = async (fields: Readonly<Record<string, string>>) => {
    await stage.press("添加规则");
    const window = stage.page.getByRole("dialog");
    for (const [label, value] of Object.entries(fields))
      await window.getByLabel(new RegExp(`^${label}\\*?$`)).fill(value);
    return window;
  };
  const save = async () => {
    await stage.page.getByRole("dialog").getByRole("button", { name: "保存" }).click();
    await stage.page.getByRole("dialog").waitFor({ state: "hidden" });
  };

  it("holds in its order, is foretold, and stands on the receipt and on the customer's page of prices", async () => {
    await stage.open("/pricing/rules");
    const window = await write({ 名称: "全场", 模型: "*", 乘以: "0.9" });
    // A list that opens in a window lies above it.
    await window.getByLabel("分组", { exact: true }).click();
    await stage.page.getByRole("option", { name: "default" }).click();
    await save();
    await write({ 名称: "老客户", 客户: "carol", 模型: "sold-*", 乘以: "0.5" });
    await save();
    await stage.row("老客户").getByText("carol").waitFor();

    const preview = stage.page.getByRole("region", { name: "试算客户价格" });
    await preview.getByLabel("客户").fill("carol");
    await preview.getByLabel("模型").fill("sold-model");
    await preview.getByRole("button", { name: "查看" }).click();
    await preview.getByText("老客户").waitFor();
    await preview.getByText(/\$1/).first().waitFor();

    await stage.openReceipt(await ask(), stage.customer);
    await stage.customer.getByText("适用价格规则“老客户”：乘以 0.5。").waitFor();
    await stage.open("/pricing", stage.customer);
    await stage.row("sold-model", stage.customer).getByText("专属价格：老客户").waitFor();
    expect(await stage.row("sold-model", stage.customer).textContent()).toContain("$1");
    await stage.row("image-model", stage.customer).getByText("专属价格：全场").waitFor();

    // Another customer is no subject of either.
    await stage.openReceipt(await ask(await newestKey(dave)));
    expect(await stage.page.getByText("适用价格规则").count()).toBe(0);
    await stage.open("/pricing/rules");
    for (const name of ["老客户", "全场"]) {
      await actOnRow(stage.row(name), "删除");
      await stage.page.getByRole("alertdialog").getByRole("button", { name: "删除" }).click();
      await stage.row(name).waitFor({ state: "detached" });
    }
  });
});

describe("the page of prices", () => {
  it("is shown to guests where the site says so, searched, narrowed down by group, and copied from", async () => {
    const guest = await stage.visit();
    await guest.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await stage.open("/pricing", guest);
    await guest.getByText("价格仅对本站用户显示").waitFor();
    await stage.open("/setting?tab=operation");
    await unfoldSettings(stage.page);
    await stage.page.getByRole("combobox", { name: "价格页面" }).click();
    await stage.page.getByRole("option", { name: "所有人可见" }).click();
    await stage.press("保存");
    await stage.seeDone();
    await stage.open("/pricing", guest);
    expect(await stage.row("sold-model", guest).textContent()).toContain("$2");
    await guest.getByRole("searchbox").fill("image");
    await guest.getByRole("searchbox").press("Enter");
    await stage.row("sold-model", guest).waitFor({ state: "detached" });
    await stage.row("image-model", guest).getByText("$0.04 / 次").waitFor();
    await guest.getByRole("button", { name: "复制 image-model" }).click();
    await expect.poll(() => guest.evaluate("navigator.clipboard.readText()")).toBe("image-model");
    await guest.context().close();

    await stage.open("/pricing", stage.customer);
    await stage.choose("分组", /^slow/, stage.customer);
    await expect.poll(() => stage.row("sold-model", stage.customer).textContent()).toContain("$0.2");
    await stage.row("image-model", stage.customer).waitFor({ state: "detached" });
  });
});

describe("buying prices and profit", () => {
  it("is typed for a model, marked where it is a loss, and kept with the charge on the receipt", async () => {
    await stage.open(`/channel/buying/${main}`);
    await stage.press("添加规则");
    await stage.page.getByLabel("模型", { exact: true }).fill("sold-*");
    await stage.choose("计价方式", "每百万 token 美元价");
    await stage.page.getByLabel("输入（美元）").fill("20");
    await stage.page.getByLabel("输出（美元）").fill("40");
    await stage.page.getByText("亏本出售的模型：1 个").waitFor();
    await stage.press("提交");
    await stage.seeDone();
    const asked = await ask();
    await stage.openReceipt(asked);
    await stage.page.getByText("上游成本").waitFor();
    await stage.openReceipt(asked, stage.customer);
    expect(await stage.customer.getByText("上游成本").count()).toBe(0);
    await stage.open("/profit");
    await stage.page.getByText(/按当前价格亏本出售/).waitFor();
  });

  it("is read from the upstream's own list, where that is a gateway that publishes one", async () => {
    // The gateway before itself: its page of prices is public by now.
    const second = await stage.addChannel({
      name: "同行",
      base_url: stage.server.url,
      models: "sold-model",
      group: "slow",
    });
    await stage.open(`/channel/buying/${second}`);
    await stage.press("询问上游");
    await stage.page.getByRole("button", { name: "采用其价目" }).click();
    await stage.seeDone(stage.page, /已采用 \d+ 个价格/);
    await stage.choose("默认", "上游价目 × 系数");
    await stage.page.getByLabel("系数").fill("0.5");
    await expect.poll(() => stage.row("sold-model").textContent()).toContain("$1.00 / $2.00");
    await stage.press("提交");
    await stage.seeDone();
    await stage.root.api("DELETE", `/api/channel/${second}`);
  });

  it("adds up by channel, model, customer and day, as a picture and as a table", async () => {
    await stage.open("/profit");
    await stage.page.getByRole("region", { name: "合计" }).getByText(/%/).first().waitFor();
    await stage.page.getByRole("figure").first().waitFor();
    for (const [by, name] of [
      ["模型", "sold-model"],
      ["客户", "carol"],
      ["渠道", "主线"],
    ] as const) {
      await stage.page.getByText(by, { exact: true }).first().click();
      await stage.row(name).first().waitFor();
    }
  });

  it("is compared with the upstream's bill, as a file and by how the balance moved", async () => {
    const day = new Date().toISOString().slice(0, 10);
    await stage.open("/reconciliation");
    await stage.choose("渠道", /主线/);
    await stage.page.getByLabel("账单文件").setInputFiles({
      name: "bill.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`date,model,usd\n${day},sold-model,1.5\n${day},never-asked,=1+1\n`),
    });
    await stage.page.getByRole("table", { name: "前几行" }).waitFor();
    await stage.choose("日期列", "date");
    await stage.choose("金额列", "usd");
    await stage.choose("模型列", "model");
    await stage.press("开始对账");
    await stage.page.getByRole("table", { name: "预期与账单" }).waitFor();
    expect(await stage.row("sold-model").textContent()).toContain("$1.50");
    await stage.page.getByText(/1 行无法读取/).waitFor();
    await stage.press("返回列表");
    await stage.page.getByRole("table", { name: "历史对账" }).getByText("主线").waitFor();

    await stage.open(`/channel?q=${encodeURIComponent("主线")}`);
    await stage.row("主线").getByRole("button", { name: /余额/ }).click();
    await stage.row("主线").getByText("$87.66").waitFor();
    // Once more, a second later: two readings make a movement.
    const first = Math.floor(Date.now() / 1000);
    await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(first);
    await stage.row("主线").getByRole("button", { name: /余额/ }).click();
    await stage.seeDone(stage.page, "余额更新成功");
    await stage.open("/reconciliation");
    await stage.page.getByText("余额变动", { exact: true }).first().click();
    await stage.choose("渠道", /主线/);
    await stage.page
      .getByText(/余额 · 87\.66/)
      .first()
      .waitFor();
    await stage.page.getByLabel("在上游的充值").fill("5");
    // Between the two readings: what comes after the last one is in neither.
    const paidAt = new Date((first + 1) * 1000);
    await fieldOf(stage.page, "充值时间").fill(
      `${paidAt.toLocaleDateString("sv-SE")} ${paidAt.toLocaleTimeString("sv-SE")}`,
    );
    await stage.press("记录");
    await stage.page.getByText(/充值 · 5$/).waitFor();
    await stage.press("开始对账");
    await stage.page.getByRole("table", { name: "预期与账单" }).waitFor();
    expect(await stage.row("合计").textContent()).toContain("$5.00");
  });
});

describe("a change of prices", () => {
  it("is rehearsed over the recorded usage, by model, group and customer, and published now or from a date on", async () => {
    await stage.open("/pricing/rehearsal");
    await stage.press("新建草稿");
    await fieldOf(stage.page, "名称").fill("春季");
    await stage.choose("选项", "模型价格");
    await stage.page.getByLabel("模型、分组或名称").fill("sold-model");
    await stage.press("加入改动");
    await stage.page.getByLabel("输入 1", { exact: true }).fill("4");
    await stage.page.getByLabel("输出 1", { exact: true }).fill("8");
    await stage.press("保存草稿");
    await stage.seeDone(stage.page, "草稿已保存");
    await stage.press("开始预演");
    const numbers = stage.page.getByRole("region", { name: "预演数字" });
    await numbers.waitFor();
    // Everything that was sold by the token becomes dearer.
    expect(await numbers.textContent()).toMatch(/差额\+/);
    for (const [by, name] of [
      ["分组", "default"],
      ["客户", "carol"],
      ["模型", "sold-model"],
    ] as const) {
      await stage.page.getByText(by, { exact: true }).last().click();
      await stage.row(name).first().waitFor();
    }
    const next = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await fieldOf(stage.page, "指定生效时间").fill(`${next} 08:00:00`);
    await stage.press("排定");
    await stage.page.getByText(`将于 ${next} 08:00:00 生效。`).waitFor();
    await stage.press("撤回");
    await stage.press("立即发布");
    await stage.page.getByRole("alertdialog").getByRole("button", { name: "立即发布" }).click();
    await stage.seeDone(stage.page, "价格已生效");
    const answer = await ask();
    await stage.openReceipt(answer);
    await stage.page.getByText("46 点额度").waitFor();
  });
});
