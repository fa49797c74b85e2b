import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListStage, startListStage } from "./list-stage";
import { actOnRow } from "./visitor";

let stage: ListStage;

beforeAll(async () => {
  stage = await startListStage();
});
afterAll(() => stage?.close());

/** Some channel of the world, by its id. */
const channelOf = (id: number) => {
  const found = stage.double.world.channels.find((channel) => channel.id === id);
  if (!found) throw new Error(`no channel ${id}`);
  return found;
};

const nameInput = () => stage.page.getByRole("searchbox", { name: "搜索" });

describe("the channel list", () => {
  it("asks for page 0 first and offers to search by ID, name and key", async () => {
    await stage.open("/channel");
    await stage.row("渠道 23").waitFor();
    await stage.lookedAhead();
    expect(stage.calls()).toEqual(["GET /api/channel/?p=0", "GET /api/channel/?p=1"]);
    // Tags are an extra: they are asked for once the list is there.
    const asked = stage.double.calls;
    expect(asked.indexOf("GET /api/channel/tags")).toBeGreaterThan(asked.indexOf("GET /api/channel/?p=0"));
    expect(await nameInput().getAttribute("placeholder")).toBe("搜索渠道的 ID、名称和密钥");
    await nameInput().fill(" Claude ");
    await nameInput().press("Enter");
    await stage.row("Claude 生产").waitFor();
    expect(await stage.page.getByRole("row").count()).toBe(2);
    expect(stage.calls()).toEqual(["GET /api/channel/search?keyword=Claude"]);
    // An emptied box shows the list again.
    await nameInput().fill("  ");
    await nameInput().press("Enter");
    await stage.row("渠道 23").waitFor();
    expect(new URL(stage.page.url()).search).toBe("");
  });

  it("sorts by ID, name, group, type, status, response time, balance and priority, and ends in actions", async () => {
    await stage.open("/channel");
    await stage.row("渠道 23").waitFor();
    const heads = stage.page.getByRole("columnheader");
    expect(await heads.allTextContents()).toEqual([
      "ID",
      "名称",
      "分组",
      "类型",
      "状态",
      "响应时间",
      "余额",
      "优先级",
      "权重",
      "操作",
    ]);
    expect(await heads.getByRole("button").allTextContents()).toEqual([
      "ID",
      "名称",
      "分组",
      "类型",
      "状态",
      "响应时间",
      "余额",
      "优先级",
    ]);
    const first = () => stage.page.getByRole("row").nth(1).getByRole("cell").first().textContent();
    for (const name of ["ID", "名称", "分组", "类型", "状态", "响应时间", "余额", "优先级"]) {
      const head = stage.page.getByRole("columnheader", { name, exact: true });
      await head.getByRole("button").click();
      await expect.poll(() => head.getAttribute("aria-sort")).toBe("ascending");
      const lowest = await first();
      await head.getByRole("button").click();
      await expect.poll(() => head.getAttribute("aria-sort")).toBe("descending");
      expect([name, (await first()) === lowest]).toEqual([name, false]);
    }
  });

  it("tests one channel and adopts its time", async () => {
    await stage.open("/channel?q=1");
    stage.calls();
    await stage.row("OpenAI 主线路").getByText("未测试").waitFor();
    await actOnRow(stage.row("OpenAI 主线路"), "测试");
    await stage.toast("渠道 OpenAI 主线路 测试成功，耗时 1.23 秒。").waitFor();
    await stage.row("OpenAI 主线路").getByText("1.23 秒").waitFor();
    expect(stage.calls()).toEqual(["GET /api/channel/test/1/"]);
  });

  it("says why a test failed", async () => {
    await stage.open("/channel?q=5");
    await actOnRow(stage.row("自建 vLLM"), "测试");
    await stage.toast("渠道不可用").waitFor();
  });

  it("refreshes a balance by a click on it", async () => {
    await stage.open("/channel?q=1");
    stage.calls();
    await stage
      .row("OpenAI 主线路")
      .getByRole("button", { name: /余额 \$0\.00/ })
      .click();
    await stage.row("OpenAI 主线路").getByText("$42.50").waitFor();
    await stage.toast("渠道 OpenAI 主线路 余额更新成功！").waitFor();
    expect(stage.calls()).toEqual(["GET /api/channel/update_balance/1/"]);
  });

  it("disables with status 2, enables with status 1, and its button says which comes next", async () => {
    await stage.open("/channel?q=1");
    const row = stage.row("OpenAI 主线路");
    await row.getByText("已启用").waitFor();
    await actOnRow(row, "禁用");
    await row.getByText("已禁用").waitFor();
    await stage.toast("操作成功完成!").waitFor();
    expect(stage.body("PUT /api/channel/")).toEqual({ id: 1, status: 2 });
    await actOnRow(row, "启用");
    await row.getByText("已启用").waitFor();
    expect(stage.body("PUT /api/channel/")).toEqual({ id: 1, status: 1 });
  });

  it("names the three states, and offers to enable a disabled one", async () => {
    await stage.open("/channel?q=6");
    await stage.row("文心千帆").getByText("自动禁用").waitFor();
    await stage.row("文心千帆").getByRole("button", { name: "启用" }).waitFor();
    await stage.open("/channel?q=5");
    await stage.row("自建 vLLM").getByText("已禁用").waitFor();
    await stage.row("自建 vLLM").getByRole("button", { name: "启用" }).waitFor();
    await stage.open("/channel?q=2");
    await stage.row("Claude 生产").getByText("已启用").waitFor();
    await stage.row("Claude 生产").getByRole("button", { name: "禁用" }).waitFor();
  });

  it("edits priority and weight where they stand", async () => {
    await stage.open("/channel?q=2");
    const priority = stage.page.getByRole("spinbutton", { name: "优先级：Claude 生产" });
    const weight = stage.page.getByRole("spinbutton", { name: "权重：Claude 生产" });
    await priority.fill("12");
    await priority.press("Enter");
    await expect.poll(() => stage.body("PUT /api/channel/")).toEqual({ id: 2, priority: 12 });
    // T10: it says that it is saved.
    await stage.toast("操作成功完成!").waitFor();
    // Leaving the field saves as well; below zero becomes zero.
    await weight.fill("-3");
    await weight.blur();
    await expect.poll(() => stage.body("PUT /api/channel/")).toEqual({ id: 2, weight: 0 });
    expect(await weight.inputValue()).toBe("0");
    const sent = stage.double.bodies.length;
    // Empty is ignored, Escape takes back, an unchanged number is not sent.
    await priority.fill("");
    await priority.press("Enter");
    expect(await priority.inputValue()).toBe("12");
    await weight.fill("7");
    await weight.press("Escape");
    expect(await weight.inputValue()).toBe("0");
    await priority.focus();
    await priority.blur();
    expect(stage.double.bodies.length).toBe(sent);
    expect(channelOf(2)).toMatchObject({ priority: 12, weight: 0 });
  });

  it("keeps a priority that the server refuses out of the list", async () => {
    await stage.open("/channel?q=2");
    const priority = stage.page.getByRole("spinbutton", { name: "优先级：Claude 生产" });
    stage.double.fail("/api/channel/", "refused");
    await priority.fill("99");
    await priority.press("Enter");
    await stage.toast("服务器拒绝了这次操作").waitFor();
    stage.double.fail("/api/channel/", undefined);
    await expect.poll(() => priority.inputValue()).toBe("12");
  });

  it("confirms before it deletes, and removes the row without reloading the list", async () => {
    await stage.open("/channel?q=3");
    stage.calls();
    await actOnRow(stage.row("通义千问"), "删除");
    const question = stage.page.getByRole("alertdialog");
    await question.getByText("删除渠道“通义千问”？").waitFor();
    await question.getByRole("button", { name: "取消" }).click();
    await question.waitFor({ state: "detached" });
    expect(stage.calls()).toEqual([]);
    await actOnRow(stage.row("通义千问"), "删除");
    await question.getByRole("button", { name: "删除渠道 通义千问" }).click();
    await stage.row("通义千问").waitFor({ state: "detached" });
    await stage.toast("操作成功完成!").waitFor();
    expect(stage.calls()).toEqual(["DELETE /api/channel/3/"]);
  });

  it("leads to the form of a channel and to that of a new one", async () => {
    await stage.open("/channel?q=2");
    await actOnRow(stage.row("Claude 生产"), "编辑");
    await stage.page.waitForURL("**/channel/edit/2");
    await stage.open("/channel");
    await stage.page.getByRole("link", { name: "添加新的渠道" }).first().click();
    await stage.page.waitForURL("**/channel/add");
  });

  it("explains tests and balances in a notice that stays away once dismissed", async () => {
    const page = await stage.another();
    await page.goto(`${stage.double.url}/channel`);
    const notice = page.getByRole("complementary");
    await notice.waitFor();
    expect(await notice.textContent()).toBe(
      "渠道测试使用 gpt-3.5-turbo 的非流式请求，因此测试报错并不一定代表渠道不可用。OpenAI 类型的渠道已不再支持查询余额，余额显示为 0；对于支持的渠道类型，点击余额即可刷新。",
    );
    await notice.getByRole("button", { name: "不再显示此提示" }).click();
    await notice.waitFor({ state: "detached" });
    expect(await page.evaluate("localStorage.getItem('prompt-channel-test')")).toBe("true");
    await page.reload();
    await page.getByRole("row").nth(1).waitFor();
    expect(await notice.count()).toBe(0);
    await page.context().close();
  });

  it("shows groups as badges: vip and pro yellow, svip and premium red, others grey", async () => {
    await stage.open("/channel?q=4");
    const color = (group: string) =>
      stage
        .row("OpenRouter 备用")
        .getByText(group, { exact: true })
        .evaluate((element) => element.className.match(/text-(yellow|red|ink-2)/)?.[1]);
    expect([await color("pro"), await color("premium"), await color("default")]).toEqual([
      "yellow",
      "red",
      "ink-2",
    ]);
  });

  /** Shows channels that differ in this, and reads one column of each. */
  const withChannels = async (changes: object[], column: number) => {
    const kept = stage.double.world.channels;
    const model = channelOf(2);
    stage.double.world.channels = changes.map((change, index) => ({ ...model, ...change, id: 90 - index }));
    stage.calls();
    await stage.open("/channel");
    const cells = stage.page.getByRole("row").locator(`td:nth-child(${column})`);
    await expect.poll(() => cells.count()).toBe(changes.length);
    // The list looks past its first page by itself.
    await expect.poll(stage.calls).toContain("GET /api/channel/?p=1");
    stage.double.world.channels = kept;
    return cells;
  };

  it("colours response times: untested grey, then green, olive, yellow, red", async () => {
    const times = [0, 1, 1000, 1001, 3000, 3001, 5000, 5001];
    const cells = await withChannels(
      times.map((time) => ({ response_time: time })),
      6,
    );
    const colors = await cells
      .locator("span")
      .evaluateAll((all) => all.map((each) => each.className.match(/text-([a-z0-9-]+)$/)?.[1]));
    expect(colors).toEqual(["ink-3", "green", "green", "olive", "olive", "yellow", "yellow", "red"]);
  });

  it("writes balances by type: dollars, yuan, yuan by ten thousand, quota, or not supported", async () => {
    const types = [1, 8, 4, 12, 5, 10, 13, 14, 17];
    const cells = await withChannels(
      types.map((type) => ({ type, balance: 1_000_000 })),
      7,
    );
    expect(await cells.allTextContents()).toEqual([
      "$1000000.00",
      "$1000000.00",
      "¥1000000.00",
      "¥1000000.00",
      "¥100.00",
      "$2.00",
      "$2.00",
      "不支持",
      "不支持",
    ]);
  });

  it("deletes the disabled channels after a question and says how many", async () => {
    await stage.open("/channel");
    const count = stage.double.world.channels.filter((channel) => channel.status !== 1).length;
    await stage.row("渠道 20").waitFor();
    await stage.lookedAhead();
    stage.calls();
    await stage.page.getByRole("button", { name: "删除禁用渠道" }).click();
    await stage.page.getByRole("alertdialog").getByRole("button", { name: "确认删除" }).click();
    await stage.toast(`已删除所有禁用渠道，共计 ${count} 个`).waitFor();
    await stage.row("渠道 20").waitFor({ state: "detached" });
    await expect
      .poll(stage.calls)
      .toEqual(["DELETE /api/channel/disabled", "GET /api/channel/?p=0", "GET /api/channel/?p=1"]);
    expect(stage.double.world.channels.every((channel) => channel.status === 1)).toBe(true);
  });

  it("reloads the list on refresh", async () => {
    await stage.open("/channel");
    await stage.row("渠道 23").waitFor();
    await stage.lookedAhead();
    channelOf(23).name = "改名之后";
    stage.calls();
    await stage.page.getByRole("button", { name: "刷新", exact: true }).click();
    await stage.row("改名之后").waitFor();
    expect(stage.calls()).toEqual(["GET /api/channel/?p=0", "GET /api/channel/?p=1"]);
  });
});

