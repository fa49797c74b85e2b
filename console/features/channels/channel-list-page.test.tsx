// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";
import { sortThrough } from "../../testing/sort-through";

/* Each column sorts them in a different order. */
const CHANNELS = [
  {
    id: 3,
    name: "c",
    group: "b",
    type: 8,
    status: 2,
    response_time: 3000,
    balance: 4,
    priority: 1,
    weight: 5,
  },
  {
    id: 1,
    name: "d",
    group: "d,e",
    type: 5,
    status: 3,
    response_time: 0,
    balance: 30_000,
    priority: 4,
    weight: 0,
  },
  {
    id: 5,
    name: "b",
    group: "c",
    type: 14,
    status: 1,
    response_time: 5001,
    balance: 2,
    priority: 3,
    weight: 0,
  },
  {
    id: 2,
    name: "e",
    group: "a",
    type: 10,
    status: 4,
    response_time: 1000,
    balance: 9,
    priority: 5,
    weight: 0,
  },
  {
    id: 4,
    name: "a",
    group: "e",
    type: 12,
    status: 0,
    response_time: 5002,
    balance: 1,
    priority: 2,
    weight: 0,
  },
].map((channel) => ({
  models: "m",
  key: "",
  base_url: "",
  other: "",
  model_mapping: "",
  test_time: 0,
  ...channel,
}));

const LIST = { "GET /api/channel/": CHANNELS };

