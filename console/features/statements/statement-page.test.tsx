// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";
import { statementParameters } from "./statement-query";
import { lastMonths, monthAfter, offsetAtBegin, readStatementSearch } from "./statement-search";

const STATEMENT = {
  user_id: 2,
  username: "alice",
  month: "2026-07",
  offset_minutes: 0,
  from: 1_782_864_000,
  end: 1_785_542_400,
  opening: 1_000_000,
  closing: 1_499_958,
  is_partial: false,
  movements: [{ cause: "payment", entries: 2, quota: 500_000 }],
  charged: 42,
  models: [{ key: "gpt-4", name: "gpt-4", requests: 3, quota: 42 }],
  tokens: [{ key: "7", name: "", requests: 3, quota: 42 }],
};

const linesOf = (name: string) =>
  [...screen.getByRole("region", { name }).querySelectorAll("tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );

describe("a month's statement", () => {
  it("goes from the beginning to the end, to the unit, and tells charges by model and key", async () => {
    await openConsole("/statement?month=2026-07", { "GET /api/statement/self": STATEMENT }, 1);
    await screen.findByRole("region", { name: "余额" });
    expect(linesOf("余额")).toEqual([
      ["期初余额", "", "1,000,000"],
      ["支付", "2 次", "+500,000"],
      ["请求费用", "3 次", "−42"],
      ["期末余额", "", "1,499,958"],
    ]);
    expect(linesOf("按模型统计的费用")).toEqual([
      ["gpt-4", "3 次", "42"],
      ["合计", "", "42"],
    ]);
    expect(linesOf("按令牌统计的费用")[0]).toEqual(["#7", "3 次", "42"]);
    expect(screen.queryByLabelText("用户名")).toBeNull();
  });

  it("is in the currency and at the rate of its month, which it explains", async () => {
    localStorage.setItem("display_in_currency", "true");
    localStorage.setItem("display_currency", "EUR € 0.9");
    const yuan = { ...STATEMENT, display_currency: "CNY", display_symbol: "¥", display_rate: 7.2 };
    await openConsole("/statement?month=2026-07", { "GET /api/statement/self": yuan }, 1);
    await screen.findByRole("region", { name: "余额" });
    expect(linesOf("余额").map((line) => line.at(-1))).toEqual([
      "¥14.4000000",
      "+¥7.2000000",
      "−¥0.0006048",
      "¥21.5993952",
    ]);
    expect(screen.getByText("1 美元 = 500,000 点额度 = ¥7.2（CNY）")).toBeTruthy();
  });

  it("says that a figure is unknown, instead of a number", async () => {
    const unknown = { ...STATEMENT, opening: null, closing: null, movements: [] };
    await openConsole("/statement?month=2026-07", { "GET /api/statement": unknown });
    const balance = within(await screen.findByRole("region", { name: "余额" }));
    expect(balance.getAllByText("未知")).toHaveLength(2);
    expect(screen.getByText(/余额未知/)).toBeTruthy();
  });

  it("is asked for by month and user, and prints", async () => {
    const print = vi.fn();
    vi.stubGlobal("print", print);
    const stage = await openConsole("/statement?month=2026-07", { "GET /api/statement": STATEMENT });
    await stage.person.type(await screen.findByLabelText("用户名"), "alice{Enter}");
    await stage.person.click(screen.getByRole("button", { name: "上一月" }));
    const asked = () => stage.calls.map(({ call }) => call).filter((call) => call.includes("/api/statement"));
    await waitFor(() => expect(asked().at(-1)).toMatch(/month=2026-06.*username=alice/));
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>("button", { name: "打印" }).disabled).toBe(false),
    );
    await stage.person.click(screen.getByRole("button", { name: "打印" }));
    await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  });

  it("is one of the last two years, or the one that is chosen", () => {
    expect(lastMonths("2026-07", "2026-11").slice(0, 3)).toEqual(["2026-11", "2026-10", "2026-09"]);
    expect(lastMonths("2026-07", "2026-11")).toHaveLength(24);
    expect(lastMonths("2019-03", "2026-11").at(-1)).toBe("2019-03");
    expect(lastMonths("2027-01", "2026-11")[0]).toBe("2027-01");
  });

  it("removes an invalid month from the address", () => {
    expect(readStatementSearch({ month: "2026-13", username: "" })).toEqual({});
    expect([monthAfter("2026-01", -1), monthAfter("2026-12", 1)]).toEqual(["2025-12", "2027-01"]);
    expect(Number.isInteger(offsetAtBegin("2026-07"))).toBe(true);
  });

  // A thread cannot set its time zone, and the mutants' tests run in one.
  it.skipIf("TEST_PATIENCE_MS" in import.meta.env).each([
    ["Europe/Berlin", "2026-03", 60, 120],
    ["Europe/Berlin", "2026-10", 120, 60],
    ["America/Santiago", "2026-04", -180, -240],
    ["Asia/Shanghai", "2026-03", 480, 480],
  ])("is asked for with the clock of %s when %s begins and when it ends", (zone, month, begin, end) => {
    vi.stubEnv("TZ", zone);
    try {
      expect(statementParameters(month, {}, false)).toEqual({
        month,
        offset_minutes: begin,
        end_offset_minutes: end,
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
