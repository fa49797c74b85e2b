import { describe, expect, it } from "vitest";
import { DividedRates } from "./divided-rates";
import { MemoryRates } from "./memory-rates";
import type { NodeRank } from "./node-share";
import type { RateSubject } from "./rates";

const NOON = Date.UTC(2026, 10, 21, 12);

const nodesOf = (count: number) =>
  Array.from({ length: count }, (_, rank) => {
    const at: { rank: NodeRank } = { rank: { nodes: count, rank } };
    return { at, rates: new DividedRates(new MemoryRates(() => NOON), () => at.rank) };
  });

const keyOf = (limits: RateSubject["limits"]): RateSubject => ({ scope: "key", id: 1, limits });

const letsIn = (rates: DividedRates, subject: RateSubject, tokens: number, times: number): number =>
  Array.from({ length: times }, () => rates.enter([subject], tokens)).filter(
    ({ outcome }) => "leave" in outcome,
  ).length;

describe("limits that nodes divide", () => {
  it.each([
    [1, 10],
    [3, 10],
    [3, 2],
    [7, 100],
  ])("let in by %i nodes exactly %i", (count, limit) => {
    for (const limits of [{ rpm: limit }, { concurrency: limit }, { tpm: limit }]) {
      const nodes = nodesOf(count);
      const passed = nodes.map(({ rates }) => letsIn(rates, keyOf(limits), 1, limit));
      expect(passed.reduce((sum, one) => sum + one, 0)).toBe(limit);
      expect(Math.max(...passed) - Math.min(...passed)).toBeLessThanOrEqual(1);
    }
  });

  it("return this node's remaining limits, the others' shares counting as used", () => {
    const [first] = nodesOf(3);
    expect(first?.rates.enter([keyOf({ rpm: 10, tpm: 100 })], 4).uses).toEqual([{ requests: 7, tokens: 70 }]);
  });

  it("follow who lives from one request to the next", () => {
    const [first] = nodesOf(2);
    if (!first) throw new Error("no node");
    const key = keyOf({ rpm: 10 });
    expect(letsIn(first.rates, key, 1, 10)).toBe(5);
    first.at.rank = { nodes: 1, rank: 0 };
    expect(letsIn(first.rates, key, 1, 10)).toBe(5);
    first.at.rank = { nodes: 2, rank: 0 };
    expect(letsIn(first.rates, key, 1, 10)).toBe(0);
  });
});
