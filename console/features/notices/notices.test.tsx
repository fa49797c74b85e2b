// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const TARGET = {
  id: 3,
  kind: "gotify",
  name: "值班",
  is_enabled: true,
  language: "en",
  events: ["channel-disabled"],
  fields: { address: "https://gotify.example.com" },
  secrets: ["token"],
};

const SENT = {
  id: 1,
  way_id: 3,
  way_kind: "gotify",
  way_name: "值班",
  event: "channel-disabled",
  phase: "opened",
  subject: "7",
  state: "failed",
  fault: "refused",
  status: 200,
  detail: "93000 invalid <b>",
  attempts: 5,
  created_at: 1_700_000_000,
  tried_at: 1_700_000_100,
};

const answers = {
  "GET /api/notice/way": [TARGET],
  "GET /api/notice/log": [SENT],
  "POST /api/notice/way": { ...TARGET, id: 4 },
  "PUT /api/notice/way/3": TARGET,
  "POST /api/notice/way/3/test": { state: "failed", fault: "unreachable", status: 0, detail: "" },
};

const card = async (name: string) => within(await screen.findByRole("region", { name }));

it("shows root the site's targets and the sent notices, without secrets", async () => {
  await openConsole("/setting?tab=system", answers);
  const targets = await card("事件通知");
  expect(await targets.findByText("值班")).toBeTruthy();
  expect(targets.getByText("渠道被自动禁用及恢复")).toBeTruthy();
  const sent = await card("发送记录");
  expect(await sent.findByText("对方拒绝了：93000 invalid <b>")).toBeTruthy();
  expect(sent.getByText("失败")).toBeTruthy();
});

it("shows an administrator no site notices", async () => {
  const { calls } = await openConsole("/setting?tab=system", answers, 10);
  await screen.findAllByRole("tab");
  expect(screen.queryByRole("region", { name: "发送记录" })).toBeNull();
  expect(calls.filter(({ call }) => call.includes("/notice/"))).toEqual([]);
});

it("tries a target and says why it did not arrive", async () => {
  const { person, notices } = await openConsole("/setting?tab=system", answers);
  await person.click(await screen.findByRole("button", { name: "测试：值班" }));
  await waitFor(() =>
    expect(notices.at(-1)).toMatchObject({
      kind: "error",
      text: "未能通过“值班”发送：无法连接：对方没有及时应答，或不允许访问该地址",
    }),
  );
});

it("edits a target without its secret, which stays", async () => {
  const { person, bodyOf } = await openConsole("/setting?tab=system", answers);
  await person.click(await screen.findByRole("button", { name: "编辑：值班" }));
  const window = within(await screen.findByRole("dialog"));
  const token = window.getByRole("textbox", { name: /^令牌/ }) as HTMLInputElement;
  expect([token.value, token.placeholder]).toEqual(["", "已设置，留空则不变"]);
  await person.click(window.getByRole("checkbox", { name: "充值" }));
  await person.click(window.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(bodyOf("PUT /api/notice/way/3")).toEqual({
      kind: "gotify",
      name: "值班",
      is_enabled: true,
      language: "en",
      events: ["channel-disabled", "top-up"],
      fields: { address: "https://gotify.example.com", token: "" },
    }),
  );
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("adds a target once its required fields are filled in", async () => {
  const { person, bodyOf, calls } = await openConsole("/setting?tab=system", answers);
  await person.click(await screen.findByRole("button", { name: "添加通知方式" }));
  const window = within(await screen.findByRole("dialog"));
  await person.click(window.getByRole("button", { name: "保存" }));
  expect(window.getByText("请填写此项")).toBeTruthy();
  expect(calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
  await person.type(window.getByLabelText(/地址/), " https://example.com/hook ");
  await person.click(window.getByRole("button", { name: "保存" }));
  await waitFor(() =>
    expect(bodyOf("POST /api/notice/way")).toMatchObject({
      kind: "webhook",
      language: "zh-CN",
      fields: { address: "https://example.com/hook", secret: "" },
    }),
  );
});

it("offers each user own targets, with the events about that user", async () => {
  const { person } = await openConsole("/setting", {}, 1);
  const own = await card("通知方式");
  expect(await own.findByText(/尚未设置通知方式/)).toBeTruthy();
  await person.click(own.getByRole("button", { name: "添加通知方式" }));
  const window = within(await screen.findByRole("dialog"));
  expect(window.getAllByRole("checkbox").map((box) => box.closest("label")?.textContent)).toEqual([
    "额度即将用尽",
    "额度已用尽",
    "预算已用一半",
    "预算已用 80%",
    "预算已用尽",
    "超预算额度已用尽",
    "令牌消费异常",
    "令牌因消费异常被停用",
    "令牌使用了新模型",
    "令牌因使用新模型被停用",
    "令牌在新的网络使用",
    "令牌因在新的网络使用被停用",
    "套餐即将到期",
    "套餐已到期",
    "套餐已自动续订",
    "套餐续订失败",
    "充值",
    "付款已退款",
    "退款未到账",
    "发票已开具",
    "发票申请未通过",
    "发票已红冲",
    "工单有新回复",
    "工单已关闭",
  ]);
});

it("says nothing of notices where another server does not know them", async () => {
  const unknown = () => new Response("{}", { status: 404 });
  await openConsole("/setting", { "GET /api/user/notice/way": unknown }, 1);
  await screen.findByRole("link", { name: "更新个人信息" });
  await waitFor(() => expect(screen.queryByRole("region", { name: "通知方式" })).toBeNull());
});

it("sets a user's own threshold, removes it, and refuses an invalid quota", async () => {
  let own: number | null = null;
  const put = (body: unknown) => {
    own = (body as { own: number | null }).own;
    return { own, site: 1000 };
  };
  const { person, bodyOf, calls } = await openConsole(
    "/setting",
    { "GET /api/user/notice/threshold": () => ({ own, site: 1000 }), "PUT /api/user/notice/threshold": put },
    1,
  );
  const field = () => screen.findByLabelText("额度提醒阈值") as Promise<HTMLInputElement>;
  const save = async () => person.click(await screen.findByRole("button", { name: "保存阈值" }));
  await person.type(await field(), "1.5");
  await save();
  expect(screen.getByText("请输入不小于 0 的整数")).toBeTruthy();
  expect(calls.some(({ call }) => call.startsWith("PUT"))).toBe(false);
  await person.clear(await field());
  await person.type(await field(), "5000");
  await save();
  await waitFor(() => expect(bodyOf("PUT /api/user/notice/threshold")).toEqual({ own: 5000 }));
  await person.clear(await field());
  await save();
  await waitFor(() => expect(bodyOf("PUT /api/user/notice/threshold")).toEqual({ own: null }));
});
