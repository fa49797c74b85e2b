/** A JSON object, as opposed to an array, null or a plain value. */
export type JsonRecord = Record<string, unknown>;

/** Whether a value is a JSON object; arrays are not. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object in a field, or an empty one for any other value. */
export const readRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The array in a field, or an empty one for any other value. */
export const readArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Looks up an untrusted word in a table; undefined when it is missing. A plain property access would also find
 * inherited names ("constructor").
 */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The string in a field, or "" for any other value. */
export const readString = (value: unknown): string => (typeof value === "string" ? value : "");
