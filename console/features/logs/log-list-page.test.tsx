// @vitest-environment happy-dom

import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { describe, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";
import { sortThrough } from "../../testing/sort-through";

const line = (
  id: number,
  [created_at, channel, username, token_name, type, model_name]: [
    number,
    number,
    string,
    string,
    number,
    string,
  ],
  [prompt_tokens, completion_tokens, quota, content]: [number, number, number, string],
) => ({
  id,
  created_at,
  channel,
  username,
  token_name,
  type,
  model_name,
  prompt_tokens,
  completion_tokens,
  quota,
  content,
});

/* Each column sorts them in a different order. */
const LOGS = [
  line(1, [300, 4, "uc", "tb", 2, "me"], [10, 50, 700, "x3"]),
  line(2, [100, 2, "ud", "te", 4, "mb"], [40, 20, 900, "x5"]),
  line(3, [500, 1, "ua", "tc", 1, "mc"], [50, 10, 300, "x1"]),
  line(4, [200, 5, "ub", "td", 3, "ma"], [20, 40, 100, "x4"]),
  line(5, [400, 3, "ue", "ta", 5, "md"], [30, 30, 500, "x2"]),
];
const BY_TIME = new Map(LOGS.map(({ id, created_at }) => [formatTime(created_at), String(id)]));
const markOf = ([time = ""]: string[]) => BY_TIME.get(time);

const COLUMNS = ["时间", "令牌", "类型", "模型", "输入", "输出", "额度", "详情"];
const ORDERS = {
  时间: "24153",
  令牌: "51342",
  类型: "31425",
  模型: "42351",
  输入: "14523",
  输出: "32541",
  额度: "43512",
  详情: "35142",
};

describe("a key's name in the log", () => {
  const linkOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  const of = (id: number, user_id: number, token_name: string) => ({
    ...line(id, [id, 0, "u", token_name, 2, "m"], [1, 1, 1, ""]),
    user_id,
  });

  it("leads administrators to the list that has the key: their own, or its owner's", async () => {
    await openConsole(
      "/log",
      { "GET /api/log/": [of(3, 1, "mine"), of(2, 7, "hers"), of(1, 0, "none")] },
      10,
    );
    expect(linkOf("mine")).toBe("/token?q=mine");
    expect(linkOf("hers")).toBe("/user/7?tab=keys");
    expect(screen.queryByRole("link", { name: "none" })).toBeNull();
  });

  it("leads there from a receipt as well, which also names its user", async () => {
    const counts = { prompt_tokens: 1, completion_tokens: 1, quota: 1, shortfall: 0, price_version: 1 };
    const receipt = {
      ...{ request_id: "r-1", created_at: 1, username: "alice", user_id: 7, token_name: "hers" },
      ...{ model_name: "m", upstream_model: "m", is_stream: false, end: "complete", duration_ms: 1 },
      ...{ prompt_source: "upstream", completion_source: "upstream", formula: "1", has_body: false },
      ...{ ...counts, attempts: [] },
    };
    await openConsole("/log/receipt/r-1", { "GET /api/log/receipt": receipt }, 10);
    await screen.findByRole("link", { name: "hers" }, { timeout: 10_000 });
    expect(linkOf("hers")).toBe("/user/7?tab=keys");
    expect(linkOf("alice")).toBe("/user/7");
  });

  it("leads others to their own keys", async () => {
    await openConsole("/log", { "GET /api/log/self/": [of(1, 0, "50%")] }, 1);
    expect(linkOf("50%")).toBe("/token?q=50%25");
  });
});

describe("the report of a request in the log", () => {
  const of = (id: number, type: number, user_id: number, request_id: string) => ({
    ...line(id, [id, 0, "u", "t", type, "m"], [1, 1, 1, ""]),
    ...{ user_id, request_id },
  });
  const LINES = [of(4, 2, 1, "answered"), of(3, 5, 1, "failed"), of(2, 2, 7, "others"), of(1, 4, 1, "")];
  const reports = () =>
    screen.queryAllByRole("link", { name: /^报告请求/ }).map((link) => link.getAttribute("href"));

  it("is offered at answered and failed requests of the reader alone", async () => {
    const status = { version: CONTRACT_VERSION, tickets: true };
    await openConsole("/log", { "GET /api/status": status, "GET /api/log/": LINES }, 10);
    expect(reports()).toEqual(["/ticket/add?request=answered", "/ticket/add?request=failed"]);
  });

  it("is not offered on a site without tickets", async () => {
    await openConsole("/log", { "GET /api/log/": LINES }, 10);
    expect(screen.getAllByRole("link", { name: /的回执$/ })).toHaveLength(3);
    expect(reports()).toEqual([]);
  });
});

describe("V1: the log", () => {
  it("shows each field of a line in its column", async () => {
    const { cells } = await openConsole("/log", { "GET /api/log/": LOGS }, 10);
    expect([...document.querySelectorAll("thead th")].map((head) => head.textContent)).toEqual([
      "时间",
      "渠道",
      "用户",
      "令牌",
      "类型",
      "模型",
      "输入",
      "输出",
      "额度",
      "详情",
    ]);
    expect(cells()).toEqual([
      [formatTime(300), "4", "uc", "tb", "消费", "me", "10", "50", "700", "x3"],
      [formatTime(100), "2", "ud", "te", "系统", "mb", "40", "20", "900", "x5"],
      [formatTime(500), "1", "ua", "tc", "充值", "mc", "50", "10", "300", "x1"],
      [formatTime(200), "5", "ub", "td", "管理", "ma", "20", "40", "100", "x4"],
      [formatTime(400), "3", "ue", "ta", "错误", "md", "30", "30", "500", "x2"],
    ]);
  });

  it("leaves counters empty that mean nothing, but not those of consumption", async () => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0, quota: 0, channel: 0 };
    const { cells } = await openConsole(
      "/log",
      {
        "GET /api/log/": [
          { ...LOGS[0], ...zeros },
          { ...LOGS[1], ...zeros },
        ],
      },
      10,
    );
    expect(cells().map((row) => [row[1], ...row.slice(6, 9)])).toEqual([
      ["", "0", "0", "0"],
      ["", "", "", ""],
    ]);
  });

  it("says at the head of a column up to how many lines it sorts, but not of the time", async () => {
    const status = { "GET /api/status": { list_queries: true } };
    await openConsole("/log", { ...status, "GET /api/log/": LOGS }, 10);
    const note = (name: string) => screen.getByRole("button", { name }).title;
    await waitFor(() => expect(note("额度")).toBe("筛选后不超过 100,000 行时可以排序"));
    expect(note("时间")).toBe("");
  });

  it("offers shorter ranges and the order of time for a log that is too long to sort", async () => {
    const refused = { success: false, message: "More than 100,000 lines match" };
    const answer = (_: unknown, call: string) =>
      call.includes("sort=") && call.includes("start_timestamp=0&") ? Response.json(refused) : LOGS;
    const status = { "GET /api/status": { list_queries: true } };
    const { person, calls } = await openConsole(
      "/log?sort=-quota",
      { ...status, "GET /api/log/": answer },
      10,
    );
    await screen.findByText(/More than 100,000 lines match/);
    expect(screen.getByRole("button", { name: "取消排序" })).toBeTruthy();
    for (const name of ["今天", "近 7 天"]) expect(screen.getByRole("button", { name })).toBeTruthy();
    await person.click(screen.getByRole("button", { name: "最近一小时" }));
    await waitFor(() => expect(screen.getAllByRole("row").length).toBeGreaterThan(LOGS.length));
    const asked = calls.filter(({ call }) => call.startsWith("GET /api/log/?")).at(-1)?.call ?? "";
    const from = Number(new URLSearchParams(asked.split("?")[1]).get("start_timestamp"));
    expect(Math.abs(Date.now() / 1000 - 3600 - from)).toBeLessThan(60);
    expect(asked).toContain("sort=-quota");
  });

  it("filters by how requests ended, in list, total, file and address, where the server can", async () => {
    const status = { list_queries: true, list_extras: "searches log-outcome" };
    const stage = await openConsole(
      "/log",
      { "GET /api/status": status, "GET /api/log/": LOGS, "GET /api/log/stat": { quota: 5 } },
      10,
    );
    const { person, calls } = stage;
    await person.click(await screen.findByRole("combobox", { name: "结果" }));
    await person.click(await screen.findByRole("option", { name: "中断" }));
    const asked = (path: string) => calls.filter(({ call }) => call.startsWith(`GET ${path}?`)).at(-1)?.call;
    await waitFor(() => expect(asked("/api/log/")).toContain("outcome=interrupted"));
    expect(window.location.search).toContain("outcome=interrupted");
    await person.click(screen.getByRole("button", { name: "总消耗额度：点击查看" }));
    await waitFor(() => expect(asked("/api/log/stat")).toContain("outcome=interrupted"));
  });

  it("does not filter by how requests ended where the server would ignore it", async () => {
    const stage = await openConsole(
      "/log?outcome=failed",
      { "GET /api/status": { list_queries: true }, "GET /api/log/": LOGS },
      10,
    );
    expect(screen.queryByRole("combobox", { name: "结果" })).toBeNull();
    const lists = stage.calls.filter(({ call }) => call.startsWith("GET /api/log/?"));
    expect(lists.some(({ call }) => call.includes("outcome"))).toBe(false);
  });

  it("says of a failed request its status, code and reason, and how often it happened", async () => {
    const failed = { type: 5, status: 404, code: "model_not_found", times: 1200, request_id: "r-1" };
    const { cells } = await openConsole(
      "/log",
      { "GET /api/log/": [{ ...LOGS[0], ...failed, content: "no channel offers it" }] },
      10,
    );
    expect(cells()[0]?.[4]).toBe("错误");
    expect(cells()[0]?.[9]).toContain("404 model_not_found");
    expect(cells()[0]?.[9]).toContain("×1,200");
    expect(cells()[0]?.[9]).toContain("no channel offers it");
  });

  it("shows columns that were chosen, and remembers them", async () => {
    const rows = { "GET /api/log/": [{ ...LOGS[0], duration_ms: 1500, channel_name: "azure" }] };
    const heads = () => [...document.querySelectorAll("thead th")].map((head) => head.textContent);
    const { person } = await openConsole("/log", rows, 10);
    await person.click(screen.getByRole("button", { name: "显示列" }));
    await person.click(await screen.findByRole("menuitemcheckbox", { name: "渠道名称" }));
    expect(heads()).toContain("渠道名称");
    expect(screen.getByText("azure")).toBeTruthy();
    await person.click(screen.getByRole("menuitemcheckbox", { name: "令牌" }));
    expect(heads()).not.toContain("令牌");
    expect(localStorage.getItem("columns-log")).toBe("channel_name,token_name");
    localStorage.removeItem("columns-log");
  });

  it("asks for the newest lines again while a person watches", async () => {
    const stage = await openConsole("/log", { "GET /api/log/": LOGS }, 10);
    const asked = () => stage.calls.filter(({ call }) => call.startsWith("GET /api/log/?p=0")).length;
    const before = asked();
    await stage.person.click(screen.getByRole("button", { name: "实时" }));
    await waitFor(() => expect(asked()).toBeGreaterThan(before + 1), { timeout: 20_000 });
    await stage.person.click(screen.getByRole("button", { name: "实时更新中" }));
  });

  it("leads to the receipt of a line that has one", async () => {
    await openConsole("/log", { "GET /api/log/": [{ ...LOGS[0], request_id: "r-1" }, LOGS[1]] });
    expect(screen.getByRole("link", { name: "查看请求 r-1 的回执" }).getAttribute("href")).toBe(
      "/log/receipt/r-1",
    );
  });

  it("steps from receipt to receipt of the lines that it shows, beside the list and on a page of its own", async () => {
    const ids = ["r-0", "", "r-2", "r-2", "r-4"];
    const rows = ids.map((request_id, at) => ({ ...LOGS[0], id: 100 - at, request_id }));
    const { person, router } = await openConsole("/log?receipt=r-0", { "GET /api/log/": rows });
    const panel = within(await screen.findByRole("complementary", { name: "请求回执" }, { timeout: 10_000 }));
    const button = (name: string) => panel.getByRole<HTMLButtonElement>("button", { name });
    expect(button("上一条").disabled).toBe(true);
    const press = async (name: string, shown: string) => {
      await person.click(button(name));
      await waitFor(() => expect(router.state.location.searchStr).toBe(`?receipt=${shown}`));
    };
    // A line without a request is skipped, and a duplicate is shown once.
    await press("下一条", "r-2");
    await press("下一条", "r-4");
    expect(button("下一条").disabled).toBe(true);
    await press("上一条", "r-2");
    await person.click(panel.getByRole("link", { name: "打开完整回执" }));
    const previous = await screen.findByRole("link", { name: "上一条" }, { timeout: 10_000 });
    expect(previous.getAttribute("href")).toBe("/log/receipt/r-0");
    await person.click(previous);
    expect((await screen.findByRole("link", { name: "下一条" })).getAttribute("href")).toBe(
      "/log/receipt/r-2",
    );
  });

  it("sends the filters on submit, and removes them", async () => {
    const stage = await openConsole("/log", { "GET /api/log/": LOGS }, 10);
    const asked = () =>
      Object.fromEntries(
        new URLSearchParams(
          stage.calls.findLast(({ call }) => call.startsWith("GET /api/log/?p=0"))?.call.split("?")[1],
        ),
      );
    expect(asked()).toMatchObject({ type: "0", token_name: "", model_name: "", username: "", channel: "" });
    for (const [label, text] of [
      ["令牌名称", "t"],
      ["模型名称", "m"],
      ["起始时间", "2026-01-01"],
      ["渠道 ID", "3"],
      ["用户名", "u"],
    ] as const) {
      await stage.person.type(screen.getByLabelText(label), text);
    }
    expect(asked()).toMatchObject({ token_name: "" });
    await stage.person.click(screen.getByRole("button", { name: "查询" }));
    await waitFor(() =>
      expect(asked()).toMatchObject({
        token_name: "t",
        model_name: "m",
        start_timestamp: String(new Date(2026, 0, 1).getTime() / 1000),
        channel: "3",
        username: "u",
      }),
    );
    await stage.person.click(screen.getByRole("button", { name: "清除" }));
    await waitFor(() => expect(stage.router.state.location.searchStr).toBe(""));
  });

  it("is read once more by the same filter, and from its first page by another", async () => {
    const many = Array.from({ length: 25 }, (_, index) => ({
      ...LOGS[0],
      id: index + 1,
      created_at: 1000 - index,
    }));
    const stage = await openConsole(
      "/log?page=2&token=t",
      { "GET /api/log/?p=0": many, "GET /api/log/": many },
      10,
    );
    const reads = () => stage.calls.filter(({ call }) => call.startsWith("GET /api/log/?p=0")).length;
    const before = reads();
    const query = () => stage.person.click(screen.getByRole("button", { name: "查询" }));
    await query();
    await waitFor(() => expect(reads()).toBe(before + 1));
    expect(stage.router.state.location.searchStr).toBe("?page=2&token=t");
    await stage.person.type(screen.getByLabelText("模型名称"), "m");
    await stage.person.clear(screen.getByLabelText("令牌名称"));
    await query();
    await waitFor(() => expect(stage.router.state.location.searchStr).toBe("?model=m"));
  });

  it("refuses a time that is none", async () => {
    const stage = await openConsole("/log", { "GET /api/log/": LOGS }, 10);
    await stage.person.type(screen.getByLabelText("结束时间"), "tomorrow");
    await stage.person.click(screen.getByRole("button", { name: "查询" }));
    expect(await screen.findByText("时间格式错误！")).toBeTruthy();
    expect(stage.router.state.location.searchStr).toBe("");
  });

  it.each([
    { role: 10, path: "/api/log/stat", list: "/api/log/" },
    { role: 1, path: "/api/log/self/stat", list: "/api/log/self/" },
  ])("adds up with $path for role $role, when it is clicked and not before", async ({ role, path, list }) => {
    const stage = await openConsole(
      "/log",
      { [`GET ${list}`]: LOGS, [`GET ${path}`]: { quota: 4321 } },
      role,
    );
    const totals = () => stage.calls.filter(({ call }) => call.includes("stat?"));
    expect(totals()).toEqual([]);
    await stage.person.click(screen.getByRole("button", { name: "总消耗额度：点击查看" }));
    expect(await screen.findByRole("button", { name: "总消耗额度：4321" })).toBeTruthy();
    expect(totals().map(({ call }) => call.split("?")[0])).toEqual([`GET ${path}`]);
  });

  it("says so where there is nothing", async () => {
    await openConsole("/log");
    expect(screen.getByText("没有日志")).toBeTruthy();
  });

  it("sorts by each of its columns for an administrator, up, down, and back to how it came", async () => {
    const stage = await openConsole("/log", { "GET /api/log/": LOGS }, 10);
    expect(await sortThrough(stage, [...COLUMNS, "渠道", "用户"], markOf)).toEqual({
      ...ORDERS,
      渠道: "32514",
      用户: "34125",
    });
  });

  it("sorts by each column for a user, who sees neither the channel nor the user column", async () => {
    const stage = await openConsole("/log", { "GET /api/log/self/": LOGS }, 1);
    expect([...document.querySelectorAll("thead th")].map((head) => head.textContent)).toEqual(COLUMNS);
    expect(await sortThrough(stage, COLUMNS, markOf)).toEqual(ORDERS);
  });
});

