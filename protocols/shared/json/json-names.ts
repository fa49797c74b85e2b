/*
 * Whether two names of an object are the same depends on who reads them: some parsers take the first of two, some the
 * last, Go's compare without regard to case by Unicode's simple folding (https://pkg.go.dev/encoding/json#Unmarshal),
 * Google's take `a_b` and `aB` for one (https://protobuf.dev/programming-guides/json/). A gateway that charges by one
 * reading and sends bytes that allow another is cheated; so what allows two readings is refused.
 */

/** Which names of a request may not be written otherwise. */
export interface NameRules {
  /** The names that are read, by what they are folded to. */
  readonly known: ReadonlyMap<string, readonly string[]>;
  /** Below objects of these names, names are somebody's own: case tells them apart, and none is known. */
  readonly free: ReadonlySet<string>;
  /** The same for the objects in lists of these names. */
  readonly freeLists: ReadonlySet<string>;
  /** `a_b` is another spelling of `aB`. */
  readonly ignoresUnderscores: boolean;
}

/**
 * What all spellings of a name have in common for the most generous reader: compatibility forms (ｍ), the long s (ſ), the
 * Kelvin sign (K) and ligatures are the letters they stand for.
 */
export const foldName = (name: string, ignoresUnderscores: boolean): string => {
  const folded = name.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("\u0307", "");
  return ignoresUnderscores ? folded.replaceAll("_", "") : folded;
};

/**
 * Marks on a letter, and the two signs that become such marks when a name is folded: so many no letter of any language has
 * (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format).
 */
const MAX_MARKS = 30;
/** No more than decide: what a pattern may take back of millions of them does not fit on its stack. */
const MARKS = new RegExp(`[\\p{M}\\uff9e\\uff9f]{1,${MAX_MARKS + 1}}`, "gu");

/** Marks are put into an order when a name is folded, which takes the square of their number. */
const hasLongMarks = (name: string): boolean => {
  for (const [marks] of name.matchAll(MARKS)) if ([...marks].length > MAX_MARKS) return true;
  return false;
};

/** Names that end early, or lose a part, for some reader (a NUL, half of a surrogate pair), and marks without end. */
export const isBrokenName = (name: string): boolean =>
  name.includes("\u0000") || /\p{Surrogate}/u.test(name) || hasLongMarks(name);

/** The known spelling that a name comes too close to; undefined when it is one itself, or unlike all. */
export const misspelled = (name: string, { known, ignoresUnderscores }: NameRules): string | undefined => {
  const spellings = known.get(foldName(name, ignoresUnderscores));
  return spellings === undefined || spellings.includes(name) ? undefined : spellings[0];
};
