// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { fireEvent, screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const ONE = {
  id: 9,
  channel: 3,
  channel_name: "reseller",
  created_at: 1_767_225_600,
  created_by: "root",
  source: "csv",
  first_at: 1_767_225_600,
  last_at: 1_767_311_999,
  threshold_percent: 5,
  unreadable: 2,
  rows: [
    { day: "2026-01-01", model: "gpt-4o", expected: 100_000, billed: 110_000, unknown_requests: 0 },
    { day: "2026-01-01", model: "o3", expected: 0, billed: 5000, unknown_requests: 4 },
    // No difference has no sign.
    { day: "2026-01-02", model: "o4", expected: 100_000, billed: 100_000, unknown_requests: 0 },
  ],
};
const { rows: _rows, threshold_percent: _threshold, unreadable: _unreadable, ...about } = ONE;
const SUMMARY = { ...about, expected: 100_000, billed: 115_000 };

const open = (path = "/reconciliation", role = 100) =>
  openConsole(
    path,
    {
      "GET /api/reconciliation": [SUMMARY],
      "GET /api/reconciliation/9": ONE,
      "GET /api/channel/": [{ id: 3, name: "reseller" }],
      "POST /api/reconciliation": ONE,
      "POST /api/reconciliation/columns": {
        columns: ["created_at", "model_name", "quota"],
        rows: 2,
        sample: [["2026-01-01", "gpt-4o", "110"]],
        preset: "new-api",
      },
    },
    role,
  );

describe("bills beside the expected amounts", () => {
  it("are compared from a file, whose columns are known where they can be", async () => {
    const stage = await open();
    await screen.findByText("reseller");
    const input = await screen.findByLabelText(/账单文件/);
    fireEvent.change(input, { target: { files: [new File(["created_at"], "bill.csv")] } });
    const compare = await screen.findByRole("button", { name: "开始对账" });
    await waitFor(() => expect((compare as HTMLButtonElement).disabled).toBe(false));
    fireEvent.click(compare);
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/reconciliation")).toEqual({
        channel: 3,
        file: btoa("created_at"),
        date: "created_at",
        amount: "quota",
        model: "model_name",
        decimal: ".",
        units_per_usd: 500_000,
        offset_minutes: 0,
        threshold_percent: 5,
      }),
    );
    // The result is shown at its own address.
    await screen.findByText("返回列表");
  });

  it("are shown row by row with the total, and with unreadable rows", async () => {
    const stage = await open("/reconciliation?id=9");
    await screen.findByText("gpt-4o");
    expect(stage.cells()).toEqual([
      ["2026-01-01", "gpt-4o", "100", "110", "+10", "+10.0%", "–"],
      ["2026-01-01", "o3", "0", "5", "+5", "–", "4"],
      ["2026-01-02", "o4", "100", "100", "0", "0.0%", "–"],
      ["合计", "–", "200", "215", "+15", "+7.5%", "4"],
    ]);
    expect(screen.getByText("2 行无法读取，未计入。")).toBeTruthy();
  });

  it("are listed as they were made", async () => {
    const stage = await open();
    fireEvent.click(await screen.findByRole("button", { name: "reseller" }));
    await screen.findByText("gpt-4o");
    expect(stage.router.state.location.search).toMatchObject({ id: "9" });
  });

  it("are for administrators alone", async () => {
    await open("/reconciliation", 1);
    expect(await screen.findByText("只有管理员可以对账")).toBeTruthy();
  });
});