describe("a run over all enabled channels", () => {
  // The clock of the page is the test's: a run looks at the list every few seconds.
  beforeAll(() => stage.page.clock.install());

  /** Lets the run look at the list once more. */
  const look = async () => {
    const before = stage.double.calls.length;
    await stage.page.clock.fastForward(10_000);
    await expect.poll(() => stage.double.calls.length).toBeGreaterThan(before);
  };
  const progress = (text: string) => stage.page.getByRole("main").getByRole("status").getByText(text);
  const enabled = () => stage.double.world.channels.filter((channel) => channel.status === 1);

  it("shows how many are tested, goes on while other pages are shown, and says its outcome there", async () => {
    await stage.open("/channel");
    await stage.row("改名之后").waitFor();
    const [first, ...others] = enabled();
    const total = enabled().length;
    stage.calls();
    await stage.page.getByRole("button", { name: "测试所有已启用的渠道" }).click();
    await progress(`已测试 0 / ${total}`).waitFor();
    await expect.poll(() => stage.double.calls).toContain("GET /api/channel/test");
    Object.assign(first ?? {}, { test_time: 1_800_000_000, response_time: 777 });
    await look();
    await progress(`已测试 1 / ${total}`).waitFor();
    expect(await stage.page.getByRole("progressbar").getAttribute("value")).toBe("1");
    // Nothing is blocked, and other pages do not stop it.
    await stage.page.getByRole("link", { name: "令牌", exact: true }).click();
    await stage.row("网站后端").first().waitFor();
    for (const channel of others) Object.assign(channel, { test_time: 1_800_000_001, response_time: 888 });
    await look();
    await stage.toast(`所有已启用的渠道测试完毕，共 ${total} 个。`).waitFor();
    await stage.page.getByRole("link", { name: "渠道", exact: true }).click();
    await stage.row("改名之后").getByText("0.89 秒").waitFor();
    expect(await stage.page.getByRole("progressbar").count()).toBe(0);
  });

  it("says why it could not begin", async () => {
    await stage.open("/channel");
    await stage.row("改名之后").waitFor();
    stage.double.fail("/api/channel/test", "refused");
    await stage.page.getByRole("button", { name: "测试所有已启用的渠道" }).click();
    await stage.toast("服务器拒绝了这次操作").waitFor();
    stage.double.fail("/api/channel/test", undefined);
    await stage.page.getByRole("progressbar").waitFor({ state: "detached" });
  });

  it("counts updated balances and says which could not be", async () => {
    await stage.open("/channel");
    await stage.row("改名之后").waitFor();
    const withBalance = enabled().filter((channel) =>
      [1, 8, 4, 12, 5, 10, 13, 20, 25, 36].includes(channel.type),
    );
    stage.calls();
    await stage.page.getByRole("button", { name: "更新所有已启用渠道余额" }).click();
    await progress(`已更新 0 / ${withBalance.length}`).waitFor();
    Object.assign(withBalance[0] ?? {}, { balance: 3, balance_updated_time: 1_800_000_000 });
    for (let looks = 0; looks < 4; looks += 1) await look();
    await stage.toast(`已更新 1 / ${withBalance.length} 个渠道的余额，其余未能更新。`).waitFor();
    expect(stage.calls()).toContain("GET /api/channel/update_balance");
  });
});
