// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../testing/draw";
import { type Answer, openConsole } from "../testing/open-console";

const ALICE = {
  id: 7,
  username: "alice",
  display_name: "Alice",
  role: 1,
  status: 1,
  email: "",
  quota: 5,
  used_quota: 3,
  request_count: 12,
  group: "vip",
  inviter_id: 2,
};
const CHANNEL = {
  ...{ id: 3, type: 14, name: "main", status: 1, models: "m-1,m-2", group: "default,vip", key: "" },
  ...{ weight: 1, priority: 2, created_time: 5, test_time: 0, response_time: 0, base_url: "", other: "" },
  ...{
    balance: 0,
    balance_updated_time: 0,
    used_quota: 9,
    model_mapping: "",
    key_count: 2,
    used_requests: 40,
  },
};
const SUM = { prompt_tokens: 1, completion_tokens: 1, quota: 4, duration_ms: 10, first_byte_ms: 10 };
const POINT = { time: 0, key: "m-1", name: "m-1", requests: 9, errors: 1, timed: 9, streams: 9, ...SUM };

const ANSWERS: Record<string, Answer> = {
  "GET /api/user/7": ALICE,
  "GET /api/channel/3": CHANNEL,
  "GET /api/usage": (_body: unknown, call: string) => (call.includes("by=model") ? [POINT] : []),
};

const headings = () => screen.getAllByRole("heading", { level: 1 }).map(({ textContent }) => textContent);

