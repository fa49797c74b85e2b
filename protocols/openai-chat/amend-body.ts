import { type JsonRecord, readRecord } from "../shared/json-values";

/**
 * Asks a passing stream for its usage, without which it could only be estimated.
 * @returns the field to set, or undefined when the client asked for it already or wants no stream.
 */
export const amendBody = (body: JsonRecord): JsonRecord | undefined => {
  if (body.stream !== true) return undefined;
  const options = readRecord(body.stream_options);
  if (options.include_usage === true) return undefined;
  return { stream_options: { ...options, include_usage: true } };
};
