// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";
import { sortThrough } from "../../testing/sort-through";

/* Each column sorts them in a different order. */
const CODES = [
  { id: 4, name: "c", status: 2, quota: 30, created_time: 300, redeemed_time: 0 },
  { id: 1, name: "d", status: 1, quota: 20, created_time: 100, redeemed_time: 900 },
  { id: 3, name: "a", status: 3, quota: 40, created_time: 200, redeemed_time: 800 },
  { id: 2, name: "b", status: 4, quota: 10, created_time: 400, redeemed_time: 1000 },
].map((code) => ({ key: `code-${code.id}`, ...code }));

const LIST = { "GET /api/redemption/": CODES };

describe("V1: the list of codes", () => {
  it("shows each field of a code in its column", async () => {
    const { cells } = await openConsole("/redemption", LIST);
    expect(cells().map((row) => row.slice(0, 6))).toEqual([
      ["4", "ccode-4…", "已禁用", "30", formatTime(300), "尚未兑换"],
      ["1", "dcode-1…", "未使用", "20", formatTime(100), formatTime(900)],
      ["3", "acode-3…", "已使用", "40", formatTime(200), formatTime(800)],
      ["2", "bcode-2…", "未知状态", "10", formatTime(400), formatTime(1000)],
    ]);
  });

  it.each([
    { was: 1, label: "禁用", other: "启用", sent: 2, state: "已禁用" },
    { was: 2, label: "启用", other: "禁用", sent: 1, state: "未使用" },
    { was: 4, label: "启用", other: "禁用", sent: 1, state: "未使用" },
  ])(
    "offers $label for a code of status $was, sends $sent, and shows the result",
    async ({ was, label, other, sent, state }) => {
      const [found] = CODES.filter(({ status }) => status === was);
      if (found === undefined) throw new Error("no such status");
      const { id, created_time } = found;
      const stage = await openConsole("/redemption", {
        ...LIST,
        "PUT /api/redemption/": (body: object) => body,
      });
      const mark = formatTime(created_time);
      const row = stage.row(mark);
      await stage.act(mark, label);
      expect(await row.findByText(state)).toBeTruthy();
      expect((await stage.action(mark, other)).textContent).toBe(other);
      expect(stage.bodyOf("PUT /api/redemption/?status_only=true")).toEqual({ id, status: sent });
      expect(stage.notices.map(({ kind }) => kind)).toEqual([sent === 2 ? "undoable" : "success"]);
    },
  );

  it("shows the outcome of a code of several uses: partly used or expired", async () => {
    const { cells } = await openConsole("/redemption", {
      "GET /api/redemption/": [
        { ...CODES[1], max_uses: 5, used_count: 2, expired_time: 4_102_444_800 },
        { ...CODES[1], id: 9, max_uses: 5, used_count: 2, expired_time: 200 },
      ],
    });
    expect(cells().map((row) => row[2]?.slice(0, 4))).toEqual(["部分使用", "已过期已"]);
  });

  it("neither enables nor disables a used code", async () => {
    const stage = await openConsole("/redemption", LIST);
    const states = CODES.map(({ created_time }) =>
      stage
        .row(formatTime(created_time))
        .getByRole("button", { name: /^(启用|禁用)/ })
        .getAttribute("title"),
    );
    expect(states).toEqual([null, null, "已使用的兑换码不能启用或禁用", null]);
  });

  it("copies the code itself", async () => {
    const stage = await openConsole("/redemption", LIST);
    const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await stage.act(formatTime(100), "复制");
    expect(copied).toHaveBeenCalledWith("code-1");
  });

  it("puts a code that the clipboard refuses into the search box, without searching for it", async () => {
    const stage = await openConsole("/redemption", LIST);
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"));
    await stage.act(formatTime(100), "复制");
    await waitFor(() => expect(screen.getByRole("searchbox")).toHaveProperty("value", "code-1"));
    expect(stage.calls.some(({ call }) => call.includes("search"))).toBe(false);
    expect(stage.notices.map(({ kind }) => kind)).toEqual(["warning"]);
    await stage.person.clear(screen.getByRole("searchbox"));
    await stage.person.type(screen.getByRole("searchbox"), "a{Enter}");
    await waitFor(() => expect(stage.router.state.location.searchStr).toBe("?q=a"));
    expect(screen.getByRole("searchbox")).toHaveProperty("value", "a");
  });

  it("says so of a code without a name", async () => {
    const { cells } = await openConsole("/redemption", {
      "GET /api/redemption/": [{ ...CODES[0], name: "" }],
    });
    expect(cells()[0]?.[1]).toBe("无code-4…");
  });

  it("asks before it deletes, and takes the row away", async () => {
    const stage = await openConsole("/redemption", LIST);
    await stage.act(formatTime(200), "删除");
    const confirm = await screen.findByRole("button", { name: "删除兑换码 a" });
    expect(screen.getByText("删除兑换码“a”？")).toBeTruthy();
    expect(stage.calls.some(({ call }) => call.startsWith("DELETE"))).toBe(false);
    await stage.person.click(confirm);
    await waitFor(() => expect(stage.cells().map(([id]) => id)).toEqual(["4", "1", "2"]));
    expect(stage.calls.some(({ call }) => call === "DELETE /api/redemption/3/")).toBe(true);
    await waitFor(() => expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]));
  });

  it("searches, and leads to the forms", async () => {
    const stage = await openConsole("/redemption", {
      ...LIST,
      "GET /api/redemption/search?keyword=a": [CODES[2]],
    });
    expect(screen.getByRole("link", { name: "添加新的兑换码" }).getAttribute("href")).toBe("/redemption/add");
    expect((await stage.action(formatTime(200), "编辑")).getAttribute("href")).toBe("/redemption/edit/3");
    await stage.person.keyboard("{Escape}");
    await stage.person.type(screen.getByRole("searchbox"), "a{Enter}");
    await waitFor(() => expect(stage.cells().map(([id]) => id)).toEqual(["3"]));
  });

  it.each([
    [3, "已删除 3 个兑换码"],
    [{ removed: 3 }, "操作成功完成!"],
    [undefined, "操作成功完成!"],
  ])("says how many dead codes are gone where the server tells it: %j", async (data, said) => {
    const stage = await openConsole("/redemption", { ...LIST, "DELETE /api/redemption/invalid": () => data });
    await stage.person.click(screen.getByRole("button", { name: "清理失效兑换码" }));
    const dialog = await screen.findByRole("alertdialog");
    await stage.person.click(within(dialog).getByRole("button", { name: "清理失效兑换码" }));
    await waitFor(() => expect(stage.notices).toEqual([{ kind: "success", text: said }]));
  });

  it("suggests a next step when there is no code", async () => {
    await openConsole("/redemption");
    expect(screen.getByText("还没有兑换码")).toBeTruthy();
    expect(screen.getByRole("link", { name: "创建第一批兑换码" }).getAttribute("href")).toBe(
      "/redemption/add",
    );
  });

  it("sorts by each of its columns, up, down, and back to how it came", async () => {
    const stage = await openConsole("/redemption", LIST);
    const columns = ["ID", "名称", "状态", "额度", "创建时间", "兑换时间"];
    expect(await sortThrough(stage, columns, ([id]) => id)).toEqual({
      ID: "1234",
      名称: "3241",
      状态: "1432",
      额度: "2143",
      创建时间: "1342",
      兑换时间: "4312",
    });
  });
});
