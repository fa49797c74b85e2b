/**
 * Divisors of the number of tried cases, by TEST_CASES: `few` in the quick loop of `npm run check`, `some` in `npm
 * test`. All cases run for a single file, and every night (.github/workflows/nightly.yaml).
 */
const SHARES: Readonly<Record<string, number>> = { few: 6, some: 6 };

/** Whether this run tries all cases. Tests of a whole product (pages × themes × widths) try pairs of it elsewhere. */
export const TRIES_ALL = SHARES[process.env.TEST_CASES ?? ""] === undefined;

/** Number of cases that a generator tries. */
export const caseCount = (all: number): number =>
  Math.ceil(all / (SHARES[process.env.TEST_CASES ?? ""] ?? 1));

/** `caseCount` seeds, starting at `first`. */
export const seeds = (all: number, first = 1): number[] =>
  Array.from({ length: caseCount(all) }, (_, index) => first + index);

/** `caseCount` of the cases, evenly spread, including the first. */
export const someOf = <T>(all: readonly T[]): T[] => {
  const step = all.length / caseCount(all.length);
  return all.filter((_, index) => Math.floor(index % step) === 0);
};
