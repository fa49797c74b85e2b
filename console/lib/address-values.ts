/** Reads a text from the address; undefined if it is empty or not a text. */
export const readText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Reads one of a few texts from the address. */
export const readOneOf = <Value extends string>(
  values: readonly Value[],
  value: unknown,
): Value | undefined => values.find((each) => each === value);