describe("the page of a user", () => {
  it("shows the account's fields, and links to the inviter and to the lines behind each figure", async () => {
    await openConsole("/user/7", ANSWERS);
    const facts = await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(headings()).toEqual(["alice"]);
    expect(facts.textContent).toContain("请求次数12");
    expect(facts.textContent).toContain("vip");
    expect(within(facts).getByRole("link", { name: "#2" }).getAttribute("href")).toBe("/user/2");
    const row = (await screen.findByText("m-1")).closest("tr");
    expect(row?.textContent).toContain("90.0%");
    const [model, all, failed] = within(row as HTMLElement).getAllByRole("link");
    expect(model?.getAttribute("href")).toBe("/model/m-1");
    expect(all?.getAttribute("href")).toMatch(/^\/log\?.*username=alice.*model=m-1/);
    expect(failed?.getAttribute("href")).toMatch(/type=5/);
  });

  it.each([
    ["ledger", "GET /api/ledger?", "username=alice"],
    ["log", "GET /api/log/?", "username=alice"],
    ["statement", "GET /api/statement?", "username=alice"],
    ["profit", "GET /api/profit?", "username=alice"],
    ["audit", "GET /api/audit?", "beneficiary=alice"],
  ])("has the %s of that user alone, whatever the address says", async (tab, call, parameter) => {
    const stage = await openConsole(`/user/7?tab=${tab}&${parameter.replace("alice", "bob")}`, ANSWERS);
    const asked = () => stage.calls.map((each) => each.call).filter((each) => each.startsWith(call));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const each of asked()) {
      expect(each).toContain(parameter);
      expect(each).not.toContain("bob");
    }
    expect(headings()).toEqual(["alice"]);
    expect(screen.queryByLabelText("用户名")).toBeNull();
    expect(screen.queryByLabelText("相关用户")).toBeNull();
    // A tab's filters do not apply to the next one.
    const links = within(screen.getByRole("navigation", { name: "用户详情" })).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/user/7",
      ...["limits", "log", "ledger", "statement", "orders", "profit", "audit"].map(
        (each) => `/user/7?tab=${each}`,
      ),
    ]);
    expect(links[0]?.textContent).toBe("用量");
    expect(screen.getByRole("region", { name: "基本信息" }).textContent).toContain("请求次数12");
  });

  describe("before a server that narrows lists", () => {
    const KEY = {
      ...{ id: 5, user_id: 7, name: "ci", status: 1, created_time: 1, accessed_time: 9, expired_time: -1 },
      ...{ remain_quota: 4, unlimited_quota: false, used_quota: 3, group: "vip" },
    };
    const answers = {
      ...ANSWERS,
      "GET /api/status": { list_queries: true },
      "GET /api/user/7/tokens": [KEY, { ...KEY, id: 6, name: "" }],
    };

    it("lists the keys of that user, which lead to their pages and requests", async () => {
      const stage = await openConsole("/user/7?tab=keys", answers);
      const row = (await screen.findByText("ci", {}, { timeout: 10_000 })).closest("tr") as HTMLElement;
      const keys = screen.getByRole("table", { name: "令牌" });
      const pages = ["ci", "无"].map((name) => within(keys).getByRole("link", { name }).getAttribute("href"));
      expect(pages).toEqual(["/token/5", "/token/6"]);
      const log = within(row).getByRole("link", { name: "日志：ci" });
      expect(log.getAttribute("href")).toBe("/user/7?tab=log&token=ci");
      // Lines of two keys are told apart only by name.
      expect(within(keys).getAllByRole("link", { name: /^日志/ })).toHaveLength(1);
      expect(within(keys).queryByRole("button", { name: /删除|禁用|复制/ })).toBeNull();
      await stage.person.click(log);
      await waitFor(() =>
        expect(stage.calls.at(-1)?.call).toMatch(/^GET \/api\/log\/\?.*token_name=ci.*username=alice/),
      );
    });

    it("sorts and narrows them on the server", async () => {
      const stage = await openConsole("/user/7?tab=keys&sort=-used_quota&status=1", answers);
      await screen.findByText("ci", {}, { timeout: 10_000 });
      expect(stage.calls.map(({ call }) => call)).toContain(
        "GET /api/user/7/tokens?status=1&sort=-used_quota&p=0",
      );
    });
  });

  it("leads to a new price rule for that user", async () => {
    const stage = await openConsole("/user/7", {
      ...ANSWERS,
      "GET /api/prices/rules": { rules: [], price_version: 3 },
    });
    await stage.person.click(await screen.findByRole("link", { name: "设置专属价格" }, { timeout: 10_000 }));
    const dialog = within(await screen.findByRole("dialog", {}, { timeout: 10_000 }));
    expect(dialog.getByLabelText<HTMLInputElement>(/^客户/).value).toBe("alice");
    await stage.person.click(dialog.getByRole("button", { name: "取消" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(stage.router.state.location.search).toEqual({});
  });

  it("lists the orders of that user alone", async () => {
    const stage = await openConsole("/user/7?tab=orders&q=bob", ANSWERS);
    const asked = () =>
      stage.calls.map(({ call }) => call).filter((each) => each.startsWith("GET /api/payment/orders?"));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const each of asked()) expect(each).toContain("keyword=alice");
    expect(screen.queryByRole("searchbox")).toBeNull();
    await screen.findByText("没有订单");
  });

  it("has no audit for administrators, who may not read it", async () => {
    const stage = await openConsole("/user/7?tab=audit", ANSWERS, 10);
    await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(screen.queryByRole("link", { name: "审计" })).toBeNull();
    expect(stage.calls.filter(({ call }) => call.includes("/api/audit"))).toEqual([]);
  });

  it("disables the account, and shows the result", async () => {
    let status = 1;
    const stage = await openConsole("/user/7", {
      ...ANSWERS,
      "GET /api/user/7": () => ({ ...ALICE, status }),
      "POST /api/user/manage": () => {
        status = 2;
        return { role: 1, status };
      },
    });
    await stage.person.click(await screen.findByRole("button", { name: "禁用" }, { timeout: 10_000 }));
    await screen.findByRole("button", { name: "启用" });
    expect(stage.bodyOf("POST /api/user/manage")).toEqual({ username: "alice", action: "disable" });
    expect(screen.getByText("已封禁")).toBeTruthy();
  });

  it("says why it cannot be shown", async () => {
    await openConsole("/user/9", {
      "GET /api/user/9": () => Response.json({ success: false, message: "无权查看" }),
    });
    await screen.findByText("无权查看", {}, { timeout: 10_000 });
  });
});

