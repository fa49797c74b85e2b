/** A number between a vendor's bounds; what the client did not set stays unset. */
export const clamp = (value: number | undefined, least: number, most: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(value, least), most);
