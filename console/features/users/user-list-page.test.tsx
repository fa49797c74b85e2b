// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";
import { sortThrough } from "../../testing/sort-through";

/* Each column sorts them in a different order. */
const USERS = [
  { id: 13, username: "uc", role: 10, status: 2, group: "gb", quota: 40, used_quota: 2, request_count: 3 },
  { id: 11, username: "ud", role: 1, status: 3, group: "ga,gz", quota: 10, used_quota: 4, request_count: 2 },
  { id: 14, username: "ub", role: 5, status: 1, group: "gd", quota: 20, used_quota: 3, request_count: 1 },
  { id: 12, username: "ua", role: 100, status: 4, group: "gc", quota: 30, used_quota: 1, request_count: 4 },
].map((user) => ({ display_name: user.username, email: "", ...user }));

const LIST = { "GET /api/user/": USERS };
const ACTIONS = ["提升", "降级", "删除"];

/** Acts on a user's row, and confirms the question of an action that has one. */
const actAndConfirm = async (
  stage: Awaited<ReturnType<typeof openConsole>>,
  name: string,
  button: string,
) => {
  await stage.act(name, button);
  if (ACTIONS.includes(button))
    await stage.person.click(await screen.findByRole("button", { name: `${button}用户 ${name}` }));
};

