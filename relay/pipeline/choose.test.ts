import { describe, expect, it } from "vitest";
import type { ChannelEntry } from "../ports";
import { choose } from "./choose";

const entry = (id: number, priority: number, weight = 0) =>
  ({ channel: { id, priority, weight } }) as unknown as ChannelEntry;

const chosenId = (candidates: ChannelEntry[], tried: number[], random: number) =>
  choose(candidates, new Set(tried), random)?.channel.id;

describe("choose", () => {
  it("stays within the highest priority", () => {
    const candidates = [entry(1, 5), entry(2, 5), entry(3, 0)];
    const ids = [0, 0.3, 0.6, 0.999].map((random) => chosenId(candidates, [], random));
    expect(new Set(ids)).toEqual(new Set([1, 2]));
  });

  it("shares by weight, counting none as one", () => {
    const candidates = [entry(1, 0, 3), entry(2, 0, 0)];
    const ids = Array.from({ length: 100 }, (_, i) => chosenId(candidates, [], i / 100));
    expect(ids.filter((id) => id === 1)).toHaveLength(75);
  });

  it("leaves out what was tried", () => {
    expect(chosenId([entry(1, 0), entry(2, 0)], [1], 0)).toBe(2);
    expect(chosenId([entry(1, 0)], [1], 0)).toBeUndefined();
  });
});
