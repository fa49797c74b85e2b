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
  it("says what the account has, and leads to the inviter and to the lines behind each figure", async () => {
    await openConsole("/user/7", ANSWERS);
    const facts = await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(headings()).toEqual(["alice"]);
    expect(facts.textContent).toContain("请求次数12");
    expect(facts.textContent).toContain("vip");
    expect(within(facts).getByRole("link", { name: "#2" }).getAttribute("href")).toBe("/user/2");
    const row = (await screen.findByText("m-1")).closest("tr");
    expect(row?.textContent).toContain("90%");
    const [all, failed] = within(row as HTMLElement).getAllByRole("link");
    expect(all?.getAttribute("href")).toMatch(/^\/log\?.*username=alice.*model=m-1/);
    expect(failed?.getAttribute("href")).toMatch(/type=5/);
  });

  it.each([
    ["ledger", "GET /api/ledger?", "username=alice"],
    ["log", "GET /api/log/?", "username=alice"],
    ["statement", "GET /api/statement?", "username=alice"],
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
    // What a part was narrowed to does not follow into the next one.
    const links = within(screen.getByRole("navigation", { name: "用户详情" })).getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "/user/7",
      ...["log", "ledger", "statement", "audit"].map((each) => `/user/7?tab=${each}`),
    ]);
  });

  it("has no audit for administrators, who may not read it", async () => {
    const stage = await openConsole("/user/7?tab=audit", ANSWERS, 10);
    await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(screen.queryByRole("link", { name: "审计" })).toBeNull();
    expect(stage.calls.filter(({ call }) => call.includes("/api/audit"))).toEqual([]);
  });

  it("disables the account, and shows what became of it", async () => {
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
  it("says how it is set up and what it answered", async () => {
    await openConsole("/channel/3", ANSWERS);
    const facts = await screen.findByRole("region", { name: "基本信息" }, { timeout: 10_000 });
    expect(headings()).toEqual(["main"]);
    for (const fact of ["Anthropic Claude", "可用密钥2 / 2", "已应答请求40", "优先级2"])
      expect(facts.textContent).toContain(fact);
    expect(screen.getByText("m-1, m-2")).toBeTruthy();
    const row = (await screen.findByText("m-1")).closest("tr");
    expect(
      within(row as HTMLElement)
        .getAllByRole("link")[0]
        ?.getAttribute("href"),
    ).toMatch(/^\/log\?.*channel=.*3.*model=m-1/);
  });

  it.each([
    ["log", "GET /api/log/?", ["channel=3"]],
    ["audit", "GET /api/audit?", ["action=channel", "target=3"]],
  ])("has the %s of that channel alone", async (tab, call, parameters) => {
    const stage = await openConsole(`/channel/3?tab=${tab}&channel=9&target=9`, ANSWERS);
    const asked = () => stage.calls.map((each) => each.call).filter((each) => each.startsWith(call));
    await waitFor(() => expect(asked().length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const parameter of parameters) for (const each of asked()) expect(each).toContain(parameter);
    expect(screen.queryByLabelText("渠道 ID")).toBeNull();
    expect(screen.queryByLabelText("对象")).toBeNull();
  });
});
