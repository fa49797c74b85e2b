// @vitest-environment happy-dom

import { sectionIdsOf } from "@tollgate/contract/options/options";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import i18next, { type ParseKeys } from "i18next";
import { describe, expect, it } from "vitest";
import { fireEvent, screen, waitFor, within } from "../testing/draw";
import { openConsole } from "../testing/open-console";
import { playServer } from "../testing/play-server";
import { hasOwnEntry, pageLabel } from "./navigation";
import { PAGE_ACTIONS } from "./page-actions";
import { createConsoleRouter } from "./router";
import { PERSONAL_CARDS, SETTING_TABS } from "./setting-tabs";

/* Every page, action and kind of record is found by its name in the command menu. */

/** A site with all optional pages. */
const STATUS = {
  ...{ version: CONTRACT_VERSION, price_page: "public", model_status: "public" },
  ...{ plans: true, payments: true, invoices: true, tickets: true, playground: true },
  ...{ list_extras: "permission-sets" },
};

const openMenu = async () => {
  await screen.findByRole("button", { name: "搜索（Ctrl+K）" });
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  const field = await screen.findByRole("combobox", { name: "搜索与命令" });
  const type = (text: string) => fireEvent.change(field, { target: { value: text } });
  const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent ?? "");
  /** The names of these that no option begins with. */
  const missing = (names: readonly string[]) =>
    names.filter((name) => {
      type(name);
      return !options().some((option) => option.startsWith(name));
    });
  return { type, options, missing };
};

const text = (key: ParseKeys): string => i18next.t(key);

/** Names of the addresses that the navigation has. */
const pageNames = () =>
  Object.keys(createConsoleRouter().routesByPath).flatMap((path) => {
    const label = pageLabel(path);
    // Root sees all orders in place of their own.
    const isOther = /\$|add$|edit$|login|register|chat/.test(path) || label === "nav.ownOrders";
    return label === undefined || isOther ? [] : [text(label)];
  });

const sources = Object.entries(
  import.meta.glob<string>(["../features/**/*.tsx", "!../**/*.test.*"], {
    query: "?raw",
    import: "default",
    eager: true,
  }),
).map(([path, source]) => ({ path: path.replace("../features/", ""), source }));

describe("the command menu of root", () => {
  it("finds every page, every tab and card of the settings, and every action of a page", async () => {
    await openConsole("/about", { "GET /api/status": STATUS }, 100);
    const { missing } = await openMenu();
    expect(missing(pageNames())).toEqual([]);
    expect(missing(SETTING_TABS.map((tab) => text(`setting.tab.${tab}`)))).toEqual([]);
    expect(missing(PERSONAL_CARDS.map(({ title }) => text(title)))).toEqual([]);
    const cards = (["operation", "system", "other"] as const).flatMap((tab) => sectionIdsOf(tab));
    expect(missing(cards.map((id) => text(`setting.section.${id}`)))).toEqual([]);
    expect(missing(PAGE_ACTIONS.map(({ label }) => text(label)))).toEqual([]);
  });

  it.each([
    ["运营设置", "运营设置"],
    ["系统设置", "系统设置"],
    ["兑换码", "兑换"],
    ["清理日志", "清理历史日志"],
    ["测试所有", "测试所有已启用的渠道"],
    ["添加新的渠道", "添加渠道"],
  ])("finds by %s %s", async (typed, name) => {
    await openConsole("/about", {}, 100);
    const { type, options } = await openMenu();
    type(typed);
    expect(options().some((option) => option.startsWith(name))).toBe(true);
  });

  it.each(["/channel", "/redemption", "/token", "/user"])(
    "finds every action of a row of %s",
    async (address) => {
      const { answer } = playServer();
      const { person } = await openConsole(address, { "*": answer });
      const row = [...document.querySelectorAll<HTMLElement>("tbody tr")].at(1);
      const more = row && within(row).getByRole("button", { name: /^更多操作/ });
      const name = more?.getAttribute("aria-label")?.replace("更多操作：", "") ?? "";
      expect(name).not.toBe("");
      const inline = [...(row?.querySelectorAll("td:last-child :is(button, a)") ?? [])];
      if (more) await person.click(more);
      const entries = await screen.findAllByRole("menuitem");
      const labels = [...inline, ...entries]
        .map((each) => each.firstChild?.textContent ?? "")
        .filter((label) => label !== "");
      expect(labels.length).toBeGreaterThan(2);
      await person.keyboard("{Escape}");
      const { type, options } = await openMenu();
      type(name);
      await waitFor(() => {
        const found = options();
        const missing = labels.filter((label) => !found.some((option) => option.includes(label)));
        expect(missing).toEqual([]);
      });
    },
  );
});

