// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { cleanup, screen, waitFor } from "../testing/draw";
import { openConsole } from "../testing/open-console";

const menu = () =>
  [...screen.getByRole("navigation", { name: "主菜单" }).querySelectorAll("a")].map(
    (link) => link.textContent,
  );

describe("V1: behind the login guard", () => {
  it.each([
    { path: "/dashboard", heading: "看板" },
    { path: "/channel", heading: "管理渠道" },
    { path: "/channel/add", heading: "创建新的渠道" },
    { path: "/token", heading: "我的令牌" },
    { path: "/token/add", heading: "创建新的令牌" },
    { path: "/redemption", heading: "管理兑换码" },
    { path: "/redemption/add", heading: "创建新的兑换码" },
    { path: "/user", heading: "管理用户" },
    { path: "/user/add", heading: "创建新用户账户" },
    { path: "/user/edit", heading: "更新用户信息" },
    { path: "/setting", heading: "设置" },
    { path: "/topup", heading: "充值" },
    { path: "/log", heading: "使用明细" },
    { path: "/node", heading: "节点" },
  ])("$path opens for every signed-in user, whatever the role", async ({ path, heading }) => {
    const { router } = await openConsole(
      path,
      { "GET /api/user/self": { id: 1, username: "me", quota: 5 } },
      1,
    );
    expect(router.state.location.pathname).toBe(path);
    expect(document.querySelector("h1")?.textContent).toContain(heading);
  });
});

describe("the pages of a section", () => {
  it("stand in groups beside the page, and the menu says which section it is", async () => {
    await openConsole("/setting/prices", {}, 10);
    const rail = screen.getByRole("navigation", { name: "设置" });
    expect(
      [...rail.querySelectorAll("a")].map((tab) => [tab.textContent, tab.getAttribute("aria-current")]),
    ).toEqual([
      ["设置", null],
      ["管理公告", null],
      ["错误提示规则", null],
      ["价格表", "page"],
      ["价格预演", null],
    ]);
    expect(rail.textContent).toBe("设置管理公告错误提示规则价格价格表价格预演");
    const entry = [...screen.getByRole("navigation", { name: "主菜单" }).querySelectorAll("[aria-current]")];
    expect(entry.map(({ textContent }) => textContent)).toEqual(["设置"]);
  });

  it("belong to the section of each role: a user sees own orders, an administrator all orders", async () => {
    const railOf = (name: string) => screen.getByRole("navigation", { name }).textContent;
    await openConsole("/order", {}, 1);
    expect(railOf("充值")).toBe("余额余额与充值记录我的订单账单推广邀请");
    cleanup();
    await openConsole("/order", {}, 10);
    expect(railOf("用户")).toBe("客户用户价格规则销售订单管理套餐订阅者佣金提现");
  });

  it("are no rail for who sees but one of them, nor in a section that has but one", async () => {
    await openConsole("/setting", {}, 1);
    await screen.findByRole("navigation", { name: "本页的卡片" });
    expect(screen.getAllByRole("navigation")).toHaveLength(2);
  });
});

describe("V1: roles", () => {
  const ADMIN = ["首页", "看板", "渠道", "令牌", "兑换", "充值", "用户", "日志", "设置", "关于"];
  const USER = ["首页", "看板", "令牌", "充值", "日志", "设置", "关于"];
  const TABS = ["个人设置", "运营设置", "系统设置", "其他设置"];

  it.each([
    { role: 1, entries: USER, tabs: ["个人设置"] },
    { role: 9, entries: USER, tabs: ["个人设置"] },
    { role: 10, entries: ADMIN, tabs: TABS },
    { role: 99, entries: ADMIN, tabs: TABS },
    { role: 100, entries: ADMIN, tabs: TABS },
  ])(
    "role $role sees its menu and its settings, whatever tab the address names",
    async ({ role, entries, tabs }) => {
      await openConsole("/setting?tab=system", {}, role);
      expect(menu()).toEqual(entries);
      expect(screen.getAllByRole("tab").map((tab) => tab.textContent)).toEqual(tabs);
      expect(screen.getByRole("tab", { selected: true }).textContent).toBe(tabs.at(2) ?? "个人设置");
    },
  );
});

describe("V1: the settings", () => {
  const answers = {
    "GET /api/user/self": { id: 1, username: "me", quota: 5 },
    "GET /api/option/": [{ key: "Notice", value: "hello" }],
  };

  it("of a tab stand under it, and its address says which it is but for one's own", async () => {
    const { person, router } = await openConsole("/setting", answers);
    expect(await screen.findByRole("link", { name: "更新个人信息" })).toBeTruthy();
    for (const [name, search, heading] of [
      ["运营设置", "?tab=operation", "额度"],
      ["系统设置", "?tab=system", "SMTP"],
      ["其他设置", "?tab=other", "公告"],
    ] as const) {
      await person.click(screen.getByRole("tab", { name }));
      await waitFor(() => expect(router.state.location.searchStr).toBe(search));
      expect(screen.getByRole("tab", { selected: true }).textContent).toBe(name);
      await waitFor(() => expect(screen.getByRole("tabpanel").textContent).toContain(heading));
    }
    await person.click(screen.getByRole("tab", { name: "个人设置" }));
    await waitFor(() => expect(router.state.location.searchStr).toBe(""));
  });

  it("are one's own where the address names no tab that there is", async () => {
    await openConsole("/setting?tab=nowhere", answers);
    expect(screen.getByRole("tab", { selected: true }).textContent).toBe("个人设置");
  });
});
