import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { launchBrowser } from "@tollgate/testkit/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DoublePage, openDoublePage } from "./double-page";
import { actOnRow, rowAction } from "./visitor";

let browser: Browser;
let at: DoublePage;

beforeAll(async () => {
  browser = await launchBrowser();
  at = await openDoublePage(browser, "root");
});

afterAll(async () => {
  await at?.close();
  await browser?.close();
});

const row = (username: string) =>
  at.page.getByRole("row").filter({ has: at.page.getByText(username, { exact: true }) });
const inRow = (username: string, name: string) =>
  row(username).getByRole("button", { name: `${name}：${username}`, exact: true });
const press = (name: string) => at.page.getByRole("button", { name, exact: true }).click();
const search = async (keyword: string): Promise<void> => {
  await at.page.getByRole("searchbox").fill(keyword);
  await at.page.getByRole("searchbox").press("Enter");
};
const openList = async (): Promise<void> => {
  at.forgetCalls();
  await at.go("/user");
  await row("user26").waitFor();
};

/** The groups that stand in the form. */
const chips = (): Promise<string[]> =>
  at.page
    .getByRole("button", { name: /^移除 / })
    .evaluateAll((buttons) => buttons.map((button) => (button.getAttribute("aria-label") ?? "").slice(3)));

describe("the user list", () => {
  it("is headed 管理用户 and reads GET /api/user/?p= page by page", async () => {
    await openList();
    expect(await at.page.getByRole("heading", { level: 1 }).textContent()).toBe("管理用户");
    await press("第 2 页");
    await row("user16").waitFor();
    await press("第 3 页");
    await row("root").waitFor();
    const asked = [0, 1, 2, 3].map((page) => `GET /api/user/?p=${page}`);
    await expect.poll(() => at.callsOf("GET /api/user/?")).toEqual(asked);
  });

  it("searches with the trimmed keyword, and an empty one shows the list again", async () => {
    await openList();
    await search("  alice ");
    await row("alice").waitFor();
    expect(at.callsOf("GET /api/user/search")).toEqual(["GET /api/user/search?keyword=alice"]);
    expect(await row("user26").count()).toBe(0);
    await search("   ");
    await row("user26").waitFor();
  });

  it("shows roles 1, 10 and 100, and statuses 1, 2 and others, in words", async () => {
    const [alice, bob, odd] = [2, 3, 4].map((index) => at.double.world.users[index]);
    if (odd) odd.status = 9;
    await at.go("/user?page=3");
    for (const [name, role, status] of [
      ["root", "超级管理员", "已激活"],
      ["admin", "管理员", "已激活"],
      [alice?.username, "普通用户", "已激活"],
      [bob?.username, "普通用户", "已封禁"],
      [odd?.username, "普通用户", "未知状态"],
    ] as const) {
      const text = await row(String(name)).textContent();
      expect([name, text]).toEqual([name, expect.stringContaining(role)]);
      expect([name, text]).toEqual([name, expect.stringContaining(status)]);
    }
    if (odd) odd.status = 1;
  });

  it("shows quotas with two decimals of the currency, or counted with k and M", async () => {
    await at.go("/user?q=alice");
    await row("alice").waitFor();
    expect(await row("alice").textContent()).toContain("$7.50");
    at.double.world.status.display_in_currency = false;
    await at.page.reload();
    await row("alice").getByText("3.8M").waitFor();
    at.double.world.status.display_in_currency = true;
    await at.page.reload();
    await row("alice").getByText("$7.50").waitFor();
  });

  it("shows every group of a user, and default for one without any", async () => {
    const [alice, bob] = [2, 3].map((index) => at.double.world.users[index]);
    if (alice) alice.group = "vip,svip";
    if (bob) bob.group = "";
    await at.go("/user?page=3");
    for (const group of ["vip", "svip"]) await row("alice").getByText(group, { exact: true }).waitFor();
    await row("bob").getByText("default", { exact: true }).waitFor();
    if (alice) alice.group = "vip";
  });

  it("offers 禁用 for active users and 启用 for all others", async () => {
    await at.go("/user?page=3");
    await row("bob").waitFor();
    expect([await inRow("alice", "禁用").count(), await inRow("alice", "启用").count()]).toEqual([1, 0]);
    expect([await inRow("bob", "禁用").count(), await inRow("bob", "启用").count()]).toEqual([0, 1]);
  });

  it("cannot change a super administrator", async () => {
    await at.go("/user?page=3");
    await row("root").waitFor();
    for (const name of ["提升", "降级", "删除", "禁用"]) {
      expect([name, await (await rowAction(row("root"), name)).isDisabled()]).toEqual([name, true]);
      await at.page.keyboard.press("Escape");
    }
  });

  it("promotes, demotes, disables and enables, and adopts the role and status of the answer", async () => {
    await at.go("/user?q=user26");
    await row("user26").waitFor();
    at.forgetCalls();
    for (const [button, shown] of [
      ["提升", "管理员"],
      ["降级", "普通用户"],
      ["禁用", "已封禁"],
      ["启用", "已激活"],
    ] as const) {
      await actOnRow(row("user26"), button);
      if (button === "提升" || button === "降级")
        await at.page
          .getByRole("alertdialog")
          .getByRole("button", { name: `${button}用户 user26` })
          .click();
      await row("user26").getByText(shown, { exact: true }).waitFor();
    }
    await at.toast("操作成功完成!");
    expect(at.bodiesOf("POST /api/user/manage")).toEqual(
      ["promote", "demote", "disable", "enable"].map((action) => ({ username: "user26", action })),
    );
    // What the row shows is the answer's, not what was wished for.
    await at.page.route("**/api/user/manage", (route) =>
      route.fulfill({ json: { success: true, message: "", data: { status: 7, role: 10 } } }),
    );
    await actOnRow(row("user26"), "禁用");
    await row("user26").getByText("未知状态").waitFor();
    await row("user26").getByText("管理员", { exact: true }).waitFor();
    await at.page.unroute("**/api/user/manage");
  });

  it("asks before it deletes, and takes the row out", async () => {
    await at.go("/user?q=user25");
    await row("user25").waitFor();
    at.forgetCalls();
    await actOnRow(row("user25"), "删除");
    const question = at.page.getByRole("alertdialog");
    await question.getByText("删除用户“user25”？").waitFor();
    expect(at.callsOf("POST /api/user/manage")).toEqual([]);
    await question.getByRole("button", { name: "删除用户 user25" }).click();
    // The row is out of reach as long as the question stands before it.
    await expect
      .poll(() => at.bodiesOf("POST /api/user/manage"))
      .toEqual([{ username: "user25", action: "delete" }]);
    await row("user25").waitFor({ state: "detached" });
  });

  it("leads to adding a user and to editing one", async () => {
    await openList();
    await actOnRow(row("user26"), "编辑");
    await at.page.waitForURL("**/user/edit/26");
    await at.go("/user");
    await at.page.getByRole("link", { name: "添加新的用户" }).click();
    await at.page.waitForURL("**/user/add");
  });
});

