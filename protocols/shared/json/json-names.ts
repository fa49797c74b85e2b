/*
 * Parsers disagree on whether two names of an object are the same: some take the first of two, some the last, Go's
 * compare case-insensitively by Unicode's simple folding (https://pkg.go.dev/encoding/json#Unmarshal), Google's treat
 * `a_b` and `aB` as one (https://protobuf.dev/programming-guides/json/). A gateway that charges by one reading and
 * sends bytes that allow another can be cheated; so ambiguous names are refused.
 */

/** The names of a request that must have their exact spelling. */
export interface NameRules {
  /** The names that are read, by their folded form. */
  readonly known: ReadonlyMap<string, readonly string[]>;
  /** Objects under these names contain user-defined names: they are case-sensitive, and no name is known. */
  readonly free: ReadonlySet<string>;
  /** The same for the objects in lists of these names. */
  readonly freeLists: ReadonlySet<string>;
  /** `a_b` is another spelling of `aB`. */
  readonly ignoresUnderscores: boolean;
}

/**
 * The common form of all spellings of a name, for the most tolerant parser: compatibility forms (ｍ), the long s (ſ),
 * the Kelvin sign (K) and ligatures become their letters.
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
/**
 * Matches only as many as are needed to decide: the pattern's backtracking over millions of marks would overflow its
 * stack.
 */
const MARKS = new RegExp(`[\\p{M}\\uff9e\\uff9f]{1,${MAX_MARKS + 1}}`, "gu");

/** Folding sorts the marks of a name, in quadratic time. */
const hasLongMarks = (name: string): boolean => {
  for (const [marks] of name.matchAll(MARKS)) if ([...marks].length > MAX_MARKS) return true;
  return false;
};

/** Names that end early, or lose a part, for some reader (a NUL, half of a surrogate pair), and marks without end. */
export const isBrokenName = (name: string): boolean =>
  name.includes("\u0000") || /\p{Surrogate}/u.test(name) || hasLongMarks(name);

/** The known spelling that a name conflicts with; undefined when the name is exact, or unlike all. */
export const misspelled = (name: string, { known, ignoresUnderscores }: NameRules): string | undefined => {
  const spellings = known.get(foldName(name, ignoresUnderscores));
  return spellings === undefined || spellings.includes(name) ? undefined : spellings[0];
};
