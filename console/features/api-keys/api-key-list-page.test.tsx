// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";
import { sortThrough } from "../../testing/sort-through";

/* Each column sorts them in a different order. */
const TOKENS = [
  { id: 1, name: "d", status: 2, used_quota: 5, remain_quota: 90, created_time: 300, expired_time: -1 },
  { id: 2, name: "b", status: 4, used_quota: 1, remain_quota: 700, created_time: 500, expired_time: 900 },
  {
    id: 3,
    name: "c",
    status: 3,
    used_quota: 9,
    remain_quota: 1,
    unlimited_quota: true,
    created_time: 100,
    expired_time: 800,
  },
  { id: 4, name: "a", status: 1, used_quota: 7, remain_quota: 20, created_time: 400, expired_time: 1000 },
  { id: 5, name: "e", status: 5, used_quota: 3, remain_quota: 50, created_time: 200, expired_time: 700 },
].map((token) => ({ key: `k${token.id}`, ...token }));

const LIST = { "GET /api/token/": TOKENS };

describe("V1: the list of tokens", () => {
  it("shows each field of a key in its column", async () => {
    const { cells } = await openConsole("/token", LIST);
    expect(cells().map((row) => row.slice(0, 6))).toEqual([
      ["d", "已禁用", "5", "90", formatTime(300), "永不过期"],
      ["b", "已耗尽", "1", "700", formatTime(500), formatTime(900)],
      ["c", "已过期", "9", "无限制", formatTime(100), formatTime(800)],
      ["a", "已启用", "7", "20", formatTime(400), formatTime(1000)],
      ["e", "未知状态", "3", "50", formatTime(200), formatTime(700)],
    ]);
  });

  it.each([
    { was: 1, label: "禁用", other: "启用", sent: 2, state: "已禁用" },
    { was: 2, label: "启用", other: "禁用", sent: 1, state: "已启用" },
    { was: 3, label: "启用", other: "禁用", sent: 1, state: "已启用" },
    { was: 4, label: "启用", other: "禁用", sent: 1, state: "已启用" },
    { was: 5, label: "启用", other: "禁用", sent: 1, state: "已启用" },
  ])(
    "offers $label for a token of status $was, sends $sent, and shows its new status",
    async ({ was, label, other, sent, state }) => {
      const [found] = TOKENS.filter(({ status }) => status === was);
      if (found === undefined) throw new Error("no such status");
      const { id, created_time } = found;
      const stage = await openConsole("/token", { ...LIST, "PUT /api/token/": (body: object) => body });
      const mark = formatTime(created_time);
      const row = stage.row(mark);
      await stage.act(mark, label);
      expect(await row.findByText(state)).toBeTruthy();
      expect((await stage.action(mark, other)).textContent).toBe(other);
      expect(stage.bodyOf("PUT /api/token/?status_only=true")).toEqual({ id, status: sent });
      expect(stage.notices.map(({ kind, text }) => [kind, text])).toEqual([
        [sent === 2 ? "undoable" : "success", "操作成功完成!"],
      ]);
    },
  );

  it("shows the status that the server answered, whatever was asked for", async () => {
    const stage = await openConsole("/token", { ...LIST, "PUT /api/token/": { ...TOKENS[0], status: 3 } });
    const row = stage.row("永不过期");
    await stage.act("永不过期", "启用");
    expect(await row.findByText("已过期")).toBeTruthy();
  });

  it("copies the key with its prefix", async () => {
    const stage = await openConsole("/token", LIST);
    const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await stage.act(formatTime(500), "复制");
    expect(copied).toHaveBeenCalledWith("sk-k2");
  });

  it("puts a key that the clipboard refuses into the search box, until something is searched for", async () => {
    const stage = await openConsole("/token", { ...LIST, "GET /api/token/search?keyword=b": [TOKENS[1]] });
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"));
    await stage.act(formatTime(500), "复制");
    const box = () => screen.getByRole<HTMLInputElement>("searchbox");
    await waitFor(() => expect(box().value).toBe("sk-k2"));
    expect(stage.calls.some(({ call }) => call.includes("search"))).toBe(false);
    await stage.person.clear(box());
    await stage.person.type(box(), "b{Enter}");
    await waitFor(() => expect(stage.cells()).toHaveLength(1));
    expect(box().value).toBe("b");
  });

  it("copies a key in each form, and opens each client with it", async () => {
    const stage = await openConsole("/token", {
      ...LIST,
      "GET /api/status": { chat_link: "https://chat.example", server_address: "https://gate.example" },
    });
    const row = stage.row(formatTime(500));
    const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    const opened = vi.spyOn(window, "open").mockReturnValue(null);
    const pick = async (menu: string, entry: string) => {
      await stage.person.click(row.getByRole("button", { name: menu }));
      await stage.person.click(await screen.findByRole("menuitem", { name: entry }));
    };
    for (const entry of ["令牌", "ChatGPT Next Web", "AMA 问天（BotGem）", "OpenCat"]) {
      await pick("选择复制格式：b", entry);
    }
    const next = 'https://chat.example/#/?settings={"key":"sk-k2","url":"https://gate.example"}';
    const ama = "ama://set-api-key?server=https%3A%2F%2Fgate.example&key=sk-k2";
    const openCat = "opencat://team/join?domain=https%3A%2F%2Fgate.example&token=sk-k2";
    await waitFor(() =>
      expect(copied.mock.calls.map(([text]) => text)).toEqual(["sk-k2", next, ama, openCat]),
    );
    await pick("更多操作：b", "ChatGPT Next Web");
    await pick("更多操作：b", "AMA 问天（BotGem）");
    await pick("更多操作：b", "OpenCat");
    expect(opened.mock.calls).toEqual([next, ama, openCat].map((link) => [link, "_blank", "noopener"]));
  });

  it("opens no chat and copies no link to one where the site has set none, and says why", async () => {
    const stage = await openConsole("/token", LIST);
    const row = stage.row(formatTime(500));
    const chat = await stage.action(formatTime(500), "ChatGPT Next Web");
    expect([chat.getAttribute("aria-disabled"), chat.textContent]).toEqual([
      "true",
      "ChatGPT Next Web未设置聊天链接",
    ]);
    expect(within(await screen.findByRole("group", { name: "聊天" })).getAllByRole("menuitem")).toHaveLength(
      3,
    );
    await stage.person.keyboard("{Escape}");
    await stage.person.click(row.getByRole("button", { name: "选择复制格式：b" }));
    const entries = await screen.findAllByRole("menuitem");
    expect(entries.map((entry) => entry.getAttribute("aria-disabled") === "true")).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it("says so of a key without a name", async () => {
    const { cells } = await openConsole("/token", { "GET /api/token/": [{ ...TOKENS[0], name: "" }] });
    expect(cells()[0]?.[0]).toBe("无");
  });

  it("asks before it deletes, and takes the row away", async () => {
    const stage = await openConsole("/token", LIST);
    await stage.act(formatTime(500), "删除");
    const confirm = await screen.findByRole("button", { name: "删除令牌 b" });
    expect(screen.getByText("删除令牌“b”？")).toBeTruthy();
    expect(stage.calls.some(({ call }) => call.startsWith("DELETE"))).toBe(false);
    await stage.person.click(confirm);
    await waitFor(() => expect(stage.cells().map(([name]) => name)).toEqual(["d", "c", "a", "e"]));
    expect(stage.calls.some(({ call }) => call === "DELETE /api/token/2/")).toBe(true);
    await waitFor(() => expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]));
  });

  it("leads to the form of each token and to that of a new one", async () => {
    const stage = await openConsole("/token", LIST);
    expect(screen.getByRole("link", { name: "添加新的令牌" }).getAttribute("href")).toBe("/token/add");
    expect((await stage.action(formatTime(500), "编辑")).getAttribute("href")).toBe("/token/edit/2");
  });

  it("searches by name, and says that nothing was found", async () => {
    const stage = await openConsole("/token", {
      ...LIST,
      "GET /api/token/search": [],
      "GET /api/token/search?keyword=b": [TOKENS[1]],
    });
    await stage.person.type(screen.getByRole("searchbox"), "b{Enter}");
    await waitFor(() => expect(stage.cells().map(([name]) => name)).toEqual(["b"]));
    await stage.person.type(screen.getByRole("searchbox"), "x{Enter}");
    expect(await screen.findByText("没有与“bx”匹配的内容")).toBeTruthy();
  });

  it("suggests a next step when there is no token", async () => {
    await openConsole("/token");
    expect(screen.getByText("还没有令牌")).toBeTruthy();
    expect(screen.getByRole("link", { name: "创建第一个令牌" }).getAttribute("href")).toBe("/token/add");
  });

  it("sorts by each of its columns, up, down, and back to how it came", async () => {
    const stage = await openConsole("/token", LIST);
    const columns = ["名称", "状态", "已用额度", "剩余额度", "创建时间", "过期时间"];
    expect(await sortThrough(stage, columns, ([name]) => name)).toEqual({
      名称: "abcde",
      状态: "adcbe",
      已用额度: "bedac",
      剩余额度: "aedbc",
      创建时间: "cedab",
      过期时间: "ecbad",
    });
  });
});

