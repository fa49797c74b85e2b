import { describe, expect, it } from "vitest";
import type { UpstreamTarget } from "../ports/directory";
import { choose } from "./choose";

const entry = (id: number, priority: number, weight = 0, keyCount = 1, key = 0) =>
  ({ id: `${id}/${key}`, keyCount, channel: { id, priority, weight } }) as unknown as UpstreamTarget;

const chosen = (candidates: UpstreamTarget[], unusable: number[], random: number, preferred?: string) =>
  choose(candidates, ({ channel }) => !unusable.includes(channel.id), random, preferred)?.id;

const hundred = (candidates: UpstreamTarget[]) =>
  Array.from({ length: 100 }, (_, i) => chosen(candidates, [], i / 100));

describe("choose", () => {
  it("stays within the highest priority", () => {
    const ids = hundred([entry(1, 5), entry(2, 5), entry(3, 0)]);
    expect(new Set(ids)).toEqual(new Set(["1/0", "2/0"]));
  });

  it("shares by weight, counting none as one", () => {
    const ids = hundred([entry(1, 0, 3), entry(2, 0, 0)]);
    expect(ids.filter((id) => id === "1/0")).toHaveLength(75);
  });

  it("shares a channel's weight among its keys", () => {
    const ids = hundred([entry(1, 0, 1, 2, 0), entry(1, 0, 1, 2, 1), entry(2, 0, 1)]);
    expect(["1/0", "1/1", "2/0"].map((each) => ids.filter((id) => id === each).length)).toEqual([25, 25, 50]);
  });

  it("leaves out unusable channels, down to lower priorities", () => {
    expect(chosen([entry(1, 0), entry(2, 0)], [1], 0)).toBe("2/0");
    expect(chosen([entry(1, 5), entry(2, 0)], [1], 0)).toBe("2/0");
    expect(chosen([entry(1, 0)], [1], 0)).toBeUndefined();
  });

  it("takes the preferred one where it is among the highest", () => {
    const candidates = [entry(1, 5), entry(2, 5), entry(3, 0)];
    expect(chosen(candidates, [], 0, "2/0")).toBe("2/0");
    expect(chosen(candidates, [], 0, "3/0")).toBe("1/0");
    expect(chosen(candidates, [2], 0, "2/0")).toBe("1/0");
  });

  it("takes the best of those that are ranked, within the highest priority, and shares among the equally good", () => {
    const ranks = new Map([
      [1, 5],
      [2, 3],
      [3, 3],
      [4, 1],
    ]);
    const candidates = [entry(1, 5), entry(2, 5), entry(3, 5, 3), entry(5, 5), entry(4, 0)];
    const ranked = (unusable: number[], random: number) =>
      choose(
        candidates,
        ({ channel }) => !unusable.includes(channel.id),
        random,
        undefined,
        ({ channel }) => ranks.get(channel.id),
      )?.channel.id;
    const ids = Array.from({ length: 100 }, (_, i) => ranked([], i / 100));
    expect(ids.filter((id) => id === 3)).toHaveLength(75);
    expect(ids.filter((id) => id === 2)).toHaveLength(25);
    // What works counts: then the next best, then what is not known, then the next priority.
    expect(ranked([2, 3], 0.5)).toBe(1);
    expect(ranked([1, 2, 3], 0.5)).toBe(5);
    expect(ranked([1, 2, 3, 5], 0.5)).toBe(4);
  });
});