describe("adding a user", () => {
  const fill = async (username: string, displayName: string, password: string): Promise<void> => {
    await at.page.getByLabel("用户名").fill(username);
    await at.page.getByLabel("显示名称").fill(displayName);
    await at.page.getByLabel("密码").fill(password);
    await press("提交");
  };

  it("does nothing without a username or a password", async () => {
    await at.go("/user/add");
    at.forgetCalls();
    await fill("", "Carol", "12345678");
    await fill("carol", "Carol", "");
    // The next call is the first: none of those before it was made.
    await fill("carol", "Carol C.", "12345678");
    await at.toast("操作成功完成!");
    expect(at.bodiesOf("POST /api/user/")).toEqual([
      { username: "carol", display_name: "Carol C.", password: "12345678" },
    ]);
  });

  it("empties the form when it succeeded, and keeps it when it did not", async () => {
    for (const label of ["用户名", "显示名称", "密码"]) {
      expect([label, await at.page.getByLabel(label).inputValue()]).toEqual([label, ""]);
    }
    at.double.fail("/api/user/", "refused");
    await fill("dave", "Dave", "12345678");
    await at.toast("服务器拒绝了这次操作");
    at.double.fail("/api/user/", undefined);
    expect(await at.page.getByLabel("用户名").inputValue()).toBe("dave");
  });
});