describe("many keys at once", () => {
  const MANY = Array.from({ length: 230 }, (_, index) => ({
    ...TOKENS[3],
    id: index + 1,
    name: `k${index}`,
  }));
  const ANSWERS = {
    ...LIST,
    "GET /api/status": { list_queries: true, list_extras: "searches batches" },
    "GET /api/user/groups": { groups: [{ name: "vip", description: "", ratio: "1" }], auto: [] },
    "GET /api/token/search": MANY,
    "POST /api/token/batch": { done: 100, failed: [] },
  };
  const bar = async () => within(await screen.findByRole("region", { name: "对所选令牌的操作" }));
  const bodies = (stage: Awaited<ReturnType<typeof openConsole>>) =>
    stage.calls
      .filter(({ call }) => call === "POST /api/token/batch")
      .map(({ body }) => body as { ids: number[]; action: string });

  it("are changed part after part, and can be stopped: the others stay selected", async () => {
    let answer: (response: Response) => void = () => undefined;
    const stage = await openConsole("/token", {
      ...ANSWERS,
      "POST /api/token/batch": () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    });
    await stage.person.click(await screen.findByRole("checkbox", { name: "选择 a" }));
    await stage.person.click((await bar()).getByRole("button", { name: "选择符合条件的全部" }));
    await stage.person.click(await (await bar()).findByRole("button", { name: "禁用" }));
    await waitFor(() => expect(bodies(stage)).toHaveLength(1));
    expect(bodies(stage)[0]?.ids).toHaveLength(100);
    expect((await bar()).getByRole("status").textContent).toBe("0 / 230");
    await stage.person.click((await bar()).getByRole("button", { name: "停止" }));
    answer(Response.json({ success: true, message: "", data: { done: 100, failed: [] } }));
    expect(await screen.findByText("已选择 130 项")).toBeTruthy();
    expect(bodies(stage)).toHaveLength(1);
  });

  it("are edited: only ticked fields are sent", async () => {
    const stage = await openConsole("/token", ANSWERS);
    await stage.person.click(await screen.findByRole("checkbox", { name: "选择 a" }));
    await stage.person.click((await bar()).getByRole("button", { name: "批量编辑" }));
    const window = within(await screen.findByRole("dialog", { name: "编辑 1 个令牌" }));
    await stage.person.type(window.getByLabelText("每分钟请求数"), "7");
    await stage.person.type(window.getByLabelText("每日预算"), "900");
    await stage.person.click(window.getByRole("checkbox", { name: "修改每日预算" }));
    await stage.person.click(window.getByRole("checkbox", { name: "修改过期时间" }));
    await stage.person.click(window.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(bodies(stage)).toEqual([{ ids: [4], action: "edit", change: { rpm: 7, expired_time: -1 } }]),
    );
  });

  it("are deleted after a question that names their number", async () => {
    const stage = await openConsole("/token", ANSWERS);
    await stage.person.click(await screen.findByRole("checkbox", { name: "选择本页所有行" }));
    await stage.person.click((await bar()).getByRole("button", { name: "删除" }));
    await stage.person.click(await screen.findByRole("button", { name: "删除 5 个令牌" }));
    await waitFor(() => expect(bodies(stage)).toMatchObject([{ action: "delete" }]));
    await waitFor(() => expect(screen.queryByRole("region", { name: "对所选令牌的操作" })).toBeNull());
  });
});