describe("the page of a channel", () => {
  it("shows the channel's settings and its test results", async () => {
    await openConsole("/channel/3", ANSWERS);
    const facts = await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(headings()).toEqual(["main"]);
    for (const fact of ["Anthropic Claude", "可用密钥2 / 2", "已应答请求40", "优先级2"])
      expect(facts.textContent).toContain(fact);
    const row = (await within(screen.getByRole("table", { name: /^按模型/ })).findByText("m-1")).closest(
      "tr",
    );
    expect(
      within(row as HTMLElement)
        .getAllByRole("link")[1]
        ?.getAttribute("href"),
    ).toMatch(/^\/log\?.*channel=.*3.*model=m-1/);
  });

  it("lists its models in a tab, below its facts", async () => {
    await openConsole("/channel/3?tab=models", ANSWERS);
    const models = await screen.findByRole("region", { name: "模型" }, { timeout: 10_000 });
    expect(models.textContent).toContain("m-1, m-2");
    expect(within(models).getByRole("link", { name: "m-2" }).getAttribute("href")).toBe("/model/m-2");
    const facts = screen.getByRole("region", { name: "基本信息" });
    expect(facts.textContent).toContain("可用密钥2 / 2");
  });

  it("unfolds the facts that a narrow screen does not show at first", async () => {
    const stage = await openConsole("/channel/3", ANSWERS);
    const facts = await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    const hidden = () => facts.querySelectorAll("dl > .max-wide\\:hidden").length;
    expect(hidden()).toBe(8);
    await stage.person.click(within(facts).getByRole("button", { name: "展开" }));
    expect(hidden()).toBe(0);
    await stage.person.click(within(facts).getByRole("button", { name: "收起", expanded: true }));
    expect(hidden()).toBe(8);
  });

  it.each([
    ["log", "GET /api/log/?", ["channel=3"]],
    ["audit", "GET /api/audit?", ["action=channel", "target=3"]],
    ["profit", "GET /api/profit?", ["channel=3"]],
  ])("has the %s of that channel alone", async (tab, call, parameters) => {
    const stage = await openConsole(`/channel/3?tab=${tab}&channel=9&target=9`, ANSWERS);
    const asked = () => stage.calls.map((each) => each.call).filter((each) => each.startsWith(call));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const parameter of parameters) for (const each of asked()) expect(each).toContain(parameter);
    expect(screen.queryByLabelText("渠道 ID")).toBeNull();
    expect(screen.queryByLabelText("对象")).toBeNull();
  });
});

const KEY = {
  ...{ id: 5, user_id: 1, key: "k".repeat(48), status: 1, name: "ci bot", created_time: 5, accessed_time: 9 },
  ...{
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: true,
    used_quota: 3,
    rpm: 60,
    models: "m-1,a/b:c",
  },
};

describe("the limits of a channel", () => {
  it("are those of its upstream, of all keys and of each, with the requests that wait", async () => {
    await openConsole("/channel/3?tab=limits", {
      ...ANSWERS,
      "GET /api/channel/3": { ...CHANNEL, rpm: 100, key_concurrency: 5 },
      "GET /api/channel/use?ids=3": [{ id: 3, requests: 20, tokens: 0, active: 9, waiting: 2 }],
    });
    const table = await screen.findByRole("table", { name: "当前限制" }, { timeout: 10_000 });
    expect([...table.querySelectorAll("tbody tr")].map(({ textContent }) => textContent)).toEqual([
      "同时请求数2 个可用密钥，每个 59 / 10",
      "每分钟请求数渠道的全部密钥20 / 100",
    ]);
    await screen.findByText("2 个排队");
  });
});

describe("the upstream account of a channel", () => {
  const open = async (account: Answer) => {
    const stage = await openConsole("/channel/3?tab=limits", {
      ...ANSWERS,
      "GET /api/channel/3": { ...CHANNEL, type: 8, base_url: "https://other.example" },
      "GET /api/channel/use?ids=3": [],
      "GET /api/channel/account/3": account,
    });
    const card = await screen.findByRole("region", { name: "上游账户" }, { timeout: 10_000 });
    expect(stage.calls.some(({ call }) => call.includes("account"))).toBe(false);
    await stage.person.click(within(card).getByRole("button", { name: "查询" }));
    return card;
  };

  it("is read on request, with its plan and limits", async () => {
    const card = await open({
      ...{ unit: "usd", balance: 8.5, plan: "月卡", group: "vip" },
      limits: [
        { name: "daily_quota", scope: "key", max: 2, used: 0.5, is_money: true, resets_at: 1_800_000_000 },
        { name: "seats", scope: "team", max: 7, is_money: false },
      ],
    });
    const rows = await within(card).findAllByRole("row");
    expect(card.textContent).toContain("余额$8.50套餐月卡分组vip到期时间无");
    expect(rows[1]?.textContent).toMatch(/^每日预算该密钥\$0\.50 \/ \$2\.002027-/);
    expect(rows[2]?.textContent).toBe("seatsteam上限 7无");
  });

  it("says why it cannot be read", async () => {
    const card = await open(Response.json({ success: false, message: "余额查询失败" }));
    await within(card).findByText("余额查询失败");
    expect(within(card).getByRole("button", { name: "重试" })).toBeTruthy();
  });

  it("is not offered where the upstream reports none", async () => {
    await openConsole("/channel/3?tab=limits", { ...ANSWERS, "GET /api/channel/use?ids=3": [] });
    await screen.findByRole("region", { name: "当前限制" }, { timeout: 10_000 });
    expect(screen.queryByRole("region", { name: "上游账户" })).toBeNull();
  });
});

