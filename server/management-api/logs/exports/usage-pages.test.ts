import { encodeCharges } from "@tollgate/storage/accounts/charges";
import type { UsageQuery } from "@tollgate/storage/log/ports";
import type { LogUnderTest } from "@tollgate/storage/log/testing/log-under-test";
import { newSqliteLog } from "@tollgate/storage/log/testing/sqlite-log";
import { chargeOf } from "@tollgate/storage/testing/charge-of";
import { afterEach, beforeEach, expect, it } from "vitest";
import { usagePages } from "./usage-pages";

const DAY = 1_767_225_600;
const NOW = DAY + 5 * 86_400;

let log: LogUnderTest;

beforeEach(async () => {
  log = await newSqliteLog([]);
  const charges = Array.from({ length: 300 }, (_, index) =>
    chargeOf(DAY + index * 1234, index, {
      modelName: `model ${index % 3}`,
      tokenId: index % 7,
      tokenName: `key ${index % 7}`,
    }),
  );
  await log.takeOver(encodeCharges(charges)[1]);
});
afterEach(() => log.close());

it.each([
  ["all of it", {}],
  ["a range that is cut within hours", { startTimestamp: DAY + 4000, endTimestamp: DAY + 250_000 }],
  ["one model", { modelName: "model 1" }],
])("has the points that the picture has: %s", async (_, filter) => {
  for (const step of ["day", "hour"] as const)
    for (const by of ["none", "model", "token"] as const)
      for (const offsetMinutes of [0, 480, 330, -570])
        for (const top of [undefined, 2]) {
          const query: UsageQuery = { filter, step, by, offsetMinutes, top };
          const points: unknown[] = [];
          for await (const page of usagePages(log.queries.usage, query, NOW)) points.push(...page);
          expect(points, JSON.stringify(query)).toEqual(
            JSON.parse(await log.queries.usage.pointsJson(query, NOW)),
          );
          expect(points.length).toBeGreaterThan(2);
        }
});

it("holds one span at a time where all are told apart", async () => {
  const lengths: number[] = [];
  const usage = {
    pointsInParts: async (query: UsageQuery, size: number, now: number): Promise<string[]> => {
      const parts = await log.queries.usage.pointsInParts(query, size, now);
      if (query.by === "token") lengths.push(parts.length);
      return parts;
    },
  };
  let asked = 0;
  for await (const page of usagePages(
    usage,
    { filter: {}, step: "day", by: "token", offsetMinutes: 330 },
    NOW,
  )) {
    asked += 1;
    expect(new Set(page.map(({ time }) => time)).size).toBe(1);
    expect(lengths).toHaveLength(asked);
  }
  expect(asked).toBe(5);
});
