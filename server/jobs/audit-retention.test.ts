import { expect, it } from "vitest";
import { forgettingAudit } from "./audit-retention";

const NOW = 1000 * 86_400;

const run = async (days: number, old: number, isStopped = false) => {
  const asked: [before: number, limit: number][] = [];
  let left = old;
  const job = forgettingAudit({
    write: {
      async removeBefore(before, limit) {
        asked.push([before, limit]);
        const removed = Math.min(left, limit);
        left -= removed;
        return removed;
      },
    },
    options: { number: (key) => (key === "AuditRetentionDays" ? days : 1) },
    now: () => NOW,
  });
  await job.run(() => isStopped);
  return { left, asked };
};

it("deletes lines older than so many days, step by step", async () => {
  const { left, asked } = await run(30, 1200);
  expect(left).toBe(0);
  expect(asked).toHaveLength(3);
  expect(asked[0]?.[0]).toBe(NOW - 30 * 86_400);
});

it("keeps all lines at 0, and stops between two steps", async () => {
  expect(await run(0, 5)).toEqual({ left: 5, asked: [] });
  expect(await run(30, 5, true)).toEqual({ left: 5, asked: [] });
});
