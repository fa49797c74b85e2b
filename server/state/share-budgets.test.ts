import type { HourBudget } from "@tollgate/contract/records/budget-window";
import type { BudgetUse } from "@tollgate/relay/limits/budget-book";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BudgetSources, startSharingBudgets } from "./share-budgets";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const window = { startMs: 0, endMs: 1, before: 0, own: 5 };
const USE: BudgetUse = {
  scope: "user",
  id: 1,
  spent: [
    { ...window, period: "day" },
    { ...window, period: "month" },
  ],
};

const setUp = (exchange?: BudgetSources["exchange"]) => {
  const met: BudgetUse[][] = [];
  const closed: HourBudget[] = [];
  const findWindows = vi.fn<BudgetSources["findWindows"]>(async () => {});
  const budgets = {
    closedWindows: () => closed,
    share: vi.fn<() => void>(),
    takeMet: vi.fn<() => BudgetUse[]>(() => met.shift() ?? []),
    learn: vi.fn<BudgetSources["budgets"]["learn"]>(),
    putBack: vi.fn<BudgetSources["budgets"]["putBack"]>((uses) => {
      met.unshift([...uses] as BudgetUse[]);
    }),
  };
  const readSpent = vi.fn<() => Promise<void>>(async () => {});
  const reportError = vi.fn<(error: Error) => void>();
  const stop = startSharingBudgets({ budgets, findWindows, readSpent, exchange, reportError });
  return { met, closed, findWindows, budgets, readSpent, reportError, stop };
};

describe("budgets of several nodes", () => {
  it("are told a quarter of a second after a request met them, and nothing while none does", async () => {
    const exchange = vi.fn(async () => [[9, 90]]);
    const { met, budgets, readSpent } = setUp(exchange);
    expect(budgets.share).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(exchange).not.toHaveBeenCalled();
    expect(readSpent).not.toHaveBeenCalled();
    met.push([USE]);
    await vi.advanceTimersByTimeAsync(250);
    expect(exchange).toHaveBeenCalledWith([USE]);
    expect(budgets.learn).toHaveBeenCalledWith(USE, [9, 90]);
  });

  it("are read from storage every five seconds without other nodes' reports, and every minute with them", async () => {
    for (const [exchange, times] of [
      [undefined, 24],
      [async () => [[9, 90]], 2],
    ] as const) {
      const { met, readSpent, stop } = setUp(exchange);
      for (let i = 0; i < 1000; i += 1) met.push([USE]);
      await vi.advanceTimersByTimeAsync(120_500);
      expect(readSpent.mock.calls.length).toBeGreaterThanOrEqual(times - 2);
      expect(readSpent.mock.calls.length).toBeLessThanOrEqual(times);
      await stop();
    }
  });

  it("that cannot be told are told again, and read from storage meanwhile", async () => {
    const exchange = vi.fn(async (): Promise<number[][]> => {
      throw new Error("gone");
    });
    const { met, budgets, readSpent } = setUp(exchange);
    met.push([USE]);
    await vi.advanceTimersByTimeAsync(5500);
    expect(exchange.mock.calls.length).toBeGreaterThan(15);
    expect(readSpent).toHaveBeenCalledTimes(1);
    expect(budgets.learn).not.toHaveBeenCalled();
    exchange.mockResolvedValue([[9, 90]]);
    await vi.advanceTimersByTimeAsync(500);
    expect(budgets.learn).toHaveBeenCalledTimes(1);
  });

  it("are read less often where that takes long, and one after another", async () => {
    const { met, readSpent, reportError, stop } = setUp();
    for (let i = 0; i < 1000; i += 1) met.push([USE]);
    readSpent.mockImplementation(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readSpent.mock.calls.length).toBeLessThanOrEqual(3);
    expect(readSpent.mock.calls.length).toBeGreaterThanOrEqual(2);
    await stop();
    expect(reportError).not.toHaveBeenCalled();
  });

  it("that cannot be read are told once, and once more after storage had answered", async () => {
    const { met, readSpent, reportError } = setUp();
    for (let i = 0; i < 1000; i += 1) met.push([USE]);
    readSpent.mockRejectedValue(new Error("storage is gone"));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reportError).toHaveBeenCalledTimes(1);
    readSpent.mockResolvedValue();
    await vi.advanceTimersByTimeAsync(6000);
    readSpent.mockRejectedValue(new Error("storage is gone"));
    await vi.advanceTimersByTimeAsync(12_000);
    expect(reportError).toHaveBeenCalledTimes(2);
  });

  it("are told in the windows that other nodes have opened, even if storage cannot name them", async () => {
    const exchange = vi.fn(async () => [[9]]);
    const { met, closed, findWindows } = setUp(exchange);
    closed.push({ scope: "user", subject: "1", hours: 5 });
    met.push([USE]);
    await vi.advanceTimersByTimeAsync(250);
    expect(findWindows).toHaveBeenCalledWith(closed);
    expect(exchange).toHaveBeenCalledTimes(1);
    findWindows.mockRejectedValue(new Error("storage is gone"));
    met.push([USE]);
    await vi.advanceTimersByTimeAsync(250);
    expect(exchange).toHaveBeenCalledTimes(2);
  });

  it("are told once more at the end", async () => {
    const exchange = vi.fn(async () => [[9, 90]]);
    const { met, stop } = setUp(exchange);
    met.push([USE]);
    await stop();
    expect(exchange).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(exchange).toHaveBeenCalledTimes(1);
  });
});
