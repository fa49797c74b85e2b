import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type GatewayStage, startGatewayStage } from "./gateway-stage";
import { actOnRow, fieldOf } from "./visitor";

/*
 * What an administrator does with channels: each thing by hand in the browser, then looked at where it counts, at the upstream,
 * in the list and on the receipt. Each test has a model of its own, so that none meets another one's channels.
 */

let stage: GatewayStage;
let key: string;

beforeAll(async () => {
  stage = await startGatewayStage();
  key = await stage.addKey();
  await stage.setOption("FallbackModelRatio", "1");
  await stage.setOption("RetryTimes", "2");
});

afterAll(() => stage?.close());

beforeEach(() => stage.upstream.reset());

const text = (name: string) => stage.page.getByRole("textbox", { name, exact: true });
const lastAsked = () => stage.upstream.requests.at(-1);
const saved = () => stage.page.waitForURL("**/channel");

describe("a calendar", () => {
  it("closes a channel outside its hours and from its end on, and says why in the list", async () => {
    const channel = await stage.addChannel({ name: "订阅", models: "calendar-model" });
    await stage.open(`/channel/edit/${channel}`);
    await stage.unfold("标签、测试与开放时间");
    // Open for a minute that is half a day away.
    await stage.press("添加时段");
    const away = new Date(Date.now() + 12 * 3_600_000).toISOString().slice(11, 14);
    for (const day of ["星期六", "星期日"]) await stage.page.getByLabel(day).check({ force: true });
    await stage.page.getByLabel("开始时间").fill(`${away}00`);
    await stage.page.getByLabel("结束时间").fill(`${away}01`);
    await stage.choose("时区", /^UTC$/);
    await stage.press("提交");
    await saved();
    await stage.row("订阅").getByText("不在开放时段").waitFor();
    expect((await stage.ask(key, { model: "calendar-model" })).status).toBe(503);

    await actOnRow(stage.row("订阅"), "编辑");
    await stage.press("移除此时段");
    await text("截止时间").fill("2026-01-01 00:00:00");
    await stage.press("提交");
    await saved();
    await stage.row("订阅").getByText("已过截止时间").waitFor();
    expect((await stage.ask(key, { model: "calendar-model" })).status).toBe(503);

    // Of what is no time nothing is stored, and it is said.
    await actOnRow(stage.row("订阅"), "编辑");
    await text("截止时间").fill("2027-13-45");
    await stage.press("提交");
    await stage.page.getByText("请输入有效的时间！").first().waitFor();

    await text("截止时间").fill("");
    await stage.press("添加窗口");
    await stage.page.getByLabel("上限").fill("1");
    await stage.press("提交");
    await saved();
  });
});

