import type { UsagePoint } from "@tollgate/contract/api/usage";

/** A user or model, and its change in quota. */
export interface Mover {
  key: string;
  name: string;
  now: number;
  before: number;
}

const sumByKey = (points: readonly UsagePoint[]): Map<string, { name: string; quota: number }> => {
  const sums = new Map<string, { name: string; quota: number }>();
  for (const { key, name, quota, others } of points) {
    if (others !== undefined) continue;
    const sum = sums.get(key) ?? { name, quota: 0 };
    sums.set(key, { name, quota: sum.quota + quota });
  }
  return sums;
};

/**
 * The largest increases and decreases since before, the largest change first.
 * @param most maximum number of results.
 */
export const findMovers = (
  now: readonly UsagePoint[],
  before: readonly UsagePoint[],
  most: number,
): Mover[] => {
  const [sums, former] = [sumByKey(now), sumByKey(before)];
  return [...new Set([...sums.keys(), ...former.keys()])]
    .map((key) => ({
      key,
      name: sums.get(key)?.name ?? former.get(key)?.name ?? "",
      now: sums.get(key)?.quota ?? 0,
      before: former.get(key)?.quota ?? 0,
    }))
    .filter((mover) => mover.now !== mover.before)
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before))
    .slice(0, most);
};
