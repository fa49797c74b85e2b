import type { JsonRecord } from "../shared/json/json-values";

/** Shared by every request, so that it is written once. */
const NOT_STORED: JsonRecord = { store: false };

/**
 * Prevents the upstream from storing the answer, which is its default: the next request may use another account, which
 * does not have it.
 * @returns the field to set, or undefined when the client has set the same.
 */
export const amendBody = (body: JsonRecord): JsonRecord | undefined =>
  body.store === false ? undefined : NOT_STORED;
