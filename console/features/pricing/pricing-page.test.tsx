// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const model = (name: string, more: object = {}) => ({
  model_name: name,
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  enable_groups: ["default", "vip"],
  supported_endpoint_types: [],
  price: { input: 2, output: 8, cacheRead: 0.5 },
  ...more,
});

const ANSWER = {
  data: [
    model("gpt-5", { vendor_id: 1, context: 400_000, traits: ["chat", "cache"] }),
    model("painter", { price: { perCall: 0.04 }, quota_type: 1, enable_groups: ["default"] }),
    model("ours", {
      own: [{ group: "default", price: { input: 1, output: 3 }, rule: { name: "For you", factor: "0.5" } }],
    }),
  ],
  vendors: [
    { id: 1, name: "openai" },
    { id: 2, name: "other" },
  ],
  group_ratio: { default: 1, vip: 0.5 },
  usable_group: { default: "", vip: "Fast" },
  auto_groups: ["default"],
  groups: [
    { name: "default", description: "", ratio: "1", is_own: true },
    { name: "vip", description: "Fast", ratio: "0.5", is_own: false },
  ],
  pricing_version: "v",
};

const open = (path: string, role: number, price_page: string) =>
  openConsole(
    path,
    {
      "GET /api/pricing": () => Response.json({ success: true, message: "", ...ANSWER }),
      "GET /api/status": { price_page, quota_per_unit: 500_000, display_in_currency: true },
    },
    role,
  );

describe("the page of prices", () => {
  it("says that the page is closed when the site hides its prices", async () => {
    await open("/pricing", 1, "off");
    expect(await screen.findByText("本站未开放价格页面")).toBeTruthy();
  });

  it("asks a guest to sign in where it is for users", async () => {
    await open("/pricing", 0, "signed-in");
    const link = await within(screen.getByRole("main")).findByRole("link", { name: "登录" });
    expect(link.getAttribute("href")).toBe("/login");
  });

  it("shows a model's price in the group, and before it the reader's own price", async () => {
    const stage = await open("/pricing", 0, "public");
    await screen.findByText("gpt-5");
    expect(stage.cells().map((cells) => cells.slice(1, 6))).toEqual([
      ["$2.00", "$8.00", "$0.50", "–", "400K"],
      ["$0.04 / 次", "–", "–", "–", "–"],
      ["$1.00", "$3.00", "–", "–", "–"],
    ]);
    expect(screen.getByText("专属价格：For you")).toBeTruthy();
  });

  it("is narrowed by context, and leads users to how programs use a model", async () => {
    const stage = await open("/pricing?context=200000", 1, "public");
    const use = await screen.findByRole("link", { name: "接入 gpt-5" });
    expect(use.getAttribute("href")).toBe("/model/gpt-5?tab=connect");
    expect(stage.cells()).toHaveLength(1);
    // Only the offered choices are valid.
    for (const context of ["1000000", "5"]) {
      stage.router.history.push(`/pricing?context=${context}`);
      await waitFor(() => expect(screen.queryAllByText("painter")).toHaveLength(context === "5" ? 1 : 0));
    }
  });

  it("shows another group, a vendor and search results by the address", async () => {
    const stage = await open("/pricing?group=vip", 1, "public");
    await screen.findByText("gpt-5");
    expect(stage.cells().map(([, input]) => input)).toEqual(["$1.00", "$1.00"]);
    stage.sortBy("输出");
    await waitFor(() => expect(stage.router.state.location.search).toMatchObject({ sort: "output" }));
    stage.router.history.push("/pricing?vendor=openai");
    await waitFor(() => expect(stage.cells()).toHaveLength(1));
    stage.router.history.push("/pricing?q=PAINT");
    await waitFor(() => expect(stage.cells()[0]?.[1]).toBe("$0.04 / 次"));
  });
});

const RULES = {
  price_version: 7,
  rules: [
    {
      name: "Acme",
      username: "alice",
      rule: { user: 3, models: "gpt-5*", factor: 0.8, note: "until spring", from: "2020-01-01" },
    },
    {
      name: "Alias",
      username: "",
      rule: {
        models: "house",
        names: "requested",
        price: { input: 4, output: 12, tiers: [{ aboveTokens: 9, input: 5, output: 15 }] },
        until: "2021-01-01",
      },
    },
  ],
};

const openRules = (role = 10) =>
  openConsole(
    "/pricing/rules",
    {
      "GET /api/prices/rules": RULES,
      "GET /api/group/": ["default", "vip"],
      "GET /api/status": { quota_per_unit: 500_000, display_in_currency: true },
      "POST /api/prices/rules/preview": {
        price: { input: 1.6, output: 8 },
        usual: { input: 2, output: 10 },
        rule: { name: "Acme", factor: "0.8" },
      },
    },
    role,
  );