describe("the page of a key", () => {
  it("shows the key's permissions and its use, by the reader's own sums", async () => {
    const stage = await openConsole("/token/5", {
      "GET /api/token/5": KEY,
      "GET /api/usage/self": [POINT],
    });
    const facts = await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(headings()).toEqual(["ci bot"]);
    for (const fact of ["剩余额度无限", "允许的地址任意地址"]) expect(facts.textContent).toContain(fact);
    expect(within(facts).getByRole("link", { name: "a/b:c" }).getAttribute("href")).toBe("/model/a%2Fb%3Ac");
    await screen.findByRole("table", { name: /^按模型/ });
    const usage = stage.calls.map(({ call }) => call).filter((call) => call.includes("/api/usage"));
    expect(usage.length).toBeGreaterThan(0);
    for (const call of usage) expect(call).toMatch(/^GET \/api\/usage\/self\?.*token_name=ci\+?(%20)?bot/);
  });

  it("shows the log of the owner's key only, even when another user has a key of that name", async () => {
    const stage = await openConsole("/token/5?tab=log&username=bob&token=other", { "GET /api/token/5": KEY });
    const asked = () =>
      stage.calls.map(({ call }) => call).filter((call) => call.startsWith("GET /api/log/?"));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const call of asked()) expect(call).toMatch(/token_name=ci.bot.*username=me/);
  });

  it("shows neither log nor sums of a key without a name, which would be those of all keys", async () => {
    const stage = await openConsole("/token/5", { "GET /api/token/5": { ...KEY, name: "" } }, 1);
    await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(headings()).toEqual(["#5"]);
    expect(screen.queryByRole("link", { name: "日志" })?.getAttribute("href")).not.toBe("/token/5?tab=log");
    expect(stage.calls.filter(({ call }) => call.includes("/api/usage"))).toEqual([]);
  });

  it("has the movements of its own limit alone", async () => {
    const stage = await openConsole("/token/5?tab=ledger&tokenId=9", { "GET /api/token/5": KEY }, 1);
    const asked = () =>
      stage.calls.map(({ call }) => call).filter((call) => call.startsWith("GET /api/ledger/self?"));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const call of asked()) expect(call).toContain("token_id=5");
    expect(screen.queryByLabelText("原因")).toBeNull();
  });

  it("shows the use of each limit, the fullest first", async () => {
    const use = { scope: "key", group: "", limit: "rpm", max: 60, used: 6 };
    await openConsole("/token/5?tab=limits", {
      "GET /api/token/5": KEY,
      "GET /api/token/5/limits": [
        use,
        { ...use, scope: "user", limit: "concurrency", max: 4, used: 3 },
        { scope: "group", group: "vip", limit: "tpm", max: 5000 },
      ],
    });
    const table = await screen.findByRole("table", { name: "当前限制" }, { timeout: 10_000 });
    const cells = [...table.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("td")].map(({ textContent }) => textContent),
    );
    expect(cells).toEqual([
      ["同时请求数", "用户的全部令牌", "3 / 4"],
      ["每分钟请求数", "此令牌", "6 / 60"],
      ["每分钟 token 数", "分组 vip 的全部用户", "上限 5,000"],
    ]);
  });

  it("says where a first limit is set", async () => {
    await openConsole("/token/5?tab=limits", { "GET /api/token/5": KEY, "GET /api/token/5/limits": [] });
    await screen.findByText("没有限制", {}, { timeout: 10_000 });
    expect(screen.getByRole("link", { name: "设置限制" }).getAttribute("href")).toBe("/token/edit/5");
  });

  it("asks how to replace the secret where the address says so, once", async () => {
    const stage = await openConsole("/token/5?rotate=true", { "GET /api/token/5": KEY });
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByRole("button", { name: "生成新密钥" })).toBeTruthy();
    await waitFor(() => expect(stage.router.state.location.searchStr).toBe(""));
  });

  it("disables the key, and shows how programs use it", async () => {
    let status = 1;
    const stage = await openConsole("/token/5", {
      "GET /api/token/5": () => ({ ...KEY, status }),
      "PUT /api/token/": () => {
        status = 2;
        return { ...KEY, status };
      },
    });
    await stage.person.click(await screen.findByRole("button", { name: "禁用" }, { timeout: 10_000 }));
    await screen.findByRole("button", { name: "启用" });
    expect(stage.bodyOf("PUT /api/token/?status_only=true")).toEqual({ id: 5, status: 2 });
    await stage.person.click(screen.getByRole("button", { name: "接入" }));
    await screen.findByRole("dialog");
  });
});

