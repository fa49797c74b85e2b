import { afterEach, beforeEach, expect, it } from "vitest";
import { encodeCharges } from "../accounts/charges";
import { chargeOf } from "../testing/charge-of";
import { onEngine } from "../testing/on-engine";
import { PricedLineReader } from "./priced-lines";
import type { LogUnderTest } from "./testing/log-under-test";

import { newPostgresLog } from "./testing/postgres-log";
import { newSqliteLog } from "./testing/sqlite-log";

const DAY = 1_767_225_600;
const HOUR = 3600;
const NOW = DAY + 9 * 86_400;

const newLog = onEngine({ sqlite: newSqliteLog, postgres: newPostgresLog });

let log: LogUnderTest;

beforeEach(async () => {
  log = await newLog([]);
});

afterEach(() => log.close());

interface Use {
  at: number;
  quota: number;
  shape?: string;
  shortfall?: number;
  values?: number[];
}

const store = (...uses: Use[]): Promise<void> =>
  log.takeOver(
    encodeCharges(
      uses.map(({ at, quota, shape = '["m","default"]', shortfall = 0, values = [1, 2] }) =>
        chargeOf(at, quota, { use: { shape, shortfall, values } }),
      ),
    )[1],
  );

const readAll = async (from: number, to: number) => {
  const { pricedLines } = log.queries;
  const shapes = new Map((await pricedLines.shapes()).map(({ id, text }) => [id, text]));
  const found: Required<Use>[] = [];
  let told = 0;
  for (const { hour, lines, data } of await pricedLines.part(from, to)) {
    told += lines;
    const reader = new PricedLineReader(hour, data);
    while (reader.next()) {
      const { createdAt, quota, shapeId, shortfall, values, valueCount } = reader;
      const shape = shapes.get(shapeId) ?? "";
      found.push({ at: createdAt, quota, shape, shortfall, values: values.slice(0, valueCount) });
    }
  }
  expect(told).toBe(found.length);
  return found.sort((one, other) => one.at - other.at);
};

it("return the priced parts of every line, however many transactions wrote it", async () => {
  const written: Required<Use>[] = [];
  for (let batch = 0; batch < 12; batch += 1) {
    const uses = Array.from({ length: batch === 5 ? 1100 : 3 }, (_, index) => ({
      at: DAY + batch * 900 + index,
      quota: batch - 1,
      shape: JSON.stringify([`model ${index % 4}\u0000`, "vip"]),
      shortfall: index % 3,
      values: [batch, index, 2 ** 40],
    }));
    written.push(...uses);
    await store(...uses);
  }
  written.sort((one, other) => one.at - other.at);
  const all = await readAll(DAY, DAY + 3 * HOUR);
  expect(all).toHaveLength(written.length);
  const quotaOf = (uses: readonly Use[]) => uses.reduce((sum, { quota }) => sum + quota, 0);
  expect(quotaOf(all)).toBe(quotaOf(written));
  const keyOf = (use: Use) => JSON.stringify(use);
  expect(all.map(keyOf).sort()).toEqual(written.map(keyOf).sort());
  expect((await readAll(DAY + HOUR, DAY + 2 * HOUR)).map(keyOf).sort()).toEqual(
    written
      .filter(({ at }) => at >= DAY + HOUR && at < DAY + 2 * HOUR)
      .map(keyOf)
      .sort(),
  );
});

it("return nothing for lines that are not in the log, nor for lines from before prices were kept", async () => {
  await log.takeOver(
    encodeCharges([
      chargeOf(DAY, 5),
      chargeOf(DAY + 1, 7, { isLogged: false, use: { shape: "[]", shortfall: 0, values: [1] } }),
      chargeOf(DAY + 2, 9, { use: { shape: '["m","g"]', shortfall: 0, values: [] } }),
    ])[1],
  );
  expect((await readAll(DAY, DAY + HOUR)).map(({ quota }) => quota)).toEqual([9]);
  expect(await log.queries.pricedLines.lines(DAY, DAY + HOUR)).toEqual({ from: DAY, lines: 2 });
});

it("count the lines of a range, also where it begins and ends within an hour", async () => {
  await store(...[10, HOUR - 1, HOUR, 2 * HOUR + 5, 2 * HOUR + 6].map((at) => ({ at: DAY + at, quota: 1 })));
  const lines = async (from: number, to: number) =>
    (await log.queries.pricedLines.lines(DAY + from, DAY + to)).lines;
  expect(await lines(0, 3 * HOUR)).toBe(5);
  expect(await lines(10, 2 * HOUR + 6)).toBe(4);
  expect(await lines(11, 2 * HOUR + 5)).toBe(2);
  expect(await lines(11, 12)).toBe(0);
  expect(await lines(HOUR, HOUR + 1)).toBe(1);
});

it("go with the lines that are cleared, and are written on behind them", async () => {
  await store({ at: DAY, quota: 1 }, { at: DAY + HOUR, quota: 2 }, { at: DAY + 2 * HOUR, quota: 4 });
  while (!(await log.maintenance.clearBefore(DAY + HOUR + 10, NOW)).isDone) {
    // Step by step.
  }
  expect((await readAll(DAY, NOW)).map(({ quota }) => quota)).toEqual([2, 4]);
  expect(await log.queries.pricedLines.lines(DAY, NOW)).toEqual({ from: DAY + HOUR + 10, lines: 1 });
  await store({ at: DAY + 2 * HOUR + 1, quota: 8 });
  expect((await readAll(DAY + 2 * HOUR, NOW)).map(({ quota }) => quota)).toEqual([4, 8]);
  while (!(await log.maintenance.clearBefore(NOW, NOW)).isDone) {
    // Step by step.
  }
  await store({ at: NOW + 1, quota: 16 });
  expect((await readAll(DAY, NOW + HOUR)).map(({ quota }) => quota)).toEqual([16]);
});
