// @vitest-environment happy-dom

import { AUDIT_ACTIONS } from "@tollgate/contract/records/audit-record";
import { describe, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { cleanup, screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const LINE = {
  user_id: 1,
  username: "root",
  address: "10.0.0.1",
  beneficiary_id: 0,
  beneficiary: "",
  detail: "{}",
};
const ALICE = { beneficiary_id: 7, beneficiary: "alice" };
const LINES = [
  { ...LINE, ...ALICE, id: 5, created_at: 500, action: "user.update", target: "7", detail: '{"quota":700}' },
  {
    ...LINE,
    id: 4,
    created_at: 400,
    action: "channel.update",
    target: "3",
    detail: '{"status":2,"key":"***"}',
  },
  { ...LINE, ...ALICE, id: 3, created_at: 300, action: "order.refund", target: "ab12" },
  { ...LINE, id: 2, created_at: 200, user_id: 0, username: "", action: "prices.accept", target: "litellm" },
  { ...LINE, id: 1, created_at: 100, action: "vault.open", target: "", detail: "no JSON" },
];

describe("the audit", () => {
  it("shows the action, object, actor, address, affected user and changes", async () => {
    const stage = await openConsole("/audit", { "GET /api/audit": LINES });
    expect(stage.cells()).toEqual([
      [formatTime(500), "修改用户", "root10.0.0.1", "alice", "额度: 700"],
      [formatTime(400), "修改渠道#3", "root10.0.0.1", "", "状态: 2, key: ***"],
      [formatTime(300), "订单退款ab12", "root10.0.0.1", "alice", ""],
      [formatTime(200), "采用价格表litellm", "系统", "", ""],
      [formatTime(100), "vault.open", "root10.0.0.1", "", "no JSON"],
    ]);
    const leadsTo = (name: string) => screen.getAllByRole("link", { name })[0]?.getAttribute("href");
    expect(leadsTo("#3")).toBe("/channel/3");
    expect(leadsTo("ab12")).toBe("/order/ab12");
    expect(leadsTo("alice")).toBe("/user/7");
    expect(leadsTo("root")).toBe("/user/1");
  });

  it("is sorted by the server, over all lines", async () => {
    const stage = await openConsole("/audit?action=user", {
      "GET /api/audit": LINES,
      "GET /api/status": { list_queries: true },
    });
    await stage.person.click(await screen.findByRole("button", { name: "操作者" }));
    await waitFor(() => expect(stage.calls.at(-1)?.call).toMatch(/action=user.*sort=username/));
    expect(stage.router.state.location.searchStr).toContain("sort=username");
    const sortable = [...document.querySelectorAll("thead th button")].map(({ textContent }) => textContent);
    expect(sortable).toEqual(["时间", "操作", "操作者", "相关用户"]);
  });

  it("has a text for every action", async () => {
    const lines = AUDIT_ACTIONS.map((action, index) => ({
      ...LINE,
      id: index + 1,
      created_at: 1000 - index,
      action,
      target: "",
    }));
    const texts: (string | undefined)[] = [];
    // A table of more rows has only the visible ones in the document.
    for (let from = 0; from < lines.length; from += 50) {
      const part = lines.slice(from, from + 50);
      const stage = await openConsole("/audit?size=100", { "GET /api/audit": part });
      texts.push(...stage.cells().map((cells) => cells[1]));
      cleanup();
    }
    expect(texts).toHaveLength(AUDIT_ACTIONS.length);
    expect(texts.filter((text) => !text || /[.]/.test(text))).toEqual([]);
    expect(new Set(texts).size).toBe(AUDIT_ACTIONS.length);
  });

  it("is narrowed by the address, by typed text and by choices", async () => {
    const stage = await openConsole("/audit?action=channel&target=3&to=2026-07-31", {});
    const asked = () => stage.calls.map(({ call }) => call).filter((call) => call.includes("/api/audit"));
    await waitFor(() => expect(asked()[0]).toMatch(/action=channel&target=3/));
    const end = new Date(2026, 6, 31, 23, 59, 59).getTime() / 1000;
    expect(asked()[0]).toContain(`end_timestamp=${end}`);
    await stage.person.type(screen.getByLabelText("操作者"), "boss{Enter}");
    await waitFor(() => expect(asked().at(-1)).toMatch(/action=channel.*username=boss/));
    await stage.person.click(screen.getByRole("button", { name: "清除" }));
    await waitFor(() => expect(asked().at(-1)).not.toMatch(/boss|channel/));
    expect(screen.getByText("暂无记录")).toBeTruthy();
  });
});