describe("V1: the list of channels", () => {
  it("shows each field of a channel in its column, a balance in the unit of its type", async () => {
    const { cells } = await openConsole("/channel", LIST);
    expect(cells().map((row) => row.slice(0, 7))).toEqual([
      ["3", "c", "b", "自定义渠道", "已禁用", "3.00 秒", "$4.00"],
      ["1", "d", "de", "代理：OpenAI-SB", "自动禁用", "未测试", "¥3.00"],
      ["5", "b", "c", "Anthropic Claude", "已启用", "5.00 秒", "不支持"],
      ["2", "e", "a", "代理：AI Proxy", "未知状态", "1.00 秒", "9"],
      ["4", "a", "e", "代理：API2GPT", "未知状态", "5.00 秒", "¥1.00"],
    ]);
  });

  it.each([
    { was: 1, label: "禁用", other: "启用", sent: 2, state: "已禁用" },
    { was: 2, label: "启用", other: "禁用", sent: 1, state: "已启用" },
    { was: 3, label: "启用", other: "禁用", sent: 1, state: "已启用" },
    { was: 4, label: "启用", other: "禁用", sent: 1, state: "已启用" },
  ])(
    "offers $label for a channel of status $was, sends $sent, and shows the result",
    async ({ was, label, other, sent, state }) => {
      const [found] = CHANNELS.filter(({ status }) => status === was);
      if (found === undefined) throw new Error("no such status");
      const { id, name } = found;
      const stage = await openConsole("/channel", { ...LIST, "PUT /api/channel/": (body: object) => body });
      const mark = `${id}${name}`;
      const row = stage.row(mark);
      await stage.act(mark, label);
      expect(await row.findByText(state)).toBeTruthy();
      expect((await stage.action(mark, other)).textContent).toBe(other);
      expect(stage.bodyOf("PUT /api/channel/")).toEqual({ id, status: sent });
      expect(stage.notices.map(({ kind }) => kind)).toEqual([sent === 2 ? "undoable" : "success"]);
    },
  );

  it("shows the status that the server answered, whatever was asked for", async () => {
    const stage = await openConsole("/channel", {
      ...LIST,
      "PUT /api/channel/": { ...CHANNELS[0], status: 3 },
    });
    await stage.act("3c", "启用");
    expect(await stage.row("3c").findByText("自动禁用")).toBeTruthy();
  });

  it("tests a channel, says how long it took, and shows it", async () => {
    const stage = await openConsole("/channel", {
      ...LIST,
      "GET /api/channel/test/1/": () => Response.json({ success: true, message: "", time: 1.5 }),
    });
    await stage.act("1d", "测试");
    expect(await stage.row("1d").findByText("1.50 秒")).toBeTruthy();
    expect(stage.notices).toEqual([{ kind: "info", text: "渠道 d 测试成功，耗时 1.50 秒。" }]);
  });

  it("shows how many of a channel's keys can be used, and nothing of a single one", async () => {
    await openConsole("/channel", {
      "GET /api/channel/": [{ ...CHANNELS[0], key_count: 3, dead_key_count: 1 }, CHANNELS[1]],
    });
    const counts = [...document.querySelectorAll("tbody tr td:nth-child(5)")].map((cell) => cell.textContent);
    expect(counts).toEqual(["已禁用2/3", "自动禁用"]);
    expect(screen.getByTitle("3 个密钥中 2 个可用")).toBeTruthy();
  });

  it("marks a channel without a name, and one of an unknown type", async () => {
    const { cells } = await openConsole("/channel", {
      "GET /api/channel/": [{ ...CHANNELS[0], name: "", type: 999 }],
    });
    expect(cells()[0]?.slice(1, 7)).toEqual(["无", "b", "未知类型 999", "已禁用", "3.00 秒", "不支持"]);
  });

  it("names each channel's balance for those who hear the page", async () => {
    await openConsole("/channel", LIST);
    expect(screen.getByRole("button", { name: "c 余额 $4.00，点击刷新" })).toBeTruthy();
  });

  it.each([
    { name: "测试所有已启用的渠道", call: "GET /api/channel/test", progress: "已测试 0 / 5" },
    { name: "更新所有已启用渠道余额", call: "GET /api/channel/update_balance", progress: /^已更新 0 \/ \d$/ },
  ])("begins by $name, and says how far that is", async ({ name, call, progress }) => {
    const stage = await openConsole("/channel", {
      "GET /api/channel/": CHANNELS.map((channel) => ({ ...channel, status: 1 })),
      [call]: {},
    });
    await stage.person.click(screen.getByRole("button", { name }));
    const button = await screen.findByRole("button", { name: progress });
    expect(button.getAttribute("aria-busy")).toBe("true");
    expect(stage.calls.some((each) => each.call.startsWith(call))).toBe(true);
  });

  it("asks for a balance by a click on it", async () => {
    const stage = await openConsole("/channel", {
      ...LIST,
      "GET /api/channel/update_balance/3/": () => Response.json({ success: true, message: "", balance: 7.5 }),
    });
    await stage.person.click(stage.row("3c").getByText("$4.00"));
    expect(await stage.row("3c").findByText("$7.50")).toBeTruthy();
    expect(stage.notices).toEqual([{ kind: "success", text: "渠道 c 余额更新成功！" }]);
  });

  it("saves priority and weight where they stand, no weight below 0, and nothing of an empty field", async () => {
    const stage = await openConsole("/channel", { ...LIST, "PUT /api/channel/": {} });
    const retype = async (label: string, text: string) => {
      const field = screen.getByLabelText(label);
      await stage.person.clear(field);
      await stage.person.type(field, `${text}{Enter}`);
    };
    await retype("优先级：c", "-7");
    await waitFor(() => expect(stage.bodyOf("PUT /api/channel/")).toEqual({ id: 3, priority: -7 }));
    await waitFor(() => expect(screen.getByLabelText("优先级：c")).toHaveProperty("value", "-7"));
    await retype("权重：c", "-3");
    await waitFor(() => expect(stage.bodyOf("PUT /api/channel/")).toEqual({ id: 3, weight: 0 }));
    await retype("权重：d", "");
    expect(screen.getByLabelText("权重：d")).toHaveProperty("value", "0");
    expect(stage.calls.filter(({ call }) => call.startsWith("PUT"))).toHaveLength(2);
    await retype("权重：d", "1e2");
    await waitFor(() => expect(stage.bodyOf("PUT /api/channel/")).toEqual({ id: 1, weight: 100 }));
    await waitFor(() => expect(stage.notices.map(({ kind }) => kind)).toEqual(Array(3).fill("success")));
  });

  it("says when a channel was tested and its balance read", async () => {
    const [first] = CHANNELS;
    await openConsole("/channel", {
      "GET /api/channel/": [{ ...first, test_time: 100, balance_updated_time: 200 }, { ...CHANNELS[1] }],
    });
    const titles = [...document.querySelectorAll("tbody [title]")].map((each) => each.getAttribute("title"));
    expect(titles).toEqual(
      expect.arrayContaining([
        `测试于 ${formatTime(100)}`,
        `更新于 ${formatTime(200)}，点击刷新`,
        "点击更新余额",
      ]),
    );
    expect(titles.filter((title) => title?.startsWith("测试于"))).toHaveLength(1);
  });

  it("asks before it deletes, and takes the row away", async () => {
    const stage = await openConsole("/channel", LIST);
    await stage.act("5b", "删除");
    const confirm = await screen.findByRole("button", { name: "删除渠道 b" });
    expect(screen.getByText("删除渠道“b”？")).toBeTruthy();
    expect(stage.calls.some(({ call }) => call.startsWith("DELETE"))).toBe(false);
    await stage.person.click(confirm);
    await waitFor(() => expect(stage.cells().map(([id]) => id)).toEqual(["3", "1", "2", "4"]));
    expect(stage.calls.some(({ call }) => call === "DELETE /api/channel/5/")).toBe(true);
    await waitFor(() => expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]));
  });

  it("confirms before it deletes the disabled ones, reports their number, and reloads the list", async () => {
    const stage = await openConsole("/channel", { ...LIST, "DELETE /api/channel/disabled": 3 });
    const reads = () => stage.calls.filter(({ call }) => call.startsWith("GET /api/channel/?p=0")).length;
    const before = reads();
    await stage.person.click(screen.getByRole("button", { name: "删除禁用渠道" }));
    await stage.person.click(await screen.findByRole("button", { name: "确认删除" }));
    await waitFor(() =>
      expect(stage.notices).toEqual([{ kind: "success", text: "已删除所有禁用渠道，共计 3 个" }]),
    );
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
  });

  it("searches, and leads to the forms", async () => {
    const stage = await openConsole("/channel", {
      ...LIST,
      "GET /api/channel/search?keyword=a": [CHANNELS[4]],
    });
    const add = screen.getAllByRole("link", { name: "添加新的渠道" });
    expect(add.map((link) => link.getAttribute("href"))).toEqual(["/channel/add", "/channel/add"]);
    expect((await stage.action("5b", "编辑")).getAttribute("href")).toBe("/channel/edit/5");
    await stage.person.keyboard("{Escape}");
    await stage.person.type(screen.getByRole("searchbox"), "a{Enter}");
    await waitFor(() => expect(stage.cells().map(([id]) => id)).toEqual(["4"]));
  });

  it("finds a channel by its key without putting the key into the address", async () => {
    const stage = await openConsole("/channel?page=2", {
      ...LIST,
      "GET /api/channel/search?keyword=sk-upstream-key": [CHANNELS[4]],
      "GET /api/channel/search?keyword=c": [CHANNELS[0]],
    });
    const search = () => screen.getByRole<HTMLInputElement>("searchbox");
    await stage.person.type(search(), "sk-upstream-key{Enter}");
    await waitFor(() => expect(stage.cells().map(([id]) => id)).toEqual(["4"]));
    expect(window.location.href).not.toContain("sk-upstream-key");
    expect(search().value).toBe("sk-upstream-key");
    // A name, unlike a key, stays in the address.
    await stage.person.clear(search());
    await stage.person.type(search(), "c{Enter}");
    await waitFor(() => expect(stage.cells().map(([id]) => id)).toEqual(["3"]));
    expect(window.location.search).toBe("?q=c");
    await stage.person.click(screen.getByRole("button", { name: "清除搜索" }));
    await waitFor(() => expect(stage.cells()).toHaveLength(5));
    expect(window.location.search).toBe("");
  });

  it("shows the columns that a person chose, keeps the choice, and the boxes with the first of them", async () => {
    const stage = await openConsole("/channel", LIST);
    const heads = () => [...document.querySelectorAll("thead th")].map((head) => head.textContent);
    const all = heads();
    await stage.person.click(screen.getByRole("button", { name: "显示列" }));
    const choices = await screen.findAllByRole("menuitemcheckbox");
    const names = choices.map((choice) => choice.textContent);
    expect(names.filter((name) => all.includes(name))).toEqual(all.slice(0, -1));
    // A narrow screen hides the traffic by default, but offers it.
    expect(names).toContain("24 小时流量");
    await stage.person.click(screen.getByRole("menuitemcheckbox", { name: "ID" }));
    await waitFor(() => expect(heads()).toEqual(all.slice(1)));
    expect(localStorage.getItem("columns-channel")).toBe("id");
    await stage.person.keyboard("{Escape}");
    await stage.person.click(stage.row("c").getByRole("checkbox", { name: "选择 c" }));
    expect(await screen.findByText("已选择 1 个渠道")).toBeTruthy();
  });

  it("suggests a next step when there is no channel", async () => {
    await openConsole("/channel");
    expect(screen.getByText("还没有渠道")).toBeTruthy();
    expect(screen.getByRole("link", { name: "创建第一个渠道" }).getAttribute("href")).toBe("/channel/add");
  });

  it("sorts by each of its columns, up, down, and back to how it came", async () => {
    const stage = await openConsole("/channel", LIST);
    const columns = ["ID", "名称", "分组", "类型", "状态", "响应时间", "余额", "优先级"];
    expect(await sortThrough(stage, columns, ([id]) => id)).toEqual({
      ID: "12345",
      名称: "45312",
      分组: "23514",
      类型: "24135",
      状态: "45312",
      响应时间: "12354",
      余额: "45321",
      优先级: "34512",
    });
    expect([...document.querySelectorAll("thead th")].map((head) => head.textContent)).toEqual([
      ...columns,
      "权重",
      "操作",
    ]);
  });
});

