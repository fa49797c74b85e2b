import { createRandom } from "@tollgate/testkit/random";
import { expect, it } from "vitest";
import { PricedBlock, type PricedLine, PricedLineReader } from "./priced-lines";

const HOUR = 1_767_225_600;

const readAll = (hour: number, bytes: Uint8Array): PricedLine[] => {
  const reader = new PricedLineReader(hour, bytes);
  const lines: PricedLine[] = [];
  while (reader.next()) {
    const { createdAt, shapeId, userId, quota, shortfall, cost, values, valueCount } = reader;
    lines.push({
      ...{ createdAt, shapeId, userId, quota, shortfall },
      cost: cost < 0 ? undefined : cost,
      values: values.slice(0, valueCount),
    });
  }
  return lines;
};

/** A number of any length up to the largest. */
const someNumber = (random: () => number): number =>
  Math.floor(random() * 2 ** Math.floor(random() * 54)) % Number.MAX_SAFE_INTEGER;

it("reads back any line as it was written, up to the largest numbers", () => {
  const random = createRandom(5);
  const block = new PricedBlock();
  const lines = Array.from({ length: 5000 }, (): PricedLine => {
    const quota = someNumber(random);
    return {
      createdAt: HOUR + Math.floor(random() * 3600),
      shapeId: someNumber(random),
      userId: someNumber(random),
      quota: random() < 0.1 ? 0 - quota : quota,
      shortfall: random() < 0.2 ? someNumber(random) : 0,
      cost: random() < 0.5 ? someNumber(random) : undefined,
      values: Array.from({ length: Math.floor(random() * 12) }, () => someNumber(random)),
    };
  });
  for (const line of lines) block.add(line);
  expect(block.lines).toBe(lines.length);
  expect(readAll(HOUR, block.data())).toEqual(lines);
});

it("keeps a charge of all that an account can hold, and its being taken back", () => {
  const block = new PricedBlock();
  const line = { createdAt: HOUR, shapeId: 1, userId: 1, shortfall: 0, cost: undefined, values: [] };
  const quotas = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 52, 1 - 2 ** 52, 0, -1];
  for (const quota of quotas) block.add({ ...line, quota });
  expect(readAll(HOUR, block.data()).map(({ quota }) => quota)).toEqual(quotas);
});