describe("editing a user", () => {
  const open = async (path: string): Promise<void> => {
    at.forgetCalls();
    await at.go(path);
    await at.page.getByLabel("用户名").waitFor();
  };

  it("reads GET /api/user/{id} into a form headed 更新用户信息", async () => {
    await open("/user/edit/3");
    expect(await at.page.getByRole("heading", { level: 1 }).textContent()).toBe("更新用户信息");
    expect(at.callsOf("GET /api/user/3")).toHaveLength(1);
    expect(await at.page.getByLabel("用户名").inputValue()).toBe("alice");
    expect(await at.page.getByLabel("显示名称").inputValue()).toBe("alice");
    expect(await at.page.getByLabel("密码").inputValue()).toBe("");
    expect(await at.page.getByLabel("密码").getAttribute("placeholder")).toContain("最短 8 位");
    expect(await chips()).toEqual(["vip"]);
    expect(await at.page.getByLabel("剩余额度").inputValue()).toBe("3750000");
  });

  it("shows bound accounts in read-only fields", async () => {
    for (const [label, value] of [
      ["已绑定的 GitHub 账户", ""],
      ["已绑定的微信账户", ""],
      ["已绑定的邮箱账户", "alice@example.com"],
    ] as const) {
      const field = at.page.getByLabel(label);
      expect([label, await field.inputValue(), await field.getAttribute("readonly")]).toEqual([
        label,
        value,
        "",
      ]);
    }
    const bound = at.page.getByRole("group", { name: "账户绑定" });
    expect(await bound.getByRole("textbox").count()).toBe(SIGN_IN_METHODS.length + 1);
    await bound.getByText("只读，需要通过个人设置页面进行绑定").waitFor();
  });

  it("offers the groups of GET /api/group/, finds them by typing, takes others, and says where they are made", async () => {
    await open("/user/edit/3");
    expect(at.callsOf("GET /api/group/")).toHaveLength(1);
    await at.page.getByText("请在系统设置页面编辑分组倍率以添加新的分组。").waitFor();
    const group = at.page.getByRole("combobox", { name: "分组" });
    await group.fill("sv");
    await expect
      .poll(() => at.page.getByRole("listbox").getByRole("option").allTextContents())
      .toEqual(["svip", "添加“sv”"]);
    await at.page.getByRole("option", { name: "svip" }).click();
    await group.fill("gold");
    await group.press("Enter");
    await expect.poll(chips).toEqual(["vip", "svip", "gold"]);
    // What was only typed counts as well.
    await group.fill("silver");
    await at.page.getByLabel("显示名称").click();
    await expect.poll(chips).toEqual(["vip", "svip", "gold", "silver"]);
    await press("移除 gold");
    await press("提交");
    await at.toast("操作成功完成!");
    expect(at.bodiesOf("PUT /api/user/")).toMatchObject([{ id: 3, group: "vip,svip,silver" }]);
  });

  it("T8: shows every group there is to an administrator, also for a user of several", async () => {
    await open("/user/edit/3");
    await expect.poll(chips).toEqual(["vip", "svip", "silver"]);
    await at.page.getByRole("combobox", { name: "分组" }).click();
    await expect
      .poll(() => at.page.getByRole("listbox").getByRole("option").allTextContents())
      .toEqual(["default", "svip", "vip", "silver"]);
    await at.page.keyboard.press("Escape");
  });

  it("shows a quota's worth, and sends it as a whole number to PUT /api/user/", async () => {
    await open("/user/edit/3");
    await at.page.getByLabel("剩余额度").fill("1250000.9");
    await at.page.getByText("等价金额：$2.50").waitFor();
    await at.page.getByLabel("用户名").fill("alice2");
    await at.page.getByLabel("密码").fill("abcdefgh");
    await at.page.getByLabel("显示名称").fill("Alice");
    await press("提交");
    await at.toast("操作成功完成!");
    expect(at.bodiesOf("PUT /api/user/")).toEqual([
      {
        id: 3,
        username: "alice2",
        password: "abcdefgh",
        display_name: "Alice",
        email: "alice@example.com",
        github_id: "",
        wechat_id: "",
        group: "vip,svip,silver",
        quota: 1_250_000,
      },
    ]);
  });

  it("T5: sends all of the user's fields with the id, and an unedited quota with its current value", async () => {
    await open("/user/edit/3");
    const alice = at.double.world.users.find(({ id }) => id === 3);
    if (alice) alice.quota -= 1000;
    await at.page.getByLabel("显示名称").fill("Alice A.");
    await press("提交");
    await at.toast("操作成功完成!");
    expect(at.bodiesOf("PUT /api/user/")).toEqual([
      {
        id: 3,
        username: "alice2",
        password: "",
        display_name: "Alice A.",
        email: "alice@example.com",
        github_id: "",
        wechat_id: "",
        group: "vip,svip,silver",
        quota: 1_249_000,
        original_quota: 1_249_000,
      },
    ]);
  });

  it("goes to the settings when it is cancelled, and sends nothing", async () => {
    await open("/user/edit/4");
    await at.page.getByLabel("显示名称").fill("Bobby");
    await press("取消");
    // What was typed is not dropped unasked.
    await press("放弃修改");
    await at.page.waitForURL("**/setting");
    expect(at.callsOf("PUT ")).toEqual([]);
  });

  it("of oneself reads and writes /api/user/self, without group and quota", async () => {
    await open("/user/edit");
    expect(at.callsOf("GET /api/user/self")).not.toEqual([]);
    expect(await at.page.getByRole("heading", { level: 1 }).textContent()).toBe("更新用户信息");
    expect(await at.page.getByLabel("分组").count()).toBe(0);
    expect(await at.page.getByLabel("剩余额度").count()).toBe(0);
    await at.page.getByLabel("显示名称").fill("The Root");
    await press("提交");
    await at.page.waitForURL("**/setting");
    expect(at.bodiesOf("PUT /api/user/self")).toEqual([
      { username: "root", display_name: "The Root", password: "" },
    ]);
  });

  it("of oneself asks for the current password once the server has refused a new one", async () => {
    await open("/user/edit");
    expect(await at.page.getByLabel("当前密码").count()).toBe(0);
    at.double.fail("/api/user/self", "refused");
    await at.page.getByLabel("密码", { exact: true }).fill("new-password");
    // The form itself was read before the server began to refuse.
    await press("提交");
    await at.toast("服务器拒绝了这次操作");
    at.double.fail("/api/user/self", undefined);
    await at.page.getByLabel("当前密码").fill("123456");
    await press("提交");
    await at.page.waitForURL("**/setting");
    expect(at.bodiesOf("PUT /api/user/self").at(-1)).toEqual({
      username: "root",
      display_name: "The Root",
      password: "new-password",
      original_password: "123456",
    });
  });
});