describe("V1: the list of users", () => {
  it("shows id, username, display_name, email, role, status, group, quota, used_quota and request_count", async () => {
    const [first, second, third, fourth] = USERS;
    const { cells } = await openConsole("/user", {
      "GET /api/user/": [
        { ...first, display_name: "Carol", email: "c@example.com" },
        { ...second, email: "d@example.com" },
        { ...third, display_name: "Bob", group: "" },
        fourth,
      ],
    });
    expect(cells().map((row) => row.slice(0, 8))).toEqual([
      ["13", "ucCarol · c@example.com", "管理员", "已封禁", "gb", "40", "2", "3"],
      ["11", "udd@example.com", "普通用户", "未知状态", "gagz", "10", "4", "2"],
      ["14", "ubBob", "未知身份", "已激活", "default", "20", "3", "1"],
      ["12", "ua", "超级管理员", "未知状态", "gc", "30", "1", "4"],
    ]);
  });

  it.each([10, 100])(
    "offers an administrator of role %i every action on all rows but root's",
    async (role) => {
      const stage = await openConsole("/user", LIST, role);
      const dead: boolean[][] = [];
      for (const { id, username } of USERS) {
        const row = stage.row(`${id}${username}`);
        await stage.person.click(row.getByRole("button", { name: `更多操作：${username}` }));
        const actions = [
          ...ACTIONS.map((name) => screen.findByRole("menuitem", { name: (text) => text.startsWith(name) })),
          row.getByRole("button", { name: /^(启用|禁用)/ }),
        ];
        const found = await Promise.all(actions);
        dead.push(found.map((action) => action.getAttribute("aria-disabled") === "true"));
        await stage.person.keyboard("{Escape}");
      }
      const none = [false, false, false, false];
      expect(dead).toEqual([none, none, none, [true, true, true, true]]);
    },
  );

  it("explains only for root why no action is possible", async () => {
    const stage = await openConsole("/user", LIST, 10);
    const titles = USERS.map(({ id, username }) =>
      stage
        .row(`${id}${username}`)
        .getByRole("button", { name: /^(启用|禁用)/ })
        .getAttribute("title"),
    );
    expect(titles).toEqual([null, null, null, "超级管理员不能在列表中更改"]);
    expect((await stage.action("12ua", "提升")).textContent).toBe("提升超级管理员不能在列表中更改");
  });

  it("takes no second order on a user before the first is answered", async () => {
    const stage = await openConsole("/user", {
      ...LIST,
      "POST /api/user/manage": () => new Promise(() => {}),
    });
    await stage.act("ud", "启用");
    const isOff = async (name: string) => {
      const action = await stage.action(name, "降级");
      await stage.person.keyboard("{Escape}");
      return action.getAttribute("aria-disabled") === "true";
    };
    await waitFor(() =>
      expect(stage.row("ud").getByRole("button", { name: "启用：ud" }).getAttribute("aria-disabled")).toBe(
        "true",
      ),
    );
    expect([await isOff("ud"), await isOff("ub")]).toEqual([true, false]);
  });

  it("says so where there is no user", async () => {
    await openConsole("/user");
    expect(screen.getByText("还没有用户")).toBeTruthy();
  });

  it("offers 禁用 for active users and 启用 for all others", async () => {
    const stage = await openConsole("/user", LIST);
    expect(
      USERS.map(
        ({ id, username }) =>
          stage.row(`${id}${username}`).getByRole("button", { name: /^(启用|禁用)/ }).textContent,
      ),
    ).toEqual(["启用", "启用", "禁用", "启用"]);
  });

  it.each([
    { name: "ud", button: "提升", action: "promote", answer: { role: 10, status: 3 }, shows: "管理员" },
    { name: "uc", button: "降级", action: "demote", answer: { role: 1, status: 2 }, shows: "普通用户" },
    { name: "ub", button: "禁用", action: "disable", answer: { role: 5, status: 2 }, shows: "已封禁" },
    { name: "uc", button: "启用", action: "enable", answer: { role: 10, status: 1 }, shows: "已激活" },
    { name: "ud", button: "启用", action: "enable", answer: { role: 1, status: 1 }, shows: "已激活" },
  ])(
    "$button on $name orders $action, and shows the role and status of the answer",
    async ({ name, button, action, answer, shows }) => {
      const stage = await openConsole("/user", { ...LIST, "POST /api/user/manage": answer }, 10);
      const row = stage.row(name);
      expect(row.queryByText(shows)).toBeNull();
      await actAndConfirm(stage, name, button);
      expect(await row.findByText(shows)).toBeTruthy();
      expect(stage.bodyOf("POST /api/user/manage")).toEqual({ username: name, action });
      expect(stage.notices.map(({ kind }) => kind)).toEqual([action === "disable" ? "undoable" : "success"]);
    },
  );

  it("asks before it promotes", async () => {
    const stage = await openConsole("/user", LIST, 10);
    await stage.act("ud", "提升");
    expect(await screen.findByText("将“ud”提升为管理员？")).toBeTruthy();
    expect(stage.bodyOf("POST /api/user/manage")).toBeUndefined();
  });

  it("asks before it deletes, and hides the row", async () => {
    const stage = await openConsole("/user", LIST, 10);
    await stage.act("ub", "删除");
    const confirm = await screen.findByRole("button", { name: "删除用户 ub" });
    expect(screen.getByText("删除用户“ub”？")).toBeTruthy();
    expect(stage.bodyOf("POST /api/user/manage")).toBeUndefined();
    await stage.person.click(confirm);
    await waitFor(() => expect(stage.cells().map(([id]) => id)).toEqual(["13", "11", "12"]));
    expect(stage.bodyOf("POST /api/user/manage")).toEqual({ username: "ub", action: "delete" });
    await waitFor(() => expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]));
  });

  it("leaves a row as it was when the server refuses", async () => {
    const stage = await openConsole("/user", {
      ...LIST,
      "POST /api/user/manage": () => Response.json({ success: false, message: "no" }),
    });
    await actAndConfirm(stage, "ud", "提升");
    await waitFor(() => expect(stage.notices).toEqual([{ kind: "error", text: "no" }]));
    expect(stage.row("ud").getByText("普通用户")).toBeTruthy();
  });

  it("keeps role and status where the answer leaves them out", async () => {
    const stage = await openConsole("/user", { ...LIST, "POST /api/user/manage": {} });
    await actAndConfirm(stage, "uc", "降级");
    await waitFor(() => expect(stage.notices).toHaveLength(1));
    expect(stage.cells()[0]?.slice(2, 4)).toEqual(["管理员", "已封禁"]);
  });

  it("searches, and leads to the forms", async () => {
    const stage = await openConsole("/user", { ...LIST, "GET /api/user/search?keyword=ua": [USERS[3]] });
    const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(links).toEqual(
      expect.arrayContaining(["/user/add", ...USERS.map(({ id }) => `/user/edit/${id}`)]),
    );
    await stage.person.type(screen.getByRole("searchbox"), " ua {Enter}");
    await waitFor(() => expect(stage.cells().map(([id]) => id)).toEqual(["12"]));
  });

  it("sorts by each of its columns, up, down, and back to how it came", async () => {
    const stage = await openConsole("/user", LIST);
    const columns = ["ID", "用户名", "用户角色", "状态", "分组", "剩余额度", "已用额度", "请求次数"];
    expect(await sortThrough(stage, columns, ([id]) => id?.slice(-1))).toEqual({
      ID: "1234",
      用户名: "2431",
      用户角色: "1432",
      状态: "4312",
      分组: "1324",
      剩余额度: "1423",
      已用额度: "2341",
      请求次数: "4132",
    });
  });
});

