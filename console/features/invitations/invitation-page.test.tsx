// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const OWN = {
  invited: 2,
  earned: 70_000,
  gifts: 5,
  commission: 50_000,
  payout: 20_000,
  missing: 0,
  basis_points: 1050,
  is_of_each: true,
  minimum: 100,
};
const ANSWERS = {
  "GET /api/user/aff": "ab c1",
  "GET /api/invitation/self": OWN,
  "GET /api/invitation/self/invited": [{ id: 4, name: "b***", created_time: 100, earned: 70_000 }],
};
const PAYOUT = {
  id: 7,
  user_id: 3,
  username: "carol",
  amount: 20_000,
  state: "asked",
  note: "bank 12",
  created_time: 100,
  decided_time: 0,
  actor_name: "",
  reason: "",
  missing: 0,
};

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

describe("invitations", () => {
  it("show the link, its earnings and the rule", async () => {
    const stage = await openConsole("/invitation", ANSWERS, 1);
    await screen.findByText(/10.5%/);
    expect(screen.getByText(`${window.location.origin}/register?aff=ab%20c1`)).toBeTruthy();
    expect([...document.querySelectorAll("dd")].map(({ textContent }) => textContent)).toEqual([
      "2",
      "5",
      "70,000",
      "50,000",
      "20,000",
    ]);
    await waitFor(() => expect(stage.cells()[0]?.[0]).toBe("b***"));
  });

  it("show the quota to be returned when payments went back after their commission was paid out", async () => {
    const owing = { ...ANSWERS, "GET /api/invitation/self": { ...OWN, commission: 0, missing: 30_000 } };
    await openConsole("/invitation", owing, 1);
    await screen.findByText("带来这些佣金的付款已退回，将从你之后的佣金中扣除。");
    expect([...document.querySelectorAll("dd")].at(-1)?.textContent).toBe("30,000");
  });

  it("turn commission into balance, or request a payout, between the minimum and the available amount", async () => {
    const stage = await openConsole("/invitation", ANSWERS, 1);
    const amount = await screen.findByLabelText("额度");
    for (const unfit of ["99", "50001"]) {
      await stage.person.clear(amount);
      await stage.person.type(amount, unfit);
      expect([button("转入余额").disabled, button("申请提现").disabled]).toEqual([true, true]);
    }
    await stage.person.click(button("全部"));
    await stage.person.click(button("转入余额"));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/invitation/self/transfer")).toEqual({ quota: 50_000 }),
    );
    await waitFor(() => expect(stage.notices.at(-1)?.kind).toBe("success"));
    await stage.person.type(await screen.findByLabelText("额度"), "100");
    await stage.person.type(screen.getByLabelText("收款方式"), "bank 12");
    await stage.person.click(button("申请提现"));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/invitation/self/payout")).toEqual({ quota: 100, note: "bank 12" }),
    );
  });

  it("show the link alone where the server knows no commissions", async () => {
    await openConsole(
      "/invitation",
      { "GET /api/user/aff": "code", "GET /api/invitation/self": new Response("", { status: 404 }) },
      1,
    );
    await screen.findByText(/aff=code/);
    expect(screen.queryByText("可用佣金")).toBeNull();
  });
});

describe("pay-outs", () => {
  it("are marked as paid, or declined with a reason", async () => {
    const stage = await openConsole("/invitation/manage", {
      "GET /api/invitation/payouts": [PAYOUT, { ...PAYOUT, id: 6, state: "paid", actor_name: "root" }],
    });
    await waitFor(() => expect(screen.getAllByRole("button", { name: "已付款" })).toHaveLength(1));
    await stage.person.click(button("拒绝"));
    const reason = screen.getByLabelText("carol 的说明");
    expect(reason.getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByText("拒绝时请填写原因")).toBeTruthy();
    // Enter decides nothing.
    await stage.person.type(reason, "no account{Enter}");
    expect(stage.calls.some(({ call }) => call.startsWith("POST "))).toBe(false);
    await stage.person.click(button("拒绝"));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/invitation/payouts/7/decline")).toEqual({ reason: "no account" }),
    );
  });
});
