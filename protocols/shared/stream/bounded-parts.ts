/** Far above what any answer holds: all parts of one event, or of one answer, are read in one step. */
export const MAX_PARTS_AT_ONCE = 10_000;

/** Whether a field of a whole answer is a list of more parts than any answer has. */
export const isTooMany = (value: unknown): boolean =>
  Array.isArray(value) && value.length > MAX_PARTS_AT_ONCE;

/**
 * The parts of an answer that stand in one event, each of which is to be read.
 * @throws Error when there are more than an answer has.
 */
export const boundedParts = <Part>(parts: readonly Part[]): readonly Part[] => {
  if (parts.length > MAX_PARTS_AT_ONCE) throw new Error("the upstream sent too many parts in one event");
  return parts;
};