describe("the page of price rules", () => {
  it("is for administrators", async () => {
    await openRules(1);
    expect(await screen.findByText("仅管理员可查看价格规则")).toBeTruthy();
  });

  it("lists rules in order, with customer, models and state", async () => {
    const stage = await openRules();
    await screen.findByText("Acme");
    expect(stage.cells().map((cells) => cells.slice(0, 6))).toEqual([
      ["Acmeuntil spring", "生效", "alice", "gpt-5*", "× 0.8", "2020-01-01 – …"],
      ["Alias", "已结束", "所有人", "house客户端名称", "$4.00 → $12.00", "… – 2021-01-01"],
    ]);
  });

  it("adds a rule, changes one without losing its hidden fields, and deletes one", async () => {
    const stage = await openRules(100);
    await screen.findByText("Acme");
    const press = (name: string) => stage.person.click(screen.getByRole("button", { name }));
    await press("添加规则");
    const dialog = within(await screen.findByRole("dialog"));
    const type = (label: RegExp, text: string) => stage.person.type(dialog.getByLabelText(label), text);
    await type(/^名称/, "Spring");
    await type(/^客户/, "bob");
    await type(/^模型/, "m*");
    await type(/^乘以/, "0.9");
    await stage.person.click(dialog.getByRole("button", { name: "保存" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/prices/rules")).toEqual({
        name: "Spring",
        username: "bob",
        rule: { models: "m*", factor: 0.9 },
        price_version: 7,
      }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await stage.act("Alias", "编辑");
    const edit = within(await screen.findByRole("dialog"));
    await stage.person.clear(edit.getByLabelText(/^输出/));
    await stage.person.type(edit.getByLabelText(/^输出/), "13");
    await stage.person.click(edit.getByRole("button", { name: "保存" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/prices/rules")).toMatchObject({
        before: "Alias",
        rule: { names: "requested", price: { input: 4, output: 13, tiers: [{ aboveTokens: 9 }] } },
      }),
    );
  });

  it("locks the rules of everyone for administrators, who name a customer in theirs (M15)", async () => {
    const stage = await openRules();
    await screen.findByText("Acme");
    const isLocked = async (row: string, name: string) =>
      (await stage.action(row, name)).getAttribute("aria-disabled") === "true";
    expect([await isLocked("Acme", "编辑"), await isLocked("Acme", "删除")]).toEqual([false, false]);
    await stage.person.keyboard("{Escape}");
    expect([await isLocked("Alias", "编辑"), await isLocked("Alias", "删除")]).toEqual([true, true]);
    await stage.person.keyboard("{Escape}");
    await stage.person.click(screen.getByRole("button", { name: "添加规则" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/^客户/, { selector: "label" }).textContent).toBe("客户*");
  });

  /** A server where a price changed since the page was read: it accepts a rule with the version 8 alone. */
  const openOutdated = (rules: unknown, path = "/pricing/rules") => {
    let reads = 0;
    return openConsole(path, {
      "GET /api/prices/rules": () => (reads++ === 0 ? RULES : { price_version: 8, rules }),
      "GET /api/group/": [],
      "PUT /api/prices/rules": (body: unknown) =>
        (body as { price_version: number }).price_version === 8 ||
        Response.json({ success: false, message: "outdated", field: "price_version" }),
    });
  };
  const edit = async (stage: Awaited<ReturnType<typeof openConsole>>) => {
    const dialog = within(await screen.findByRole("dialog"));
    await stage.person.type(dialog.getByLabelText(/^备注/), "!");
    return { ...dialog, save: () => stage.person.click(dialog.getByRole("button", { name: "保存" })) };
  };

  it("saves a rule at the second press after another price was changed", async () => {
    const stage = await openOutdated(RULES.rules);
    await stage.act("Acme", "编辑");
    const dialog = await edit(stage);
    await dialog.save();
    expect((await dialog.findByRole("alert")).textContent).toContain("再次点击“保存”");
    expect(stage.notices).toEqual([]);
    await dialog.save();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(stage.bodyOf("PUT /api/prices/rules")).toMatchObject({
      before: "Acme",
      rule: { note: "until spring!" },
      price_version: 8,
    });
  });

  it.each([
    ["changed", "/pricing/rules", [{ ...RULES.rules[0], rule: { ...RULES.rules[0]?.rule, factor: 0.5 } }]],
    ["deleted", "/pricing/rules?rule=Acme", []],
  ])("keeps the input, and never overwrites a rule that another person has %s", async (_, path, rules) => {
    const stage = await openOutdated(rules, path);
    if (path === "/pricing/rules") await stage.act("Acme", "编辑");
    const dialog = await edit(stage);
    for (const _press of [1, 2]) {
      await dialog.save();
      expect((await dialog.findByRole("alert")).textContent).toContain("其他人");
    }
    expect(stage.bodyOf("PUT /api/prices/rules")).toMatchObject({ price_version: 7 });
    expect(dialog.getByLabelText(/^备注/)).toHaveProperty("value", "until spring!");
  });

  it("says that days of a rule start at midnight UTC", async () => {
    const stage = await openRules(100);
    await screen.findByText("Acme");
    expect(screen.getByRole("columnheader", { name: "时间（日期按 UTC）" })).toBeTruthy();
    await stage.act("Acme", "编辑");
    const dialog = within(await screen.findByRole("dialog"));
    const hintOf = (label: string) =>
      document.getElementById(dialog.getByLabelText(label).getAttribute("aria-describedby") ?? "")
        ?.textContent;
    expect([hintOf("开始"), hintOf("结束")]).toEqual([
      "自当日 0 点（UTC）起生效。",
      "至当日 0 点（UTC）为止，不含当日。",
    ]);
  });

  it("previews a customer's price and the rule that sets it", async () => {
    const stage = await openRules();
    await screen.findByText("Acme");
    const preview = within(screen.getByRole("region", { name: "试算客户价格" }));
    await stage.person.type(preview.getByLabelText(/^客户/), "alice");
    await stage.person.click(preview.getByRole("button", { name: "查看" }));
    await waitFor(() => expect(document.activeElement).toBe(preview.getByLabelText(/^模型/)));
    await stage.person.type(preview.getByLabelText(/^模型/), "gpt-5");
    await stage.person.click(preview.getByRole("button", { name: "查看" }));
    expect((await preview.findByRole("status")).textContent).toBe(
      "应付（输入 → 输出）$1.60 → $8.00无规则时$2.00 → $10.00规则Acme",
    );
    expect(stage.bodyOf("POST /api/prices/rules/preview")).toEqual({
      username: "alice",
      group: "default",
      model: "gpt-5",
    });
  });
});
