// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { fireEvent, screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const sum = (more: Record<string, number> = {}) => ({
  requests: 10,
  revenue: 1000,
  cost_thousandths: 600_500,
  profit_thousandths: 199_500,
  unknown_requests: 2,
  unknown_revenue: 200,
  ...more,
});

const REPORT = {
  total: sum({ requests: 12, revenue: 1100, cost_thousandths: 900_500, unknown_requests: 2 }),
  rows: [
    { key: "1", name: "one", ...sum() },
    {
      key: "2",
      name: "two",
      ...sum({
        requests: 1,
        revenue: 100,
        cost_thousandths: 300_000,
        unknown_requests: 0,
        unknown_revenue: 0,
      }),
    },
    {
      key: "3",
      name: "",
      ...sum({ requests: 1, revenue: 0, cost_thousandths: 0, unknown_requests: 1, unknown_revenue: 0 }),
    },
  ],
};

const open = (answers: Record<string, unknown> = {}, role = 100) =>
  openConsole("/profit", { "GET /api/profit": REPORT, "GET /api/profit/losses": [], ...answers }, role);

describe("profit", () => {
  it("is shown by channel, with the unknown part in its own column and the total below", async () => {
    const stage = await open();
    await screen.findByText("one");
    // The chart has a table, too.
    expect(stage.cells().filter((row) => row.length > 2)).toEqual([
      ["one", "10", "1000", "600.5", "199.5", "24.9%", "20.0%"],
      ["two", "1", "100", "300", "-200", "−200.0%", "–"],
      ["#3", "1", "0", "未知", "未知", "–", "100.0%"],
      ["合计", "12", "1100", "900.5", "-0.5", "−<0.1%", "18.2%"],
    ]);
    const asked = stage.calls.map(({ call }) => call).find((call) => call.includes("by=channel"));
    expect(asked).toContain("order=revenue&direction=desc");
  });

  it("shows the cost of attempts that ended, also where nothing was charged", async () => {
    const ended = {
      requests: 0,
      revenue: 0,
      cost_thousandths: 9000,
      profit_thousandths: -9000,
      unknown_requests: 0,
      unknown_revenue: 0,
    };
    const stage = await open({
      "GET /api/profit": { total: ended, rows: [{ key: "1", name: "one", ...ended }] },
    });
    await screen.findByText("one");
    expect(stage.cells().filter((row) => row.length > 2)).toEqual([
      ["one", "0", "0", "9", "-9", "–", "–"],
      ["合计", "0", "0", "9", "-9", "–", "–"],
    ]);
    const numbers = within(screen.getByRole("region", { name: "合计" }));
    expect(numbers.getByText("-9")).toBeTruthy();
    expect(numbers.queryByText("未知")).toBeNull();
  });

  it("narrows to a clicked row, and lists its parts", async () => {
    const stage = await open();
    fireEvent.click(await screen.findByRole("button", { name: "查看 one 的明细" }));
    await waitFor(() =>
      expect(stage.calls.some(({ call }) => call.includes("by=model") && call.includes("channel=1"))).toBe(
        true,
      ),
    );
    fireEvent.click(await screen.findByRole("button", { name: /移除筛选/ }));
    await waitFor(() => expect(screen.queryByRole("button", { name: /移除筛选/ })).toBeNull());
  });

  it("leads from a row to its record, and to its requests within the range and the filters", async () => {
    await openConsole(
      "/profit?range=own&from=2026-01-01&to=2026-01-31 12:00:00&model=m",
      { "GET /api/profit": REPORT, "GET /api/profit/losses": [] },
      100,
    );
    const name = await screen.findByRole("link", { name: "one" });
    expect(name.getAttribute("href")).toBe("/channel/1");
    const lines = screen.getByRole("link", { name: "10" }).getAttribute("href") ?? "";
    expect(Object.fromEntries(new URLSearchParams(lines.split("?")[1]))).toEqual({
      type: "2",
      from: "2026-01-01 00:00:00",
      to: "2026-01-31 12:00:00",
      model: "m",
      channel: "1",
    });
  });

  it("is put in order by the server", async () => {
    const stage = await open();
    await screen.findByText("one");
    stage.sortBy("利润率");
    await waitFor(() =>
      expect(
        stage.calls.some(({ call }) => call.includes("order=margin") && call.includes("direction=asc")),
      ).toBe(true),
    );
  });

  it("compares yesterday with the day before, in colour only where more is good or bad news", async () => {
    const of = (more: Record<string, number>) => ({ total: sum({ requests: 100, ...more }), rows: [] });
    const midnight = new Date();
    midnight.setHours(0, 0, 0, 0);
    const yesterdayEnds = midnight.getTime() / 1000 - 1;
    const stage = await open({
      "GET /api/profit": (_: unknown, call: string) =>
        call.includes(`end_timestamp=${yesterdayEnds}`) ? of({ revenue: 2000 }) : of({}),
    });
    await stage.person.click(await screen.findByRole("radio", { name: "昨天" }));
    const numbers = within(screen.getByRole("region", { name: "合计" }));
    // 2000 of revenue beside 1000; profit covers the revenue with a known cost: 1800 - 600.5 beside 800 - 600.5.
    const [revenue, profit] = [await numbers.findByText("100.0%"), await numbers.findByText("501.3%")];
    expect(revenue.className).not.toMatch(/text-(red|green)/);
    expect(revenue.title).toBe("上一段同样长的时间：1000");
    expect(profit.className).toContain("text-green");
    expect(stage.calls.map(({ call }) => call)).toContainEqual(
      expect.stringMatching(new RegExp(`end_timestamp=${yesterdayEnds - 86_400}&by=none`)),
    );
  });

  it("names models sold below cost now", async () => {
    await open({
      "GET /api/profit/losses": [
        { channel: 7, channel_name: "dear", model: "gpt-5", group: "vip", margin: -0.25 },
      ],
    });
    expect(await screen.findByText("按当前价格亏本出售：1 项")).toBeTruthy();
    expect(screen.getByRole("link", { name: "dear" }).getAttribute("href")).toBe("/channel/buying/7");
  });

  it("is for administrators alone", async () => {
    const stage = await open({}, 1);
    expect(await screen.findByText("只有管理员可以查看利润")).toBeTruthy();
    expect(stage.calls.some(({ call }) => call.includes("/api/profit"))).toBe(false);
  });
});