describe("many users at once", () => {
  const ANSWERS = {
    ...LIST,
    "GET /api/status": { list_queries: true, list_extras: "searches batches" },
    "GET /api/group/": ["default", "vip"],
    "GET /api/user/search": USERS,
    "POST /api/user/batch": { done: 2, failed: [{ id: 12, name: "ua", reason: "无权更改" }] },
  };
  const bar = async () => within(await screen.findByRole("region", { name: "对所选用户的操作" }));
  const bodies = (stage: Awaited<ReturnType<typeof openConsole>>) =>
    stage.calls.filter(({ call }) => call === "POST /api/user/batch").map(({ body }) => body);

  it("cannot be chosen with a server that lacks the call", async () => {
    await openConsole("/user", { ...ANSWERS, "GET /api/status": { list_queries: true } });
    expect(screen.queryByRole("checkbox")).toBeNull();
  });

  it("are all that match, and get quota with a reason; the refused ones are listed", async () => {
    const stage = await openConsole("/user?status=1", ANSWERS);
    await stage.person.click(await screen.findByRole("checkbox", { name: "选择 ud" }));
    await stage.person.click((await bar()).getByRole("button", { name: "选择符合条件的全部" }));
    expect(await screen.findByText("已选择 4 项")).toBeTruthy();
    const [search = ""] = stage.calls.map(({ call }) => call).filter((call) => call.includes("/search"));
    expect(Object.fromEntries(new URL(search.slice(4), "http://x").searchParams)).toEqual({
      limit: "5000",
      sort: "id",
      status: "1",
    });
    await stage.person.click((await bar()).getByRole("button", { name: "调整额度" }));
    const window = within(await screen.findByRole("dialog", { name: "调整 4 项的额度" }));
    const submit = window.getByRole("button", { name: "提交" });
    await stage.person.type(window.getByLabelText(/^额度/), "700");
    expect(submit.hasAttribute("disabled")).toBe(true);
    await stage.person.type(window.getByLabelText(/^原因/), "holiday");
    await stage.person.click(submit);
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/user/batch")).toEqual({
        ids: [13, 11, 14, 12],
        action: "add-quota",
        quota: 700,
        reason: "holiday",
        operation: expect.stringMatching(/^[0-9a-f]{32}$/),
      }),
    );
    const refused = within(await screen.findByRole("dialog", { name: "1 项未能处理" }));
    expect(refused.getByRole("listitem").textContent).toBe("ua无权更改");
  });

  it("get a window with its budget, soft budgets and aliases in one change", async () => {
    const stage = await openConsole("/user", ANSWERS);
    await stage.person.click(await screen.findByRole("checkbox", { name: "选择 ud" }));
    await stage.person.click((await bar()).getByRole("button", { name: "批量编辑" }));
    const window = within(await screen.findByRole("dialog", { name: "编辑 1 个用户" }));
    const submit = window.getByRole("button", { name: "提交" });
    await stage.person.type(window.getByLabelText(/^窗口预算/), "700");
    expect(submit.hasAttribute("disabled")).toBe(true);
    await stage.person.type(window.getByLabelText(/^窗口时长/), "8");
    await stage.person.click(window.getByRole("radio", { name: "仅提醒" }));
    await stage.person.click(window.getByRole("checkbox", { name: "修改模型别名" }));
    await stage.person.click(submit);
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/user/batch")).toEqual({
        ids: [11],
        action: "edit",
        change: { window_quota: 700, window_hours: 8, soft_budgets: 1, model_aliases: "" },
      }),
    );
  });

  it.each([
    ["change.group", "用户的分组", /^分组/],
    ["change.daily_quota", "每日预算过大", /^每日预算/],
    ["change.rpm", "每分钟请求数过大", /^每分钟请求数/],
  ])("show the refusal of %s at its field of the window", async (field, message, label) => {
    const refusal = Response.json({ success: false, message, field });
    const stage = await openConsole("/user", {
      ...ANSWERS,
      "POST /api/user/batch": () => refusal.clone(),
    });
    await stage.person.click(await screen.findByRole("checkbox", { name: "选择 ud" }));
    await stage.person.click((await bar()).getByRole("button", { name: "批量编辑" }));
    const window = within(await screen.findByRole("dialog", { name: "编辑 1 个用户" }));
    await stage.person.click(window.getByRole("checkbox", { name: "修改模型别名" }));
    await stage.person.click(window.getByRole("button", { name: "提交" }));
    expect(await window.findByText(message)).toBeTruthy();
    const marked = () => window.getByLabelText(label).getAttribute("aria-invalid");
    expect(marked()).toBe("true");
    await stage.person.click(window.getByRole("button", { name: "提交" }));
    expect(await window.findByText(message)).toBeTruthy();
  });

  it("keep the operation of a try that failed, so that nothing is added twice", async () => {
    const stage = await openConsole("/user", {
      ...ANSWERS,
      "POST /api/user/batch": () => Response.json({ message: "oops" }, { status: 500 }),
    });
    await stage.person.click(await screen.findByRole("checkbox", { name: "选择 ud" }));
    await stage.person.click((await bar()).getByRole("button", { name: "调整额度" }));
    const window = within(await screen.findByRole("dialog", { name: "调整 1 项的额度" }));
    await stage.person.type(window.getByLabelText(/^额度/), "7");
    await stage.person.type(window.getByLabelText(/^原因/), "r");
    for (const tries of [1, 2]) {
      await stage.person.click(window.getByRole("button", { name: "提交" }));
      await waitFor(() => expect(bodies(stage)).toHaveLength(tries));
      await waitFor(() =>
        expect(window.getByRole("button", { name: "提交" }).getAttribute("aria-busy")).toBeNull(),
      );
    }
    const operations = bodies(stage).map((body) => (body as { operation: string }).operation);
    expect(operations[0]).toBe(operations[1]);
    await stage.person.type(window.getByLabelText(/^额度/), "0");
    await stage.person.click(window.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(bodies(stage)).toHaveLength(3));
    expect((bodies(stage)[2] as { operation: string }).operation).not.toBe(operations[0]);
  });
});
