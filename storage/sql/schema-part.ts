/**
 * Column types that both engines have under different names. SQL that both of them run uses these words in capitals, and each
 * engine replaces them (storage/sqlite/migrate.ts, storage/postgres/migrate.ts).
 */
export interface ColumnTypes {
  /** Primary key that the database assigns and never reuses. */
  readonly AUTO_ID: string;
  /** Primary key that the database assigns; SQLite reuses the highest after its row is deleted. */
  readonly ROW_ID: string;
  readonly INTEGER: string;
  readonly SMALLINT: string;
  /** Whole number that JavaScript holds exactly. */
  readonly QUOTA: string;
  readonly REAL: string;
  /** Text that is searched or sorted: both engines compare its bytes. */
  readonly SORTED_TEXT: string;
  readonly BYTES: string;
}

/** DDL of one subject. The statements of one engine alone run after the common ones, and use that engine's own types. */
export interface SchemaPart {
  /** Statements of both engines, with the words of `ColumnTypes`; each ends with a semicolon at the end of a line. */
  readonly common?: string;
  readonly sqlite?: string;
  readonly postgres?: string;
}

/** Replaces the words of `ColumnTypes` with an engine's names. */
export const nameTypes = (common: string, types: ColumnTypes): string => {
  const names = new Map<string, string>(Object.entries(types));
  return common.replaceAll(/\b[A-Z_]+\b/g, (word) => names.get(word) ?? word);
};
