// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const RECEIPT = {
  ...{ request_id: "r-1", created_at: 100, username: "alice", user_id: 7, token_id: 3, token_name: "laptop" },
  ...{ model_name: "gpt-4", upstream_model: "gpt-4", is_stream: false, end: "complete", duration_ms: 20 },
  ...{ prompt_tokens: 10, completion_tokens: 5, prompt_source: "upstream", completion_source: "upstream" },
  ...{ quota: 500, shortfall: 0, price_version: 1, formula: "", has_body: false, attempts: [] },
};
const REFUND = { quota: 400, created_at: 200, reason: "答非所问", actor_name: "root" };

const open = (receipt: object, role = 10) =>
  openConsole(
    "/log/receipt/r-1",
    {
      [role >= 10 ? "GET /api/log/receipt" : "GET /api/log/self/receipt"]: receipt,
      "POST /api/log/receipt/refund": REFUND,
    },
    role,
  );

describe("the charge on a receipt", () => {
  const SHOWN = { display_currency: "CNY", display_symbol: "¥", display_rate: 7.2 };

  it("is also shown at the rate of its day, where today's is another", async () => {
    localStorage.setItem("display_in_currency", "true");
    await open({ ...RECEIPT, quota: 500_000, ...SHOWN });
    expect(await screen.findByText(/1 美元 = ¥7.2 CNY.*¥7.20$/)).toBeTruthy();
  });

  it("has no other rate where the site has none", async () => {
    localStorage.setItem("display_in_currency", "true");
    await open({ ...RECEIPT, quota: 500_000, display_currency: "USD", display_symbol: "$", display_rate: 1 });
    await screen.findAllByText("gpt-4");
    expect(screen.queryByText(/1 美元 = /)).toBeNull();
  });
});

describe("the refund on a receipt", () => {
  it("is asked for with an amount up to the charge, and a reason", async () => {
    const { person, calls } = await open(RECEIPT);
    await person.click(screen.getByRole("button", { name: "退款" }));
    const dialog = within(await screen.findByRole("dialog"));
    const amount = dialog.getByLabelText("退款金额");
    expect((amount as HTMLInputElement).value).toBe("500");
    await person.clear(amount);
    await person.type(amount, "501");
    await person.click(dialog.getByRole("button", { name: "退款" }));
    expect(dialog.getByText("请填写原因")).toBeTruthy();
    await person.type(dialog.getByLabelText("原因", { exact: false }), " 答非所问 ");
    await person.click(dialog.getByRole("button", { name: "退款" }));
    const sent = () => calls.filter(({ call }) => call.startsWith("POST /api/log/receipt/refund"));
    expect(sent()).toEqual([]);
    await person.clear(amount);
    await person.type(amount, "400");
    await person.click(dialog.getByRole("button", { name: "退款" }));
    await waitFor(() =>
      expect(sent().map(({ body }) => body)).toEqual([{ request_id: "r-1", quota: 400, reason: "答非所问" }]),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it.each([
    ["an administrator, with the one who made it", 10, REFUND, `root · ${formatTime(200)}`],
    ["the owner, without", 1, { ...REFUND, actor_name: undefined }, formatTime(200)],
  ])("is shown to %s", async (_, role, refund, said) => {
    await open({ ...RECEIPT, refund }, role);
    expect(await screen.findByText("已退款")).toBeTruthy();
    expect(screen.getByText("答非所问")).toBeTruthy();
    expect(screen.getByText(said)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "退款" })).toBeNull();
  });

  it.each([
    ["its owner", { ...RECEIPT }, 1],
    ["requests without a charge", { ...RECEIPT, quota: 0 }, 100],
    ["an administrator's own requests", { ...RECEIPT, user_id: 1 }, 10],
  ])("is not offered to %s", async (_, receipt, role) => {
    await open(receipt, role);
    await screen.findAllByText("gpt-4");
    expect(screen.queryByRole("button", { name: "退款" })).toBeNull();
  });
});
