// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { fireEvent, screen, waitFor } from "../testing/draw";
import { openConsole } from "../testing/open-console";

const CHANNEL = { id: 3, name: "azure", status: 1, type: 1 };
const SERVER = {
  "GET /api/channel/search": [CHANNEL],
  "GET /api/user/search": [{ id: 7, username: "azalea" }],
  "GET /api/token/search": [{ id: 9, name: "azure-key", key: "k", status: 1 }],
  "PUT /api/channel/": { ...CHANNEL, status: 2 },
};

const open = async (role: number, address = "/about") => {
  const stage = await openConsole(address, SERVER, role);
  await screen.findByRole("button", { name: "搜索（Ctrl+K）" });
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  const field = await screen.findByRole("combobox", { name: "搜索与命令" });
  const options = () => screen.queryAllByRole("option").map((option) => option.textContent);
  return { stage, field, options, at: () => stage.router.state.location.href };
};

describe("the command menu", () => {
  it("leads to a page by its name, with the keyboard alone", async () => {
    const { stage, field, options, at } = await open(1);
    await stage.person.type(field, "账");
    expect(options().slice(0, 2)).toEqual(["账单充值", "账目日志"]);
    await stage.person.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(at()).toBe("/ledger"));
    expect(screen.queryByRole("combobox", { name: "搜索与命令" })).toBeNull();
  });

  it("finds settings for administrators, and leads to each", async () => {
    const { stage, field, at } = await open(100);
    await stage.person.type(field, "SMTPServer");
    await stage.person.click(await screen.findByRole("option", { name: /SMTP 服务器地址/ }));
    await waitFor(() => expect(at()).toBe("/setting?tab=system&option=SMTPServer"));
  });

  it("shows a user no page, action or record of administrators", async () => {
    const { stage, field, options } = await open(1);
    expect(options()).not.toContain("渠道");
    expect(options()).not.toContain("添加渠道");
    await stage.person.type(field, "az");
    await waitFor(() => expect(options()).toContain("azure-key#9"));
    expect(stage.calls.filter(({ call }) => /channel\/search|user\/search/.test(call))).toEqual([]);
  });

  it("finds channels, users and keys, and disables a channel", async () => {
    const { stage, field, options } = await open(10);
    await stage.person.type(field, "az");
    await waitFor(() =>
      expect(options()).toEqual([
        "azure#3",
        "禁用渠道“azure”#3",
        "azalea#7",
        "azalea 的使用明细",
        "azalea 的账目",
        "azure-key#9",
      ]),
    );
    await stage.person.click(screen.getByRole("option", { name: "禁用渠道“azure” #3" }));
    await waitFor(() =>
      expect(stage.calls.findLast(({ call }) => call.startsWith("PUT"))?.body).toEqual({ id: 3, status: 2 }),
    );
  });

  it("leads to the receipt of a request id, without asking for records", async () => {
    const { stage, field, at } = await open(10);
    const id = "20261123234737000000014gHCzrEZx";
    await stage.person.type(field, `${id}{Enter}`);
    await waitFor(() => expect(at()).toBe(`/log/receipt/${id}`));
    expect(stage.calls.filter(({ call }) => call.includes(`search?keyword=${id}`))).toEqual([]);
  });

  it("says what to try where nothing fits", async () => {
    const { stage, field } = await open(1);
    await stage.person.type(field, "zzz");
    expect(await screen.findByText(/没有与“zzz”匹配的/)).toBeTruthy();
  });
});

describe("shortcuts", () => {
  it("lead to a section by g and a letter, and leave what is typed alone", async () => {
    const { router, person } = await openConsole("/token", {}, 10);
    await screen.findByRole("button", { name: "搜索（Ctrl+K）" });
    const search = screen.getByRole("searchbox");
    await person.type(search, "gl");
    expect(router.state.location.pathname).toBe("/token");
    search.blur();
    fireEvent.keyDown(document.body, { key: "g" });
    fireEvent.keyDown(document.body, { key: "l" });
    await waitFor(() => expect(router.state.location.pathname).toBe("/log"));
  });

  it("focus a list's search", async () => {
    await openConsole("/token", {}, 10);
    await screen.findByRole("button", { name: "搜索（Ctrl+K）" });
    fireEvent.keyDown(document.body, { key: "/" });
    expect(document.activeElement).toBe(screen.getByRole("searchbox"));
  });

  it("are not offered to a guest", async () => {
    await openConsole("/about", {}, 0);
    expect(screen.queryByRole("button", { name: "搜索（Ctrl+K）" })).toBeNull();
  });
});
