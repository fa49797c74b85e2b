// @vitest-environment happy-dom

import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const STATUS = { version: CONTRACT_VERSION, payments: true, invoices: true, list_queries: true };
const TITLE = {
  ...{ id: 3, kind: "company", name: "云岭数据", tax_number: "91330106MA2CFLDG4R", email: "a@b.cn" },
  ...{ address: "", phone: "", bank: "", account: "", is_default: true },
};
const INVOICE = {
  ...{ id: 7, user_id: 5, username: "carol", state: "open", is_special: false, title_kind: "company" },
  ...{ title_name: "云岭数据", tax_number: "91330106MA2CFLDG4R", email: "", address: "", phone: "" },
  ...{
    bank: "",
    account: "",
    amount: 1460,
    currency: "CNY",
    orders: [{ number: "a".repeat(32), amount: 1460 }],
  },
  ...{ note: "", number: "", link: "", file_type: "", file_size: 0, needs_reversal: false },
  ...{ created_time: 100, decided_time: 0, decided_name: "", reason: "" },
  ...{ reversed_time: 0, reversed_name: "", reversed_reason: "" },
};
const ORDERS = [
  { number: "a".repeat(32), amount: 730, currency: "CNY", paid_time: 100 },
  { number: "b".repeat(32), amount: 730, currency: "CNY", paid_time: 90 },
  { number: "c".repeat(32), amount: 500, currency: "USD", paid_time: 80 },
];
const OWN = {
  "GET /api/status": STATUS,
  "GET /api/invoice/self": [],
  "GET /api/invoice/titles": [TITLE],
  "GET /api/invoice/orders": ORDERS,
};

const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>("button", { name });

describe("a user's invoices", () => {
  it("are applied for over orders of one currency, with the sum on the button", async () => {
    const stage = await openConsole("/invoice", OWN, 1);
    const [open] = await screen.findAllByRole("button", { name: "申请发票" });
    if (open) await stage.person.click(open);
    const window = await screen.findByRole("dialog");
    const boxes = await within(window).findAllByRole<HTMLInputElement>("checkbox");
    for (const box of boxes.slice(0, 2)) await stage.person.click(box);
    expect(boxes.map(({ disabled }) => disabled)).toEqual([false, false, true]);
    await stage.person.click(await button("申请发票：¥14.60"));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/invoice/self")).toEqual({
        ...{ title_id: 3, orders: ORDERS.slice(0, 2).map(({ number }) => number) },
        ...{ is_special: false, note: "" },
      }),
    );
  });

  it("open the window with the orders of the address", async () => {
    await openConsole(`/invoice?order=${ORDERS[1]?.number}`, OWN, 1);
    await button("申请发票：¥7.30");
  });

  it("show a wrong tax number at its field", async () => {
    const message = "税号有误";
    const stage = await openConsole(
      "/invoice",
      {
        ...OWN,
        "POST /api/invoice/titles": () => Response.json({ success: false, message, field: "tax_number" }),
      },
      1,
    );
    await stage.person.click(await button("添加抬头"));
    await stage.person.type(await screen.findByLabelText(/抬头名称/), "云岭");
    await stage.person.type(screen.getByLabelText(/^税号/), "123");
    await stage.person.click(await button("保存"));
    const field = screen.getByLabelText(/^税号/);
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByText(message)).toBeTruthy();
  });
});

describe("all invoices", () => {
  it("are issued with the shown amount, or declined with a reason", async () => {
    const stage = await openConsole("/invoice/manage", {
      "GET /api/status": STATUS,
      "GET /api/invoice": [INVOICE],
    });
    await stage.person.click(await button(/^开具/));
    await stage.person.type(await screen.findByLabelText("发票号码"), "2611");
    const window = screen.getByRole("dialog");
    await stage.person.click(within(window).getByRole("button", { name: "开具" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/invoice/7/issue")).toEqual({
        ...{ amount: 1460, number: "2611", link: "", file: "" },
      }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await stage.person.click(await button(/^拒绝/));
    await stage.person.type(await screen.findByLabelText(/原因/), "wrong title");
    await stage.person.click(within(screen.getByRole("dialog")).getByRole("button", { name: "拒绝" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/invoice/7/decline")).toEqual({ reason: "wrong title" }),
    );
  });

  it("say which one has to be reversed", async () => {
    await openConsole("/invoice/manage", {
      "GET /api/status": STATUS,
      "GET /api/invoice": [{ ...INVOICE, state: "issued", needs_reversal: true }],
    });
    expect((await screen.findAllByText("需要红冲")).length).toBeGreaterThan(0);
    await button(/^红冲/);
  });
});
