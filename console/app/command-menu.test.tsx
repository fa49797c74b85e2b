// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { fireEvent, screen, waitFor, within } from "../testing/draw";
import { type Answer, openConsole } from "../testing/open-console";

const CHANNEL = { id: 3, name: "azure", status: 1, type: 1 };
const ORDER = { number: "9e3020265ef7a8577d63dad23727304e", state: "paid", usd: "20", username: "azalea" };
const MODEL = {
  model_name: "azure-gpt",
  quota_type: 1,
  model_ratio: 1,
  model_price: 1,
  enable_groups: [],
  supported_endpoint_types: [],
  price: { perCall: 1 },
};
const PRICING = {
  success: true,
  message: "",
  data: [MODEL],
  vendors: [],
  group_ratio: {},
  usable_group: {},
  auto_groups: [],
  groups: [],
  pricing_version: "",
};
const SERVER = {
  "GET /api/pricing": () => Response.json(PRICING),
  "GET /api/payment/orders": [{ ...ORDER, id: 4 }],
  "GET /api/plan": [{ id: 5, title: "团队月卡" }],
  "GET /api/channel/test/3/": { time: 0.25 },
  "GET /api/channel/search": [CHANNEL],
  "GET /api/user/search": [{ id: 7, username: "azalea" }],
  "GET /api/token/search": [{ id: 9, name: "azure-key", key: "k", status: 1 }],
  "PUT /api/channel/": { ...CHANNEL, status: 2 },
};

