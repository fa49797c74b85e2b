/** Far more than any real answer has: all parts of one event, or of one answer, are read in one step. */
export const MAX_PARTS_AT_ONCE = 10_000;

/** Whether a list in a whole answer has more parts than any real answer. */
export const isTooMany = (value: unknown): boolean =>
  Array.isArray(value) && value.length > MAX_PARTS_AT_ONCE;

/**
 * The parts of an answer in one event.
 * @throws Error when there are more than in any real answer.
 */
export const boundedParts = <Part>(parts: readonly Part[]): readonly Part[] => {
  if (parts.length > MAX_PARTS_AT_ONCE) throw new Error("the upstream sent too many parts in one event");
  return parts;
};
