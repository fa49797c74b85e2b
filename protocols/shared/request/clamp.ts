/** Limits a number to a vendor's bounds; a value that the client did not set stays unset. */
export const clamp = (value: number | undefined, least: number, most: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(value, least), most);
