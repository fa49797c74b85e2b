/** A JSON object, as opposed to an array, null or a plain value. */
export type JsonRecord = Record<string, unknown>;

/** Tells a JSON object from everything else, arrays included. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object in a field, or an empty one when the field holds anything else. */
export const readRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

/** The array in a field, or an empty one when the field holds anything else. */
export const readArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * What a table says of a word from outside; undefined for one that is not in it. Asking the object itself would also find
 * what every object inherits ("constructor").
 */
export const lookUp = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** The string in a field, or "" when the field holds anything else. */
export const readString = (value: unknown): string => (typeof value === "string" ? value : "");