describe("overrides", () => {
  let channel: number;

  it("change body, headers and prompt of the sent request, and the channel's test; the receipt names them", async () => {
    channel = await stage.addChannel({ name: "改写", models: "override-model" });
    await stage.open(`/channel/edit/${channel}`);
    await stage.unfold("覆盖设置");
    await text("请求体").fill(
      '{"set":{"temperature":0.2},"merge":{"metadata":{"team":"search"}},"delete":["user"]}',
    );
    for (const [index, [name, value]] of [
      ["x-title", "{client:X-Title}"],
      ["x-token", "Token {api_key}"],
    ].entries()) {
      await stage.press("添加请求头");
      await text(`请求头名称 ${index + 1}`).fill(name ?? "");
      await text(`请求头的值 ${index + 1}`).fill(value ?? "");
    }
    await text("系统提示词").fill("Be brief.");
    await stage.page.getByText("放在最前", { exact: true }).click();
    await stage.press("添加状态码");
    await text("上游状态码 1").fill("400");
    await text("视为 1").fill("500");
    await stage.press("提交");
    await saved();

    const asked = await stage.ask(
      key,
      { model: "override-model", user: "somebody", metadata: { lang: "en" } },
      { "x-title": "a title" },
    );
    expect(asked.status, asked.text).toBe(200);
    expect(lastAsked()?.headers).toMatchObject({ "x-title": "a title", "x-token": "Token upstream-key" });
    expect(lastAsked()?.body).toMatchObject({
      temperature: 0.2,
      metadata: { team: "search", lang: "en" },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" },
      ],
    });
    expect(lastAsked()?.body).not.toHaveProperty("user");
    await stage.openReceipt(asked);
    for (const done of ["请求头 x-title", "请求头 x-token", "系统提示词放在最前", "temperature", "user"])
      await stage.page.locator("code", { hasText: done }).first().waitFor();

    await stage.open("/channel");
    await actOnRow(stage.row("改写"), "测试");
    await stage.seeDone(stage.page, /渠道 改写 测试成功/);
    expect(lastAsked()?.body).toMatchObject({ temperature: 0.2 });
    expect(lastAsked()?.headers).toMatchObject({ "x-token": "Token upstream-key" });
  });

  it("map a status, so that another channel is tried, and show the mapped status on the receipt", async () => {
    const second = await stage.addChannel({ name: "后备", models: "override-model", priority: -1 });
    stage.upstream.script({ fault: "400" }, {});
    const asked = await stage.ask(key, { model: "override-model" });
    expect(asked.status, asked.text).toBe(200);
    await stage.openReceipt(asked);
    await stage.page.getByText("HTTP 400 视为 500").waitFor();
    await stage.page.getByText(`渠道 #${second} 后备`).first().waitFor();
  });

  it("show no header's value again, refuse combinations that exclude each other, and pass a body byte for byte", async () => {
    await stage.open(`/channel/edit/${channel}`);
    expect(await text("请求头的值 2").inputValue()).toBe("***");
    await stage.page.getByRole("switch", { name: "原样透传请求体" }).click();
    await stage.press("提交");
    await stage.page.getByText(/原样透传时不能修改/).waitFor();
    await text("请求体").fill("");
    await text("系统提示词").fill("");
    await stage.press("提交");
    await saved();
    const body =
      '{ "model":"override-model",\n "messages":[{"role":"user","content":"h\\u0069"}], "future_field": [1] }';
    const asked = await stage.ask(key, body);
    expect(asked.status, asked.text).toBe(200);
    expect(lastAsked()?.rawBody.toString()).toBe(body);
    await stage.openReceipt(asked);
    await stage.page.getByText("请求体原样透传").waitFor();
  });
});

describe("limits of an upstream", () => {
  it("let requests wait in a queue, which the list shows, and refuse the rest with a time", async () => {
    const channel = await stage.addChannel({ name: "窄", models: "narrow-model" });
    await stage.open(`/channel/edit/${channel}`);
    await stage.unfold("上游限制");
    await stage.page.getByRole("spinbutton", { name: "同时请求数", exact: true }).fill("1");
    await stage.page.getByRole("spinbutton", { name: "每个密钥的每分钟请求数", exact: true }).fill("3");
    await stage.press("提交");
    await saved();
    stage.upstream.script({ fault: "slow-first-byte", delayMs: 4000 }, {});
    const first = stage.ask(key, { model: "narrow-model" });
    await expect.poll(() => stage.upstream.requests.length).toBe(1);
    const second = stage.ask(key, { model: "narrow-model" });
    await stage.open("/channel");
    await stage.row("窄").getByText("1 / 1 同时").waitFor();
    await stage.row("窄").getByText("1 个排队").waitFor();
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
    expect(stage.upstream.mostAtOnce).toBe(1);

    // The third of three in this minute; the fourth finds no place, waits for none that comes in time, and is told when to ask again.
    await stage.setOption("UpstreamQueueSeconds", "0");
    expect((await stage.ask(key, { model: "narrow-model" })).status).toBe(200);
    const refused = await stage.ask(key, { model: "narrow-model" });
    expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect(stage.upstream.requests.length).toBe(3);
    await stage.setOption("UpstreamQueueSeconds", "5");
  });

  it("leave a full channel out without a try, which the receipt says", async () => {
    const wide = await stage.addChannel({ name: "宽", models: "narrow-model", priority: -1 });
    await stage.setOption("RetryTimes", "0");
    const asked = await stage.ask(key, { model: "narrow-model" });
    await stage.setOption("RetryTimes", "2");
    expect(asked.status, asked.text).toBe(200);
    await stage.openReceipt(asked);
    await stage.page.getByText("已跳过：达到渠道限制").first().waitFor();
    await stage.page.getByText(`渠道 #${wide} 宽`).first().waitFor();
  });
});

