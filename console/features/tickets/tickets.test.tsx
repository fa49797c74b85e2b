// @vitest-environment happy-dom

import { MAX_TICKET_TEXT } from "@tollgate/contract/api/tickets";
import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const STATUS = { version: CONTRACT_VERSION, tickets: true, list_queries: true, list_extras: "searches" };
const TICKET = {
  ...{ id: 7, user_id: 5, username: "carol", subject: "扣费有误", category: "billing" },
  ...{ state: "waiting-for-customer", request_id: "request-1", assignee_id: 0, assignee_name: "" },
  ...{ message_count: 2, created_time: 100, changed_time: 200 },
};
const entry = (id: number, more: object) => ({
  ...{
    id,
    kind: "message",
    side: "customer",
    author_id: 5,
    author_name: "carol",
    text: "",
    created_time: 100,
  },
  ...more,
});
const PAGE = {
  ...{ ...TICKET, closes_time: 700_000 },
  entries: [
    entry(1, { text: "扣了两次 <img src=x>" }),
    entry(2, { side: "support", author_id: 9, author_name: "root", text: "请附上请求" }),
    entry(3, { kind: "note", side: "support", author_id: 9, author_name: "root", text: "see the log" }),
    entry(4, { kind: "closed", side: "gateway", author_id: 0, author_name: "" }),
  ],
};
const ANSWERS = {
  "GET /api/status": STATUS,
  "GET /api/ticket/self": [TICKET],
  "GET /api/ticket/self/7": PAGE,
  "GET /api/ticket": [TICKET],
  "GET /api/ticket/7": PAGE,
  "POST /api/ticket/self": { ...TICKET, state: "waiting-for-support" },
  "POST /api/ticket/self/7/messages": TICKET,
  "POST /api/ticket/7/messages": TICKET,
  "POST /api/ticket/7/assign": TICKET,
};

const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>("button", { name });
const message = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: /回复|添加备注/ });

describe("a new ticket", () => {
  it("carries the request of the address, and leads to its conversation", async () => {
    const stage = await openConsole("/ticket/add?request=request-1", ANSWERS, 1);
    const field = await screen.findByLabelText<HTMLInputElement>(/请求 ID/);
    expect(field.value).toBe("request-1");
    await stage.person.type(screen.getByLabelText(/^标题/), "扣费有误");
    await stage.person.type(screen.getByLabelText(/^内容/), "扣了两次");
    await stage.person.click(await button("提交"));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/ticket/self")).toEqual({
        ...{ subject: "扣费有误", category: "requests", text: "扣了两次", request_id: "request-1" },
      }),
    );
    await screen.findByRole("list", { name: "对话" });
  });

  it("shows a refused request at its field", async () => {
    const answer = { success: false, message: "找不到回执", field: "request_id" };
    const stage = await openConsole(
      "/ticket/add",
      { ...ANSWERS, "POST /api/ticket/self": () => Response.json(answer) },
      1,
    );
    await stage.person.type(await screen.findByLabelText(/^标题/), "a");
    await stage.person.type(screen.getByLabelText(/^内容/), "b");
    await stage.person.type(screen.getByLabelText(/请求 ID/), "c");
    await stage.person.click(await button("提交"));
    await waitFor(() => expect(screen.getByLabelText(/请求 ID/).getAttribute("aria-invalid")).toBe("true"));
  });
});

describe("the page of an own ticket", () => {
  it("shows texts as they are, and sends a reply", async () => {
    const stage = await openConsole("/ticket/7", ANSWERS, 1);
    const list = await screen.findByRole("list", { name: "对话" });
    within(list).getByText("扣了两次 <img src=x>");
    within(list).getByText(/长时间没有回复/);
    expect(list.querySelector("img")).toBeNull();
    expect(screen.queryByText("root")).toBeNull();
    await stage.person.click(await button("发送"));
    expect(stage.calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
    await stage.person.type(await message(), "request-1");
    await stage.person.click(await button("发送"));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/ticket/self/7/messages")).toEqual({ text: "request-1" }),
    );
    await waitFor(async () => expect((await message()).value).toBe(""));
  });

  it("keeps a refused reply, and sends none that is too long", async () => {
    const refuse = () => Response.json({ success: false, message: "每天最多发送 30 条消息" });
    const stage = await openConsole(
      "/ticket/7",
      { ...ANSWERS, "POST /api/ticket/self/7/messages": refuse },
      1,
    );
    await stage.person.click(await message());
    await stage.person.paste("x".repeat(MAX_TICKET_TEXT + 1));
    await stage.person.click(await button("发送"));
    await screen.findByText("最多 5000 个字符");
    await stage.person.clear(await message());
    await stage.person.type(await message(), "hello");
    await stage.person.click(await button("发送"));
    await waitFor(() => expect(JSON.stringify(stage.notices)).toContain("每天最多发送 30 条消息"));
    expect((await message()).value).toBe("hello");
  });
});

describe("the page of any ticket", () => {
  it("answers, adds a note, and takes the ticket", async () => {
    const stage = await openConsole("/ticket/manage/7", ANSWERS);
    await screen.findByText("see the log");
    expect(screen.getByRole("link", { name: "carol" }).getAttribute("href")).toBe("/user/5");
    expect(screen.getByRole("link", { name: "查看回执" }).getAttribute("href")).toBe(
      "/log/receipt/request-1",
    );
    await stage.person.type(await message(), "done");
    await stage.person.click(await button("回复用户"));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/ticket/7/messages")).toEqual({ text: "done", is_note: false }),
    );
    const field = await message();
    await waitFor(() => expect(field.value).toBe(""));
    await stage.person.click(screen.getByRole("switch", { name: /内部备注/ }));
    await stage.person.type(field, "asked twice");
    await stage.person.click(await button("添加备注"));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/ticket/7/messages")).toEqual({ text: "asked twice", is_note: true }),
    );
    await stage.person.click(await button("领取"));
    await waitFor(() => expect(stage.bodyOf("POST /api/ticket/7/assign")).toEqual({ is_mine: true }));
  });
});

describe("the lists", () => {
  it("lead to conversations, and are filtered by the server", async () => {
    const stage = await openConsole("/ticket/manage?state=waiting-for-support&assignee_id=0", ANSWERS);
    const link = await screen.findByRole("link", { name: "扣费有误" });
    expect(link.getAttribute("href")).toBe("/ticket/manage/7");
    const asked = stage.calls.map(({ call }) => call).filter((call) => call.startsWith("GET /api/ticket?"));
    expect(asked.at(-1)).toMatch(/state=waiting-for-support.*assignee_id=0/);
  });

  it("are not in the menu of a site without tickets", async () => {
    await openConsole("/about", { "GET /api/status": { ...STATUS, tickets: false } }, 1);
    expect(screen.queryByRole("link", { name: "工单" })).toBeNull();
  });
});