describe("the page of another user's key", () => {
  const { key: _secret, ...summary } = KEY;
  const OTHERS = { ...summary, id: 8, user_id: 7, username: "alice" };
  const refused = () => Response.json({ success: false, message: "记录不存在" });
  const answers: Record<string, Answer> = {
    ...ANSWERS,
    "GET /api/token/8": refused,
    "GET /api/token/8/summary": OTHERS,
    "GET /api/token/8/summary/limits": [{ scope: "key", group: "", limit: "rpm", max: 60, used: 6 }],
  };
  const facts = () => screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });

  it("shows administrators its owner, its permissions and its use, without any action", async () => {
    const stage = await openConsole("/token/8?rotate=true", answers);
    const shown = await facts();
    expect(headings()).toEqual(["ci bot"]);
    expect(within(shown).getByRole("link", { name: "alice" }).getAttribute("href")).toBe("/user/7");
    expect(shown.textContent).toContain("剩余额度无限");
    for (const name of ["接入", "更换密钥", "禁用"])
      expect(screen.queryByRole("button", { name })).toBeNull();
    expect(screen.queryByRole("link", { name: "编辑" })).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
    await screen.findByRole("table", { name: /^按渠道/ });
    const usage = stage.calls.map(({ call }) => call).filter((call) => call.includes("/api/usage"));
    for (const call of usage) expect(call).toMatch(/^GET \/api\/usage\?.*token_name=ci.bot.*username=alice/);
  });

  it.each([
    ["log", "GET /api/log/?", ["token_name=ci", "username=alice"]],
    ["ledger", "GET /api/ledger?", ["token_id=8"]],
    ["audit", "GET /api/audit?", ["action=user", "beneficiary=alice"]],
  ])("has the %s of that key alone", async (tab, call, parameters) => {
    const stage = await openConsole(`/token/8?tab=${tab}&username=bob&token=x&beneficiary=bob`, answers);
    const asked = () => stage.calls.map((each) => each.call).filter((each) => each.startsWith(call));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const parameter of parameters) for (const each of asked()) expect(each).toContain(parameter);
  });

  it("shows the use of its limits, which only the owner sets", async () => {
    await openConsole("/token/8?tab=limits", answers, 10);
    const table = await screen.findByRole("table", { name: "当前限制" }, { timeout: 10_000 });
    expect(table.querySelector("tbody tr")?.textContent).toBe("每分钟请求数此令牌6 / 60");
    expect(screen.queryByRole("link", { name: "审计" })).toBeNull();
  });

  it("says why it cannot be shown: the user's rank, or a server that shows no others' keys", async () => {
    const rank = () => Response.json({ success: false, message: "无权查看" });
    await openConsole("/token/8", { "GET /api/token/8": refused, "GET /api/token/8/summary": rank }, 10);
    await screen.findByText("无权查看", {}, { timeout: 10_000 });
    const gone = () => new Response("", { status: 404 });
    await openConsole("/token/8", { "GET /api/token/8": refused, "GET /api/token/8/summary": gone }, 10);
    await screen.findByText("记录不存在", {}, { timeout: 10_000 });
  });

  it("is not asked for on behalf of a user", async () => {
    const stage = await openConsole("/token/8", answers, 1);
    await screen.findByText("记录不存在", {}, { timeout: 10_000 });
    expect(stage.calls.filter(({ call }) => call.includes("summary"))).toEqual([]);
  });
});

const PRICING = {
  data: [
    {
      ...{ model_name: "a/b c:100%", quota_type: 0, model_ratio: 1, model_price: 0 },
      ...{ enable_groups: ["default"], supported_endpoint_types: [], price: { input: 2, output: 8 } },
      context: 128_000,
    },
  ],
  ...{ vendors: [], group_ratio: { default: 1.5 }, usable_group: {}, auto_groups: [], pricing_version: "1" },
  groups: [{ name: "default", description: "", ratio: "1.5", is_own: true }],
};
const AWKWARD = encodeURIComponent("a/b c:100%");