describe("the filters of the log", () => {
  const claude = { id: 7, name: "Claude 主线", type: 14, status: 1, models: "", group: "default" };

  it("suggest channels by name, and narrow to the number of the one that is chosen", async () => {
    const { person, router, calls } = await openConsole(
      "/log",
      { "GET /api/channel/search": [claude], "GET /api/channel/7": claude },
      10,
    );
    await person.type(screen.getByLabelText("渠道 ID"), "Cla");
    await person.click(await screen.findByRole("option", { name: "Claude 主线 #7" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ channel: "7" }));
    expect(calls.map(({ call }) => call)).toContain("GET /api/channel/search?keyword=Cla&limit=8");
    await waitFor(() => expect(calls.some(({ call }) => /^GET .api.log.*channel=7/.test(call))).toBe(true));
    expect(await screen.findByText("Claude 主线")).toBeTruthy();
  });

  it("take a number that is typed, and say at the field that another text is none", async () => {
    const { person, router } = await openConsole("/log", {}, 10);
    await person.type(screen.getByLabelText("渠道 ID"), "Claude");
    await person.click(screen.getByRole("button", { name: "查询" }));
    expect(await screen.findByText("请从列表中选择渠道，或输入渠道 ID！")).toBeTruthy();
    expect(router.state.location.search).toEqual({});
    const channel = screen.getByLabelText("渠道 ID");
    await person.clear(channel);
    await person.type(channel, "12{Enter}");
    await waitFor(() => expect(router.state.location.search).toEqual({ channel: "12" }));
  });

  it("suggest users to an administrator", async () => {
    const { person, router } = await openConsole(
      "/log",
      { "GET /api/user/search": [{ id: 3, username: "wangwei", role: 1, status: 1 }] },
      10,
    );
    await person.type(screen.getByLabelText("用户名"), "wa");
    await person.click(await screen.findByRole("option", { name: "wangwei #3" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ username: "wangwei" }));
  });

  it("open no list below a field that was submitted before the suggestions came", async () => {
    let arrive: (users: unknown) => void = () => undefined;
    const users = new Promise((resolve) => {
      arrive = resolve;
    });
    const { person, router, calls } = await openConsole("/log", { "GET /api/user/search": () => users }, 10);
    await person.type(screen.getByLabelText("用户名"), "wangwei");
    await waitFor(() => expect(calls.some(({ call }) => call.startsWith("GET /api/user/search"))).toBe(true));
    await person.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.search).toEqual({ username: "wangwei" }));
    arrive([{ id: 3, username: "wangwei", role: 1, status: 1 }]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(screen.queryByRole("option")).toBeNull();
  });

  it("suggest to a customer the own keys, and ask for nothing of others", async () => {
    const { person, router, calls } = await openConsole(
      "/log",
      { "GET /api/token/search": [{ id: 1, name: "笔记本", key: "secret", status: 1 }] },
      1,
    );
    await person.type(screen.getByLabelText("令牌名称"), "笔");
    await person.click(await screen.findByRole("option", { name: "笔记本" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ token: "笔记本" }));
    expect(
      calls.map(({ call }) => call).filter((call) => /api.(user|channel).(search|\?)/.test(call)),
    ).toEqual([]);
  });
});
