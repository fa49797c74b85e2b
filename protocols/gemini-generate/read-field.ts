import type { JsonRecord } from "../shared/json/json-values";

/**
 * A field of a request by its name in lowerCamelCase. Google's JSON may spell every field in snake_case as well
 * (https://protobuf.dev/programming-guides/json/#field-names), and many scripts do.
 */
export const readField = (record: JsonRecord, name: string): unknown => {
  const value = record[name];
  if (value !== undefined) return value ?? undefined;
  return record[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? undefined;
};

/** The field under its name in lowerCamelCase alone, for readers of plain records. */
export const pickField = (record: JsonRecord, name: string): JsonRecord => ({
  [name]: readField(record, name),
});
