/** One in so many cases is tried where the quick loop asks for few. */
const FEW = 6;

/**
 * How many cases a generator tries: all in `npm test` and where one file is run, one in six in the quick loop of `npm run check`
 * (TEST_CASES=few).
 */
export const caseCount = (all: number): number =>
  process.env.TEST_CASES === "few" ? Math.ceil(all / FEW) : all;

/** Seeds from `first` on, as many as `caseCount` says of `all`. */
export const seeds = (all: number, first = 1): number[] =>
  Array.from({ length: caseCount(all) }, (_, index) => first + index);

/** As many of all cases as `caseCount` says, spread evenly, with the first of them. */
export const someOf = <T>(all: readonly T[]): T[] => {
  const step = all.length / caseCount(all.length);
  return all.filter((_, index) => Math.floor(index % step) === 0);
};
