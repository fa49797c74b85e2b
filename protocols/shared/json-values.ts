/** A JSON object, as opposed to an array, null or a plain value. */
export type JsonRecord = Record<string, unknown>;

/** Tells a JSON object from everything else, arrays included. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object in a field, or an empty one when the field holds anything else. */
export const readRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The array in a field, or an empty one when the field holds anything else. */
export const readArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The string in a field, or "" when the field holds anything else. */
export const readString = (value: unknown): string => (typeof value === "string" ? value : "");