describe("the page of a model", () => {
  const answers: Record<string, Answer> = {
    "GET /api/pricing": () => Response.json({ success: true, message: "", ...PRICING }),
    "GET /api/usage": [{ ...POINT, key: "3", name: "main" }],
    "GET /api/usage/self": [],
    "GET /api/status": { list_queries: true, price_page: "public" },
  };

  it("shows price and use of a model with an awkward name, to administrators by channel and user", async () => {
    const stage = await openConsole(`/model/${AWKWARD}`, answers);
    const prices = await screen.findByRole("table", { name: "价格" }, { timeout: 10_000 });
    expect(headings()).toEqual(["a/b c:100%"]);
    const cells = [...prices.querySelectorAll("tbody td")].map(({ textContent }) => textContent);
    // Points of quota: the site does not show money.
    expect(cells).toEqual(["default× 1.5", "1500000", "6000000", "–", "–"]);
    const facts = screen.getByRole("region", { name: "基本信息" });
    expect([...facts.querySelectorAll("dt")].map(({ textContent }) => textContent)).toEqual([
      "厂商",
      "输入 (额度点数 / 百万 token)",
      "输出 (额度点数 / 百万 token)",
      "上下文",
      "最大输出",
      "分组",
    ]);
    expect([...facts.querySelectorAll("dd")].map(({ textContent }) => textContent)).toEqual([
      ...["–", "1500000", "6000000", "128K", "–", "default"],
    ]);
    const channels = await screen.findByRole("table", { name: /^按渠道/ });
    const channel = await within(channels).findByRole("link", { name: "main" });
    expect(channel.getAttribute("href")).toBe("/channel/3");
    const usage = stage.calls.map(({ call }) => call).filter((call) => call.includes("/api/usage"));
    for (const call of usage)
      expect(new URL(call.slice(4), "http://x").searchParams.get("model_name")).toBe("a/b c:100%");
  });

  it("asks for nothing of others on behalf of a user", async () => {
    const stage = await openConsole(`/model/${AWKWARD}`, answers, 1);
    await screen.findByRole("table", { name: /^我的令牌/ }, { timeout: 10_000 });
    expect(screen.queryByRole("table", { name: /^按用户/ })).toBeNull();
    for (const { call } of stage.calls) expect(call).not.toMatch(/api\/(usage\?|channel|profit|user\/\?)/);
    const links = within(screen.getByRole("navigation", { name: "模型详情" })).getAllByRole("link");
    expect(links.map(({ textContent }) => textContent)).toEqual(["概览", "日志", "接入"]);
  });

  it.each([
    ["log", "GET /api/log/?", "model_name"],
    ["profit", "GET /api/profit?", "model_name"],
    ["channels", "GET /api/channel/?", "models"],
  ])("has the %s of that model alone", async (tab, call, parameter) => {
    const stage = await openConsole(`/model/${AWKWARD}?tab=${tab}&model=x&models=x`, {
      ...answers,
    });
    const asked = () => stage.calls.map((each) => each.call).filter((each) => each.startsWith(call));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const each of asked())
      expect(new URL(each.slice(4), "http://x").searchParams.get(parameter)).toBe("a/b c:100%");
  });

  it("stands in the section of prices, and says of a model that is not offered where to go", async () => {
    await openConsole("/model/nothing", answers);
    const hint = await screen.findByText(/你的分组目前没有模型 nothing/, {}, { timeout: 10_000 });
    const links = within(hint).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["/pricing", "/channel"]);
    const rail = screen.getByRole("navigation", { name: "首页" });
    expect(within(rail).getByRole("link", { current: "page" }).getAttribute("href")).toBe("/pricing");
  });

  it("says nothing of the kind of one that is", async () => {
    await openConsole(`/model/${AWKWARD}`, answers, 1);
    await screen.findByRole("table", { name: "价格" }, { timeout: 10_000 });
    expect(screen.queryByText(/你的分组目前没有模型/)).toBeNull();
  });

  it("fills in how programs ask for it", async () => {
    await openConsole(`/model/${AWKWARD}?tab=connect`, { ...answers, "GET /api/token/": [] });
    await screen.findByText("你还没有令牌。", {}, { timeout: 10_000 });
    expect(document.querySelector("pre")?.textContent).toContain('"model": "a/b c:100%"');
  });
});
