import type { UsagePoint } from "@tollgate/contract/api/usage";

/** A user, model or key, with its quota or failures in both ranges. */
export interface Mover {
  key: string;
  name: string;
  now: number;
  before: number;
}

type Measure = "quota" | "errors";

const sumByKey = (
  points: readonly UsagePoint[],
  measure: Measure,
): Map<string, { name: string; value: number }> => {
  const sums = new Map<string, { name: string; value: number }>();
  for (const point of points) {
    if (point.others !== undefined) continue;
    const sum = sums.get(point.key) ?? { name: point.name, value: 0 };
    sums.set(point.key, { name: point.name, value: sum.value + point[measure] });
  }
  return sums;
};

const compare = (now: readonly UsagePoint[], before: readonly UsagePoint[], measure: Measure): Mover[] => {
  const [sums, former] = [sumByKey(now, measure), sumByKey(before, measure)];
  return [...new Set([...sums.keys(), ...former.keys()])].map((key) => ({
    key,
    name: sums.get(key)?.name ?? former.get(key)?.name ?? "",
    now: sums.get(key)?.value ?? 0,
    before: former.get(key)?.value ?? 0,
  }));
};

/** Finds the movers of two ranges. @param limit maximum number of results. */
export type FindMovers = (
  now: readonly UsagePoint[],
  before: readonly UsagePoint[],
  limit: number,
) => Mover[];

/** The largest increases and decreases of quota since before, the largest change first. */
export const findMovers: FindMovers = (now, before, limit) =>
  compare(now, before, "quota")
    .filter((mover) => mover.now !== mover.before)
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before))
    .slice(0, limit);

/** Those with the most failed requests now; of equals, the one with fewer before is first. */
export const findFailing: FindMovers = (now, before, limit) =>
  compare(now, before, "errors")
    .filter((mover) => mover.now > 0)
    .sort((a, b) => b.now - a.now || a.before - b.before)
    .slice(0, limit);