it("asks for the use of the page's limited channels alone", async () => {
  const limited = CHANNELS.map((channel) => ({
    ...channel,
    key_count: 2,
    dead_key_count: 0,
    ...(channel.id === 5 && { rpm: 100 }),
    ...(channel.id === 2 && { key_concurrency: 3 }),
  }));
  const stage = await openConsole("/channel", {
    "GET /api/channel/": limited,
    "GET /api/channel/use?ids=2%2C5": [
      { id: 2, requests: 0, tokens: 0, active: 4, waiting: 0 },
      { id: 5, requests: 20, tokens: 0, active: 0, waiting: 0 },
    ],
  });
  expect(await stage.row("5b").findByText(/20 \/ 100/)).toBeTruthy();
  expect(await stage.row("2e").findByText(/4 \/ 6/)).toBeTruthy();
  const asked = stage.calls.filter(({ call }) => call.includes("/api/channel/use"));
  expect([...new Set(asked.map(({ call }) => call))]).toEqual(["GET /api/channel/use?ids=2%2C5"]);
});

describe("many channels at once", () => {
  const ANSWERS = {
    ...LIST,
    "GET /api/channel/tags": [{ tag: "pool", count: 2, enabled: 1 }],
    "GET /api/group/": ["default", "vip"],
    "GET /api/channel/models": [],
    "POST /api/channel/batch": { done: 1, failed: [{ id: 1, name: "d", reason: "没有模型" }] },
  };
  const bar = async () => within(await screen.findByRole("region", { name: "对所选渠道的操作" }));

  it("are chosen one by one or all of a page, and switched together; failures are reported", async () => {
    const stage = await openConsole("/channel", ANSWERS);
    expect(screen.queryByRole("region", { name: "对所选渠道的操作" })).toBeNull();
    await stage.person.click(screen.getByRole("checkbox", { name: "选择本页所有行" }));
    await stage.person.click(screen.getByRole("checkbox", { name: "选择 d" }));
    expect((await bar()).getByText("已选择 4 个渠道")).toBeTruthy();
    await stage.person.click((await bar()).getByRole("button", { name: "禁用" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/channel/batch")).toEqual({ ids: [3, 5, 2, 4], action: "disable" }),
    );
    await waitFor(() => expect(stage.notices.map(({ text }) => text)).toEqual(["已处理 1 项"]));
    const refused = within(await screen.findByRole("dialog", { name: "1 项未能处理" }));
    expect(refused.getByRole("listitem").textContent).toBe("d没有模型");
    await stage.person.click(refused.getByRole("button", { name: "关闭" }));
    await stage.person.click((await bar()).getByRole("button", { name: "取消选择" }));
    expect(screen.queryByRole("region", { name: "对所选渠道的操作" })).toBeNull();
  });

  it("of a tag are shown by it, and edited: only ticked fields are sent", async () => {
    const stage = await openConsole("/channel", { ...ANSWERS, "GET /api/status": { list_queries: true } });
    await stage.person.selectOptions(await screen.findByLabelText("标签"), "pool (2)");
    expect(stage.router.state.location.search).toEqual({ tag: "pool" });
    await stage.person.click(await screen.findByRole("button", { name: "批量编辑" }));
    const editor = within(await screen.findByRole("dialog"));
    const submit = editor.getByRole("button", { name: "提交" });
    expect(submit.hasAttribute("disabled")).toBe(true);
    await stage.person.type(editor.getByLabelText("优先级"), "-5");
    await stage.person.type(editor.getByLabelText("测试模型"), "m");
    await stage.person.click(editor.getByRole("checkbox", { name: "修改测试模型" }));
    await stage.person.click(editor.getByRole("checkbox", { name: "修改标签" }));
    await stage.person.click(submit);
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/channel/batch")).toEqual({
        tag: "pool",
        action: "edit",
        change: { priority: -5, tag: "" },
      }),
    );
  });

  it("that are copied lead to the copy", async () => {
    const stage = await openConsole("/channel", {
      ...ANSWERS,
      "POST /api/channel/copy/3": { ...CHANNELS[0], id: 9, name: "c 副本" },
      "GET /api/channel/9": { ...CHANNELS[0], id: 9, name: "c 副本" },
    });
    await stage.act("3c", "复制");
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/channel/edit/9"));
  });
});