describe("many channels", () => {
  const box = (name: string) => stage.page.getByRole("checkbox", { name: `选择 ${name}`, exact: true });
  const bar = () => stage.page.getByRole("region", { name: "对所选渠道的操作" });
  const act = (name: string) => bar().getByRole("button", { name, exact: true }).click();
  const editor = () => stage.page.getByRole("dialog");

  it("begin with a copy, which is off, opens in its form, and serves with the same key once it is on", async () => {
    await stage.addChannel({ name: "池一", models: "pool-model", tag: "pool" });
    await stage.open("/channel");
    await actOnRow(stage.row("池一"), "复制");
    await stage.page.waitForURL("**/channel/edit/*");
    await fieldOf(stage.page, "名称").fill("池二");
    await stage.press("提交");
    await saved();
    await stage.row("池二").getByText("已禁用").waitFor();
    await actOnRow(stage.row("池二"), "启用");
    await stage.row("池二").getByText("已启用").waitFor();
    await actOnRow(stage.row("池一"), "禁用");
    await stage.row("池一").getByText("已禁用").waitFor();
    const asked = await stage.ask(key, { model: "pool-model" });
    expect(asked.status, asked.text).toBe(200);
    expect(lastAsked()?.headers.authorization).toBe("Bearer upstream-key");
  });

  it("of one tag are edited and switched together", async () => {
    await stage.open("/channel");
    await stage.page.getByRole("combobox", { name: "标签" }).selectOption({ label: "pool (2)" });
    await bar().getByText("标签“pool”的 2 个渠道").waitFor();
    await act("启用");
    await stage.seeDone(stage.page, "已处理 2 项");
    await stage.row("池一").getByText("已启用").waitFor();
    await act("批量编辑");
    await stage.pick(editor().getByRole("combobox", { name: "添加模型" }), "pool-more");
    await editor().getByRole("textbox", { name: "优先级" }).fill("7");
    await editor().getByRole("button", { name: "提交", exact: true }).click();
    await expect.poll(() => stage.page.getByLabel("优先级：池二").inputValue()).toBe("7");
    const asked = await stage.ask(key, { model: "pool-more" });
    expect(asked.status, asked.text).toBe(200);
  });

  it("that are chosen get a group, are switched off, and are deleted", async () => {
    await stage.setOption("GroupRatio", '{"default":1,"vip":1}');
    await stage.open("/channel");
    await box("池一").check();
    await box("池二").check();
    await bar().getByText("已选择 2 个渠道").waitFor();
    await act("批量编辑");
    await stage.pick(editor().getByRole("combobox", { name: "分组" }), "vip");
    await editor().getByRole("button", { name: "提交", exact: true }).click();
    await stage.row("池一").getByText("vip", { exact: true }).waitFor();
    // The customer's group has them no more.
    expect((await stage.ask(key, { model: "pool-model" })).status).toBe(404);
    await act("禁用");
    await stage.row("池二").getByText("已禁用").waitFor();
    await act("删除");
    await stage.press("删除 2 个渠道");
    await expect.poll(() => stage.row("池").count()).toBe(0);
  });
});

describe("tests of all channels", () => {
  it("ask with the chosen model, and leave out who keeps out of them", async () => {
    await stage.addChannel({ name: "甲", models: "first-model,tested-model", key: "key-tested" });
    await stage.addChannel({ name: "乙", models: "first-model", key: "key-kept-out" });
    await stage.open("/channel");
    await actOnRow(stage.row("甲"), "编辑");
    await stage.unfold("标签、测试与开放时间");
    await text("测试模型").fill("tested-model");
    await stage.press("提交");
    await saved();
    await actOnRow(stage.row("乙"), "编辑");
    await stage.unfold("标签、测试与开放时间");
    await stage.page.getByRole("switch", { name: "不参与批量测试" }).click();
    await stage.press("提交");
    await saved();
    await stage.press("测试所有已启用的渠道");
    await stage.row("甲").getByText(/秒$/).waitFor();
    await stage.page
      .getByText(/^所有已启用的渠道测试完毕/)
      .first()
      .waitFor();
    const asked = stage.upstream.requests.map(({ headers, body }) => [headers.authorization, body?.model]);
    expect(asked).toContainEqual(["Bearer key-tested", "tested-model"]);
    expect(asked.some(([by]) => by === "Bearer key-kept-out")).toBe(false);
    await stage.row("乙").getByText("未测试").waitFor();
  });
});

describe("a balance that no upstream tells", () => {
  it("is typed in, and counted down by the cost of answers", async () => {
    // A type whose upstream tells none.
    await stage.addChannel({ name: "预付", models: "balance-model", type: 14 });
    await stage.open("/channel");
    await stage.row("预付").getByRole("button", { name: "不支持" }).click();
    await stage.page.getByLabel("上游账户的余额（美元）").fill("1");
    await stage.press("提交");
    await stage.row("预付").getByText("$1.00").waitFor();
    await stage.setOption("ModelPrice", '{"balance-model":{"perCall":0.25}}');
    expect((await stage.ask(key, { model: "balance-model" })).status).toBe(200);
    await stage.open("/channel");
    await stage.row("预付").getByText("$0.75").waitFor();
  });
});

