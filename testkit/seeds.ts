/**
 * Of how many cases one is tried, by TEST_CASES: `few` in the quick loop of `npm run check`, `some` in `npm test`. All of them where
 * one file is run, and every night (.github/workflows/nightly.yaml).
 */
const SHARES: Readonly<Record<string, number>> = { few: 6, some: 3 };

/** How many of all cases a generator tries. */
export const caseCount = (all: number): number =>
  Math.ceil(all / (SHARES[process.env.TEST_CASES ?? ""] ?? 1));

/** Seeds from `first` on, as many as `caseCount` says of `all`. */
export const seeds = (all: number, first = 1): number[] =>
  Array.from({ length: caseCount(all) }, (_, index) => first + index);

/** As many of all cases as `caseCount` says, spread evenly, with the first of them. */
export const someOf = <T>(all: readonly T[]): T[] => {
  const step = all.length / caseCount(all.length);
  return all.filter((_, index) => Math.floor(index % step) === 0);
};
