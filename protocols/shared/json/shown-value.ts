/**
 * A value of the client's as a refusal names it. Of an object only that it is one: `String` would call a method that the
 * client has named.
 */
export const shownValue = (value: unknown): string =>
  typeof value !== "object" || value === null ? String(value) : Array.isArray(value) ? "[…]" : "{…}";