it("a balance that no upstream reports is typed in, and shown as the remaining balance", async () => {
  const stage = await openConsole("/channel", {
    "GET /api/channel/": [
      { ...CHANNELS[2], id: 7, name: "typed", typed_balance: 20, balance: 12.345 },
      CHANNELS[2],
    ],
    "PUT /api/channel/balance": {},
  });
  expect(stage.row("7typed").getByText("$12.35")).toBeTruthy();
  await stage.act("5b", "不支持");
  await stage.person.type(await screen.findByLabelText(/^上游账户的余额/), "99.5");
  await stage.person.click(screen.getByRole("button", { name: "提交" }));
  await waitFor(() => expect(stage.bodyOf("PUT /api/channel/balance")).toEqual({ id: 5, balance: 99.5 }));
});

describe("the filters of the list of channels", () => {
  const NARROWING = {
    "GET /api/status": { list_queries: true },
    "GET /api/group/": ["a", "b"],
    "GET /api/channel/models": { data: [{ id: "m" }, { id: "n" }] },
  };
  /** The newest call for the first page of the list. */
  const askedOf = (calls: readonly { call: string }[]) =>
    calls.map(({ call }) => call).findLast((call) => /^GET \/api\/channel\/\?(.*&)?p=0$/.test(call));

  it("narrow it on the server, stay in the address, and are taken back", async () => {
    const stage = await openConsole("/channel?type=8&page=3", { ...NARROWING, ...LIST });
    await waitFor(() => expect(askedOf(stage.calls)).toBe("GET /api/channel/?type=8&p=0"));
    const status = await screen.findByLabelText("状态", {}, { timeout: 9000 });
    await stage.person.selectOptions(status, "已禁用");
    await waitFor(() => expect(askedOf(stage.calls)).toBe("GET /api/channel/?status=2&type=8&p=0"));
    expect(stage.router.state.location.search).toEqual({ type: "8", status: "2" });
    const model = screen.getByLabelText("模型", { selector: "input" });
    await stage.person.type(model, "gpt-4o{Enter}");
    await waitFor(() => expect(askedOf(stage.calls)).toContain("models=gpt-4o"));
    await stage.person.click(screen.getByRole("button", { name: "清除筛选" }));
    await waitFor(() => expect(stage.router.state.location.search).toEqual({}));
  });

  it("offer the actions on a whole tag that is too rare for the list of tags", async () => {
    await openConsole("/channel?tag=rare", {
      ...NARROWING,
      ...LIST,
      "GET /api/channel/tags": [{ tag: "often", count: 2, enabled: 2 }],
      "GET /api/channel/tags?tag=rare": [{ tag: "rare", count: 3, enabled: 1 }],
    });
    const bar = await screen.findByRole("region", { name: "对所选渠道的操作" });
    expect(bar.textContent).toContain("“rare”");
  });

  it("offer no actions on a whole tag while a filter or a search leaves some of its channels out", async () => {
    const stage = await openConsole("/channel?tag=pool", {
      ...NARROWING,
      "GET /api/status": { list_queries: true, list_extras: "searches" },
      ...LIST,
      "GET /api/channel/search": CHANNELS,
      "GET /api/channel/tags": [{ tag: "pool", count: 9, enabled: 9 }],
    });
    const bar = () => screen.queryByRole("region", { name: "对所选渠道的操作" });
    const show = async (narrowing: object) => {
      await stage.router.navigate({ to: "/channel", search: { tag: "pool", ...narrowing } as never });
      await waitFor(() => expect(stage.cells()).toHaveLength(5));
    };
    for (const narrowing of [{ status: 2 }, { q: "x" }]) {
      await show({});
      await waitFor(() => expect(bar()?.textContent).toContain("“pool”的 9 个渠道"));
      await show(narrowing);
      await waitFor(() => expect(bar()).toBeNull());
    }
    await stage.person.click(screen.getByRole("checkbox", { name: "选择 d" }));
    await waitFor(() => expect(bar()?.textContent).toContain("已选择 1 个渠道"));
  });

  it("ask by its name before they delete a whole tag", async () => {
    const stage = await openConsole("/channel?tag=pool", {
      ...NARROWING,
      ...LIST,
      "GET /api/channel/tags": [{ tag: "pool", count: 2, enabled: 1 }],
      "POST /api/channel/batch": { done: 2, failed: [] },
    });
    const bar = within(await screen.findByRole("region", { name: "对所选渠道的操作" }));
    await stage.person.click(bar.getByRole("button", { name: "删除" }));
    expect(await screen.findByText("删除标签“pool”的全部 2 个渠道？")).toBeTruthy();
    await stage.person.click(screen.getByRole("button", { name: "删除 2 个渠道" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/channel/batch")).toEqual({ tag: "pool", action: "delete" }),
    );
  });

  it("narrow the results of a keyword, too", async () => {
    const stage = await openConsole("/channel?q=x&group=d&sort=-name", {
      ...NARROWING,
      "GET /api/status": { list_queries: true, list_extras: "searches" },
      "GET /api/channel/search": CHANNELS.slice(0, 2),
    });
    await waitFor(() => expect(stage.cells()).toHaveLength(2));
    const searches = stage.calls.map(({ call }) => call).filter((call) => call.includes("/search"));
    expect(searches[0]).toBe("GET /api/channel/search?keyword=x&group=d&sort=-name&p=0");
  });

  it("say when nothing fits, and how to go on", async () => {
    const stage = await openConsole("/channel?status=3", { ...NARROWING, "GET /api/channel/": [] });
    await screen.findByText("没有符合筛选条件的记录");
    const [, last] = screen.getAllByRole("button", { name: "清除筛选" });
    await stage.person.click(last ?? screen.getByRole("button", { name: "清除筛选" }));
    await screen.findByText("还没有渠道");
  });

  it("are not there for a server that cannot narrow lists, whatever the address says", async () => {
    const stage = await openConsole("/channel?status=2", { "GET /api/status": {}, ...LIST });
    await waitFor(() => expect(stage.cells()).toHaveLength(CHANNELS.length));
    expect(askedOf(stage.calls)).toBe("GET /api/channel/?p=0");
    expect(screen.queryByLabelText("状态")).toBeNull();
  });
});
