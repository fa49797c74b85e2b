import type { JsonRecord } from "../shared/json/json-values";

/** The same for every request, so that it is written once. */
const NOT_STORED: JsonRecord = { store: false };

/**
 * Keeps the upstream from storing the answer, which is its default: the next request may go to another account, where
 * nobody knows it.
 * @returns the field to set, or undefined when the client asks for the same.
 */
export const amendBody = (body: JsonRecord): JsonRecord | undefined =>
  body.store === false ? undefined : NOT_STORED;