const open = async (role: number, address = "/about", server: Record<string, Answer> = SERVER) => {
  const stage = await openConsole(address, server, role);
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
    await waitFor(() => expect(options()).toContain("azure-key#9"));
    await waitFor(() => expect(options()).toContain("删除令牌“azure-key”#9"));
    expect(options().filter((option) => !option?.startsWith("azure-gpt"))).toEqual([
      "azure#3",
      "渠道“azure”的利润#3",
      "渠道“azure”的进价#3",
      "测试渠道“azure”#3",
      "禁用渠道“azure”#3",
      "编辑渠道“azure”#3",
      "复制渠道“azure”#3",
      "删除渠道“azure”#3",
      "azalea#7",
      "azalea 的使用明细#7",
      "azalea 的账目#7",
      "azalea 的账单#7",
      "启用用户“azalea”#7",
      "编辑用户“azalea”#7",
      "提升用户“azalea”#7",
      "降级用户“azalea”#7",
      "删除用户“azalea”#7",
      "azure-key#9",
      "接入令牌“azure-key”#9",
      "复制令牌“azure-key”#9",
      "复制令牌“azure-key” › 令牌#9",
      "复制令牌“azure-key” › ChatGPT Next Web未设置聊天链接",
      "复制令牌“azure-key” › AMA 问天（BotGem）#9",
      "复制令牌“azure-key” › OpenCat#9",
      "编辑令牌“azure-key”#9",
      "禁用令牌“azure-key”#9",
      "轮换令牌“azure-key”#9",
      "聊天令牌“azure-key” › ChatGPT Next Web未设置聊天链接",
      "聊天令牌“azure-key” › AMA 问天（BotGem）#9",
      "聊天令牌“azure-key” › OpenCat#9",
      "删除令牌“azure-key”#9",
    ]);
    await stage.person.click(screen.getByRole("option", { name: "禁用渠道“azure” #3" }));
    await waitFor(() =>
      expect(stage.calls.findLast(({ call }) => call.startsWith("PUT"))?.body).toEqual({ id: 3, status: 2 }),
    );
    // The notice appears although the menu has closed.
    await waitFor(() => expect(stage.notices).toEqual([{ kind: "undoable", text: "操作成功完成!" }]));
  });

  it("keeps the chosen command while the search brings others above it", async () => {
    let answer: (response: Response) => void = () => undefined;
    const { stage, field, options, at } = await open(10, "/about", {
      ...SERVER,
      "GET /api/channel/search": () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    });
    await stage.person.type(field, "azure");
    await waitFor(() =>
      expect(options()).toEqual(expect.arrayContaining([expect.stringMatching(/^azure-gpt/)])),
    );
    await stage.person.keyboard("{ArrowDown}");
    const chosen = () => screen.getByRole("option", { selected: true }).textContent;
    const before = chosen();
    expect(before).toMatch(/^azure-gpt/);
    // A slow typist is asked for in parts: the last search is answered.
    await waitFor(() =>
      expect(stage.calls.findLast(({ call }) => call.includes("channel/search"))?.call).toMatch(
        /=azure(?:&|$)/,
      ),
    );
    answer(Response.json({ success: true, message: "", data: [CHANNEL] }));
    await waitFor(() => expect(options()[0]).toBe("azure#3"));
    expect(chosen()).toBe(before);
    await stage.person.keyboard("{Enter}");
    await waitFor(() => expect(at()).toBe("/model/azure-gpt"));
  });

  it("runs a command once while it runs", async () => {
    const { stage, field } = await open(10, "/about", {
      ...SERVER,
      "PUT /api/channel/": () => new Promise<Response>(() => undefined),
    });
    const disable = async (into: HTMLElement) => {
      await stage.person.type(into, "azure");
      await stage.person.click(await screen.findByRole("option", { name: "禁用渠道“azure” #3" }));
    };
    await disable(field);
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    await disable(await screen.findByRole("combobox", { name: "搜索与命令" }));
    expect(stage.calls.filter(({ call }) => call.startsWith("PUT"))).toHaveLength(1);
  });

  it("finds an action by its verb and the number of the record", async () => {
    const { stage, field, options } = await open(10);
    await stage.person.type(field, "测试渠道3");
    await waitFor(() => expect(options()[0]).toBe("测试渠道“azure”#3"));
    await stage.person.keyboard("{Enter}");
    await waitFor(() =>
      expect(stage.calls.some(({ call }) => call.includes("/api/channel/test/3/"))).toBe(true),
    );
  });

  it("leads to a plan by its name and to an order by its number", async () => {
    const { stage, field, options, at } = await open(10);
    await stage.person.type(field, "团队");
    await waitFor(() => expect(options()).toContain("团队月卡"));
    await stage.person.clear(field);
    await stage.person.type(field, ORDER.number.slice(0, 8));
    await stage.person.click(await screen.findByRole("option", { name: new RegExp(ORDER.number) }));
    await waitFor(() => expect(at()).toBe(`/order/${ORDER.number}`));
  });

  it("shows a customer an announcement on the page of all", async () => {
    const news = (id: number, title: string) => ({ id, title, body: "", level: "info", starts_at: 1 });
    const shown: (string | null)[] = [];
    vi.spyOn(HTMLElement.prototype, "scrollIntoView").mockImplementation(function (this: HTMLElement) {
      shown.push(this.textContent);
    });
    const { stage, field, at } = await open(1, "/about", {
      ...SERVER,
      "GET /api/announcement/history": [news(1, "周日维护"), news(2, "新模型")],
    });
    await stage.person.type(field, "维护");
    await stage.person.click(await screen.findByRole("option", { name: "周日维护" }));
    await waitFor(() => expect(at()).toBe("/announcement"));
    await waitFor(() => expect(shown.some((text) => text?.includes("周日维护"))).toBe(true));
  });

  it("leads to the receipt of a request id, without asking for records", async () => {
    const { stage, field, at } = await open(10);
    const id = "20261123234737000000014gHCzrEZx";
    await stage.person.type(field, `${id}{Enter}`);
    await waitFor(() => expect(at()).toBe(`/log/receipt/${id}`));
    expect(stage.calls.filter(({ call }) => call.includes(`search?keyword=${id}`))).toEqual([]);
  });

  it("suggests a next step when no command matches", async () => {
    const { stage, field } = await open(1, "/about", { ...SERVER, "GET /api/token/search": [] });
    await stage.person.type(field, "zzz");
    expect(await screen.findByText(/没有与“zzz”匹配的/)).toBeTruthy();
    expect(screen.queryByText(/部分搜索失败/)).toBeNull();
  });

  it("says that a part of the search failed, and repeats it", async () => {
    let isBroken = true;
    const search = () =>
      isBroken ? new Response("", { status: 500 }) : Response.json({ success: true, message: "", data: [] });
    const { stage, field } = await open(1, "/about", { ...SERVER, "GET /api/token/search": search });
    await stage.person.type(field, "zzz");
    expect(await screen.findByText(/部分搜索失败/)).toBeTruthy();
    expect(screen.queryByText(/没有与“zzz”匹配的/)).toBeNull();
    isBroken = false;
    await stage.person.click(screen.getByRole("button", { name: "重试" }));
    expect(await screen.findByText(/没有与“zzz”匹配的/)).toBeTruthy();
  });

  it("searches once per kind and word, and reads the short lists once", async () => {
    const { stage, field, options } = await open(10);
    const before = stage.calls.length;
    await stage.person.type(field, "azure");
    await waitFor(() => expect(options()).toContain("azure-key#9"));
    const sent = stage.calls.slice(before).map(({ call }) => call);
    expect(sent.filter((call) => call.includes("keyword=")).map((call) => call.split("?")[0])).toEqual([
      "GET /api/channel/search",
      "GET /api/user/search",
      "GET /api/token/search",
      "GET /api/token/find",
      "GET /api/redemption/search",
    ]);
    const from = stage.calls.length;
    await stage.person.type(field, "-k");
    await waitFor(() => expect(stage.calls.length).toBe(from + 5));
  });

  it("asks before it deletes, as the row does", async () => {
    const { stage, field } = await open(10);
    await stage.person.type(field, "删除 azalea");
    await stage.person.click(await screen.findByRole("option", { name: /^删除用户“azalea”/ }));
    const question = await screen.findByRole("alertdialog");
    const deletions = () => stage.calls.filter(({ call }) => call.startsWith("POST /api/user/manage"));
    expect(deletions()).toEqual([]);
    await stage.person.click(within(question).getByRole("button", { name: /删除/ }));
    await waitFor(() =>
      expect(deletions().map(({ body }) => body)).toEqual([{ username: "azalea", action: "delete" }]),
    );
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  });

  it("leads to an action of a page, and leaves the press to its user", async () => {
    const { stage, field, at } = await open(10);
    await stage.person.type(field, "更新余额");
    await stage.person.click(await screen.findByRole("option", { name: /^更新所有已启用渠道余额/ }));
    await waitFor(() => expect(at()).toBe("/channel"));
    await waitFor(() => expect(document.activeElement?.textContent).toBe("更新所有已启用渠道余额"));
    expect(stage.calls.filter(({ call }) => call.includes("update_balance"))).toEqual([]);
  });
});

describe("shortcuts", () => {
  it("lead to a section by g and a letter, and ignore typing in fields", async () => {
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

  it("reach every section by the letter that their window shows, and no section that one may not see", async () => {
    const { router, person } = await openConsole("/about", {}, 1);
    await screen.findByRole("button", { name: "搜索（Ctrl+K）" });
    await person.keyboard("?");
    const window = await screen.findByRole("dialog", { name: "键盘快捷键" });
    const lines = [...window.querySelectorAll("dl:last-of-type")].at(-1)?.querySelectorAll("div") ?? [];
    const shown = [...lines].map(({ textContent }) => textContent);
    expect(shown).toEqual(["首页GH", "看板GD", "令牌GT", "充值GB", "日志GL", "设置GS", "关于GA"]);
    await person.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await person.keyboard("gc");
    expect(router.state.location.pathname).toBe("/about");
    await person.keyboard("gb");
    await waitFor(() => expect(router.state.location.pathname).toBe("/topup"));
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