describe("other models in place of one that cannot answer", () => {
  it("answer by the site's list and by the request's, are named, and cost their own price", async () => {
    await stage.addChannel({
      name: "主",
      models: "wanted-model",
      model_mapping: '{"wanted-model":"wanted-model--503"}',
    });
    await stage.addChannel({ name: "替", models: "other-model" });
    await stage.setOption("ModelFallbacks", '{"wanted-model":["other-model"]}');
    await stage.setOption(
      "ModelPrice",
      '{"wanted-model":{"perCall":1},"other-model":{"perCall":0.002},"balance-model":{"perCall":0.25}}',
    );
    const asked = await stage.ask(key, { model: "wanted-model" });
    expect(asked.status, asked.text).toBe(200);
    expect(JSON.parse(asked.text)).toMatchObject({ model: "other-model" });
    expect(asked.headers.get("x-tollgate-fallback-model")).toBe("other-model");
    await stage.openReceipt(asked, stage.customer);
    await stage.customer.getByText("由模型 other-model 代替所请求的模型").waitFor();
    await stage.customer.getByText("1,000").first().waitFor();

    await stage.setOption("ModelFallbacks", "{}");
    expect((await stage.ask(key, { model: "wanted-model" })).status).toBe(502);
    const listed = await stage.ask(key, { models: ["wanted-model", "other-model"], model: undefined });
    expect(JSON.parse(listed.text)).toMatchObject({ model: "other-model" });
  });

  it("are switched off by the owner of a key", async () => {
    await stage.open("/token/add", stage.customer);
    await fieldOf(stage.customer, "名称").fill("nur-eins");
    await stage.customer.getByRole("switch", { name: "无限额度" }).click();
    await stage.customer.locator("summary").first().click();
    await stage.customer.getByRole("switch", { name: "不使用后备模型" }).click();
    await stage.press("提交", stage.customer);
    await stage.customer.waitForURL("**/token");
    const [made] = (await stage.carol.api("GET", "/api/token/?p=0")).body.data as { key: string }[];
    const asked = await stage.ask(made?.key ?? "", {
      models: ["wanted-model", "other-model"],
      model: undefined,
    });
    expect(asked.status).toBe(502);
  });
});

describe("a group that goes by price", () => {
  it("asks the cheapest channel, says so on the receipt, and shows the compared prices on the channel's page", async () => {
    const buying = (usd: number) =>
      JSON.stringify({ rules: [{ model: "sold-model", prices: [{ input: usd, output: usd }] }] });
    await stage.addChannel({ name: "贵", models: "sold-model", weight: 1000, buying_prices: buying(2) });
    const cheap = await stage.addChannel({ name: "廉", models: "sold-model", buying_prices: buying(1) });
    await stage.setOption("GroupRouting", '{"default":"cheapest"}');
    const asked = await stage.ask(key, { model: "sold-model" });
    expect(asked.status, asked.text).toBe(200);
    await stage.openReceipt(asked);
    await stage.page.getByText("作为可用渠道中最便宜的选择").waitFor();
    await stage.page.getByText(`渠道 #${cheap} 廉`).first().waitFor();
    await stage.open(`/channel/edit/${cheap}`);
    await stage.page.getByRole("heading", { name: "速度与进价" }).waitFor();
    await stage.page.getByRole("cell", { name: "sold-model", exact: true }).waitFor();
    await stage.setOption("GroupRouting", '{"default":"fastest"}');
    const fast = await stage.ask(key, { model: "sold-model" });
    await stage.openReceipt(fast);
    await stage.page
      .getByText(/最快的选择|测量当前速度/)
      .first()
      .waitFor();
  });
});

it("closes a channel whose window is used up, until the window ends", async () => {
  // Windows are looked at every five seconds: it was seen since it was typed, many tests ago.
  expect((await stage.ask(key, { model: "calendar-model" })).status).toBe(200);
  await expect
    .poll(async () => (await stage.root.api("GET", "/api/channel/search?keyword=订阅")).text)
    .toMatch(/"closed_until":[1-9]/);
  await stage.open("/channel?q=订阅");
  await stage.row("订阅").getByText("用量窗口已满").waitFor();
  expect((await stage.ask(key, { model: "calendar-model" })).status).toBe(503);
});
