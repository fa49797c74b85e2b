// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const ENTRY = {
  user_id: 2,
  username: "alice",
  account: "balance",
  token_id: 0,
  token_name: "",
  reference: "",
  actor_id: 0,
  actor_name: "",
  reason: "",
};
const ENTRIES = [
  { ...ENTRY, id: 4, created_at: 400, amount: 1_234_567, cause: "redeemed", reference: "7/1" },
  { ...ENTRY, id: 3, created_at: 300, amount: -500, cause: "quota-changed", actor_id: 1, actor_name: "root" },
  {
    ...ENTRY,
    id: 2,
    created_at: 200,
    amount: 20,
    cause: "key-created",
    account: "key",
    token_id: 5,
    token_name: "laptop",
  },
  {
    ...ENTRY,
    id: 1,
    created_at: 100,
    amount: 1,
    cause: "of-the-future",
    account: "vault",
    reason: "just so",
  },
];

describe("the ledger", () => {
  it("shows each movement with its sign, to the unit, its cause and who did it", async () => {
    const stage = await openConsole("/ledger", { "GET /api/ledger": ENTRIES });
    expect(stage.cells()).toEqual([
      [formatTime(400), "alice", "兑换码兑换#7", "余额", "系统", "+1,234,567"],
      [formatTime(300), "alice", "管理员调整", "余额", "root", "−500"],
      [formatTime(200), "alice", "创建令牌", "令牌额度 laptop", "系统", "+20"],
      [formatTime(100), "alice", "of-the-futurejust so", "vault", "系统", "+1"],
    ]);
    expect(screen.getByRole("link", { name: "#7" }).getAttribute("href")).toBe("/redemption/edit/7");
  });

  it.each([100, 1])("names the order of a payment and leads to it, for role %i", async (role) => {
    const number = "0123456789abcdef0123456789abcdef";
    const paid = { ...ENTRY, id: 9, created_at: 500, amount: 700, cause: "payment", reference: "12" };
    const entries = [
      { ...paid, order_number: number, plan_fault: "withdrawn" },
      { ...paid, id: 8, cause: "plan-refund", reference: "3/9", order_number: number },
    ];
    const path = role === 1 ? "GET /api/ledger/self" : "GET /api/ledger";
    const stage = await openConsole("/ledger", { [path]: entries }, role);
    const links = screen.getAllByRole("link", { name: "01234567" });
    expect(links.map((link) => link.getAttribute("href"))).toEqual([`/order/${number}`, `/order/${number}`]);
    expect(stage.cells().flat()).toContain(`支付01234567套餐未生效：套餐已下架`);
  });

  it("shows users their own, without who did it", async () => {
    const stage = await openConsole("/ledger", { "GET /api/ledger/self": ENTRIES }, 1);
    expect(stage.cells()[0]).toEqual([formatTime(400), "兑换码兑换#7/1", "余额", "+1,234,567"]);
    expect(screen.queryByLabelText("用户名")).toBeNull();
    expect(screen.queryByRole("link", { name: "#7" })).toBeNull();
  });

  it("is narrowed by the address and by typed text", async () => {
    const stage = await openConsole("/ledger?cause=payment&to=2026-07-31", {});
    const asked = () => stage.calls.map(({ call }) => call).filter((call) => call.includes("/api/ledger"));
    await waitFor(() => expect(asked()[0]).toContain("cause=payment"));
    await stage.person.type(screen.getByLabelText("用户名"), "alice{Enter}");
    await waitFor(() => expect(asked().at(-1)).toMatch(/cause=payment.*username=alice/));
    // An end without a time includes the whole day.
    const end = new Date(2026, 6, 31, 23, 59, 59).getTime() / 1000;
    expect(asked().at(-1)).toContain(`end_timestamp=${end}`);
    await stage.person.click(screen.getByRole("button", { name: "清除" }));
    await waitFor(() => expect(asked().at(-1)).not.toContain("alice"));
  });
});