describe("the command menu of a customer", () => {
  it("finds their pages and settings, and no action of an administrator", async () => {
    await openConsole("/about", {}, 1);
    const { type, options, missing } = await openMenu();
    expect(missing(["个人设置", "账户绑定", "绑定邮箱", "令牌", "用量"])).toEqual([]);
    for (const name of ["测试所有", "清理日志", "运营设置", "渠道"]) {
      type(name);
      expect(options(), name).toEqual([]);
    }
  });
});

/** Pages without an entry: sign-in, addresses of letters and callbacks, and the page of a key without an account. */
const NO_ENTRY = ["/key", "/login", "/oauth/$method", "/register", "/reset", "/setup", "/user/reset"];

describe("the pages of the console", () => {
  const paths = Object.keys(createConsoleRouter().routesByPath).filter((path) => !NO_ENTRY.includes(path));

  it("each have an entry of the navigation, or a command of their own", async () => {
    const { default: commands } = await import("./commands.ts?raw");
    const apart = paths
      .filter((path) => !path.includes("$") && !hasOwnEntry(path))
      .filter((path) => !commands.includes(`go("${path}")`));
    expect(apart).toEqual([]);
  });

  it("of one record each have its entry, or an action of its row", async () => {
    const { default: records } = await import("./command-records.ts?raw");
    const targets = [...records.matchAll(/`(\/[^`]*?)\$\{/g)].map(([, path = ""]) => path);
    const actions = sources.filter(({ path }) => path.endsWith("-actions.tsx")).map(({ source }) => source);
    const apart = paths
      .filter((path) => path.includes("$"))
      .filter((path) => !targets.includes(path.slice(0, path.indexOf("$"))))
      .filter((path) => !actions.some((source) => source.includes(`to="${path}"`)));
    expect(apart).toEqual([]);
  });
});

describe("the command menu of an administrator", () => {
  it("finds the keys of other users, which it cannot change", async () => {
    const found = { id: 31, name: "laptop", status: 1, user_id: 7, username: "carol" };
    const { router } = await openConsole("/about", { "GET /api/token/find": [found] }, 10);
    const { type, options } = await openMenu();
    type("lap");
    await waitFor(() => expect(options().some((option) => option.startsWith("laptopcarol"))).toBe(true));
    expect(options().filter((option) => option.includes("laptop"))).toHaveLength(1);
    fireEvent.click(screen.getByRole("option", { name: /^laptop/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/token/31"));
  });
});

describe("the lists of the console", () => {
  it("have the actions of their rows in hooks that the menu calls", async () => {
    const { default: menu } = await import("./record-actions.tsx?raw");
    const apart = sources
      .filter(({ source }) => source.includes("<RowActions"))
      .filter(({ path }) => !menu.includes(path.replace(/\.tsx$/, '"')))
      .map(({ path }) => path)
      .sort();
    // Rows that are no records: one's open payment, parts of a comparison, targets of notices, keys of others, invoices,
    // sign-in providers, sets of permissions.
    expect(apart).toEqual([
      "api-keys/user-api-keys.tsx",
      "invoices/invoice-page.tsx",
      "invoices/manage-page.tsx",
      "invoices/title-list.tsx",
      "notices/target-list.tsx",
      "orders/order-lists.tsx",
      "permissions/permission-set-actions.tsx",
      "prices/missing-prices.tsx",
      "prices/price-columns.tsx",
      "sign-in-providers/provider-settings.tsx",
    ]);
  });

  it("have the buttons that the menu leads to", () => {
    const declared = new Set<string>(PAGE_ACTIONS.map(({ label }) => label));
    const asking = sources.flatMap(({ source }) =>
      [...source.matchAll(/<ConfirmButton[\s\S]*?>\s*\{t\("([\w.]+)"[\s\S]*?<\/ConfirmButton>/g)].map(
        ([, label = ""]) => label,
      ),
    );
    // Actions on a part of what the page shows: keys, passkeys, a stored request, devices, a plan, a draft, a selection, a comparison, a ticket, a conversation.
    expect(asking.filter((label) => !declared.has(label)).sort()).toEqual([
      "comparison.apply",
      "managementKey.revoke",
      "passkey.remove",
      "personal.endOthers",
      "plan.buy",
      "plan.renew",
      "playground.delete",
      "price.acceptAll",
      "rehearsal.publishNow",
      "ticket.close",
      "why.again",
    ]);
    const exporting = sources.filter(({ source }) => source.includes("<ExportButton"));
    // The result of a rehearsal and a reconciliation are parts of their record.
    const ofRecords = exporting.filter(({ path }) => /^(rehearsal|reconciliation)\//.test(path));
    const exports = PAGE_ACTIONS.filter(({ label }) => label === "action.export");
    expect(exports.length).toBe(exporting.length - ofRecords.length);
  });
});
