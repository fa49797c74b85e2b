import type { BudgetWindow, HourBudget } from "@tollgate/contract/records/budget-window";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBudgetWindows } from "./budget-windows";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;
const budgetOf = (id: number): HourBudget => ({ scope: "key", subject: String(id), hours: 5 });

const setUp = () => {
  const stored = new Map<string, BudgetWindow>();
  const adopted: [string, number][] = [];
  const write = {
    budgetWindows: {
      open: vi.fn(async (window: BudgetWindow) => {
        const known = stored.get(window.subject) ?? window;
        stored.set(window.subject, known);
        return known;
      }),
    },
  };
  const read = {
    budgetWindows: {
      find: vi.fn(async (budgets: readonly HourBudget[]) =>
        budgets.flatMap(({ subject }) => stored.get(subject) ?? []),
      ),
    },
  };
  const reportError = vi.fn<(error: Error) => void>();
  const budgets = {
    openWindow: ({ subject }: HourBudget, startMs: number) => adopted.push([subject, startMs]),
  };
  const windows = createBudgetWindows({ budgets, read, write, reportError });
  return { stored, adopted, write, read, reportError, windows };
};

it("stores a window that a charge opens, and takes over one that was stored before", async () => {
  const { windows, stored, adopted } = setUp();
  stored.set("2", { ...budgetOf(2), started: 3600 });
  windows.opened(budgetOf(1), 2 * HOUR_MS);
  windows.opened(budgetOf(2), 2 * HOUR_MS);
  await vi.runAllTimersAsync();
  expect(adopted).toEqual([
    ["1", 2 * HOUR_MS],
    ["2", HOUR_MS],
  ]);
});

it("stores it later where the database does not answer, and reports that once", async () => {
  const { windows, stored, write, reportError } = setUp();
  write.budgetWindows.open.mockRejectedValueOnce(new Error("gone")).mockRejectedValueOnce(new Error("gone"));
  windows.opened(budgetOf(1), HOUR_MS);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stored.get("1")).toEqual({ ...budgetOf(1), started: 3600 });
  expect(reportError).toHaveBeenCalledTimes(1);
  await windows.close();
});

it("keeps the windows of others while one key opens as many as it can and the database does not answer", async () => {
  const { windows, stored, write } = setUp();
  write.budgetWindows.open.mockRejectedValueOnce(new Error("gone"));
  windows.opened(budgetOf(1), HOUR_MS);
  for (let hours = 1; hours <= 10_001; hours += 1) windows.opened({ ...budgetOf(2), hours }, HOUR_MS);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stored.get("1")).toEqual({ ...budgetOf(1), started: 3600 });
  expect(write.budgetWindows.open.mock.calls.length).toBeLessThan(30);
});

it("looks for exactly the budgets whose windows are closed, up to a thousand at once", async () => {
  const { windows, stored, read, adopted } = setUp();
  stored.set("1", { ...budgetOf(1), started: 3600 });
  const closed = Array.from({ length: 1001 }, (_, id) => budgetOf(id));
  await windows.find(closed);
  expect(adopted).toEqual([["1", HOUR_MS]]);
  expect(read.budgetWindows.find.mock.calls).toEqual([[closed.slice(0, 1000)], [closed.slice(1000)]]);
});
