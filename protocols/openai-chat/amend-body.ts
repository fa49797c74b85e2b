import { type JsonRecord, readRecord } from "../shared/json/json-values";

/** The same for nearly every stream, so that it is written once. */
const ASKS_FOR_USAGE: JsonRecord = { stream_options: { include_usage: true } };

/**
 * Asks a passing stream for its usage, without which it could only be estimated.
 * @returns the field to set, or undefined when the client asked for it already or wants no stream.
 */
export const amendBody = (body: JsonRecord): JsonRecord | undefined => {
  if (body.stream !== true) return undefined;
  if (body.stream_options === undefined) return ASKS_FOR_USAGE;
  const options = readRecord(body.stream_options);
  if (options.include_usage === true) return undefined;
  return { stream_options: { ...options, include_usage: true } };
};
