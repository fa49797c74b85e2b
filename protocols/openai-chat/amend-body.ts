import { type JsonRecord, readRecord } from "../shared/json/json-values";

/** Shared by nearly every stream, so that it is written once. */
const ASKS_FOR_USAGE: JsonRecord = { stream_options: { include_usage: true } };

/**
 * Requests the usage of a passing stream, which could otherwise only be estimated.
 * @returns the field to set, or undefined when the client has set it already or does not stream.
 */
export const amendBody = (body: JsonRecord): JsonRecord | undefined => {
  if (body.stream !== true) return undefined;
  if (body.stream_options === undefined) return ASKS_FOR_USAGE;
  const options = readRecord(body.stream_options);
  if (options.include_usage === true) return undefined;
  return { stream_options: { ...options, include_usage: true } };
};
