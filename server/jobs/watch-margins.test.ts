import type { ProfitRow } from "@tollgate/contract/api/profit";
import { describe, expect, it } from "vitest";
import type { Notice } from "../notices/notices";
import { watchingMargins } from "./watch-margins";

const row = (key: string, model: string, more: Partial<ProfitRow>): ProfitRow => ({
  key,
  name: "",
  model,
  requests: 1,
  revenue: 100,
  costedRequests: 1,
  costedRevenue: 100,
  cost: 50_000,
  ...more,
});

const look = async (byHours: Record<number, ProfitRow[]>, open: string[] = []) => {
  const NOW = 1_767_225_600 + 1800;
  const raised: Notice[] = [];
  const resolved: string[] = [];
  const job = watchingMargins({
    profit: {
      report: async ({ filter }) => {
        const rows = byHours[Math.floor((NOW - (filter.startTimestamp ?? 0)) / 3600)] ?? [];
        return { total: row("", "", {}), rows };
      },
    },
    open: async () =>
      open.map((subject) => ({ event: "margin-negative" as const, subject, isResolved: false })),
    notices: {
      raise: (notice) => void raised.push(notice),
      resolve: (_, subject) => void resolved.push(String(subject)),
    },
    channelName: (id) => `channel ${id}`,
    isMine: () => true,
    now: () => NOW,
  });
  await job.run(() => false);
  return { raised, resolved };
};

describe("a model sold below its cost", () => {
  const loss = row("3", "gpt-4o", { cost: 150_500 });

  it("is told with its channel and model, of the last hour as of the last day, the largest loss first", async () => {
    const { raised } = await look({
      1: [loss],
      24: [row("3", "o3", { cost: 900_000 }), row("4", "good", {})],
    });
    expect(raised).toMatchObject([
      { event: "margin-negative", subject: "3 o3" },
      {
        event: "margin-negative",
        subject: "3 gpt-4o",
        params: { id: 3, name: "channel 3", model: "gpt-4o", revenue: 100, cost: 151, margin: "-50.5%" },
      },
    ]);
  });

  it("is told once, and once more when it is over", async () => {
    expect(await look({ 24: [loss] }, ["3 gpt-4o", "5 over"])).toEqual({ raised: [], resolved: ["5 over"] });
  });

  it("is told also where only attempts that ended cost something", async () => {
    const ended = { requests: 0, revenue: 0, costedRequests: 0, costedRevenue: 0, cost: 900_000 };
    expect((await look({ 24: [row("3", "m", ended)] })).raised).toMatchObject([
      { event: "margin-negative", subject: "3 m", params: { revenue: 0, cost: 900, margin: "–" } },
    ]);
  });

  it("is nothing that is not known to be", async () => {
    const unknown = row("3", "m", { costedRequests: 0, costedRevenue: 0, cost: 0 });
    expect(await look({ 24: [unknown] })).toEqual({ raised: [], resolved: [] });
  });
});
