/**
 * Decisions about a field of a request that would change the answer, where the upstream's protocol has no place for it:
 * the field is left out and named in a header, or the request is refused.
 */
export const UNSUPPORTED_FIELDS = ["ignore", "refuse"] as const;
export type UnsupportedFields = (typeof UNSUPPORTED_FIELDS)[number];
