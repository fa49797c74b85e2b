import type { ColumnType, Generated } from "kysely";

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

type TextType = "TEXT" | "SORTED_TEXT";
type TypeName = keyof ColumnTypes | TextType;

/** Type and constraints of a column, as CREATE TABLE has them. The column's type in TypeScript follows from them. */
export type Definition = TypeName | `${TypeName} ${string}`;

declare const column: unique symbol;

/** A definition with the column's type in TypeScript, where SQL alone does not tell it. */
type Typed<Column> = Definition & { readonly [column]: Column };

/** A column that a migration after the first adds. */
export interface LaterColumn<Defined extends Definition = Definition> {
  readonly since: string;
  readonly definition: Defined;
  /** Whether nodes keep it in memory, so that the change feed reports its changes. */
  readonly isWatched: boolean;
}

type Assigned = "AUTO_ID" | "ROW_ID";
type ValueOf<Defined> = Defined extends `${TextType}${string}`
  ? string
  : Defined extends `BYTES${string}`
    ? Buffer
    : number;
type StoredOf<Defined> = Defined extends Assigned | `${string} ${"NOT NULL" | "PRIMARY KEY"}${string}`
  ? ValueOf<Defined>
  : ValueOf<Defined> | null;
/** Defaults that give nothing and allow nothing. Others, and every quota, are for rows of older versions alone. */
type Neutral = "0" | "''" | "'{}'";
type DefaultedOf<Defined, Stored> = Defined extends `QUOTA${string}`
  ? Stored
  : Defined extends Assigned | `${string} DEFAULT ${Neutral}`
    ? Generated<Stored>
    : Stored;

/**
 * A column's type for the query builder. An insert may leave out an assigned id, and a column whose default is neutral; it
 * names every other one, so that no key is forgotten to expire and no row to have its status.
 */
export type ColumnOf<Declared> =
  Declared extends LaterColumn<infer Defined>
    ? ColumnOf<Defined>
    : Declared extends { readonly [column]: infer Column }
      ? Column
      : DefaultedOf<Declared, StoredOf<Declared>>;

/** A text that is one of these values. The type alone says so: the database takes any text. */
export const textIn = <const Value extends string, const Defined extends `${TextType} NOT NULL${string}`>(
  _values: readonly Value[],
  definition: Defined,
) => definition as Definition as Typed<DefaultedOf<Defined, Value>>;

/** A column that each insert gives, because its default of 0 permits something. */
export const given = <const Defined extends Definition>(definition: Defined) =>
  definition as Definition as Typed<StoredOf<Defined>>;

/** A number that an insert gives and no update of the query builder sets, because one place alone changes it. */
export const setOnce = (definition: Definition) => definition as Typed<ColumnType<number, number, never>>;

/** A column that this migration adds. @param isWatched whether nodes keep it in memory. */
export const since = <const Defined extends Definition>(
  migration: string,
  definition: Defined,
  { isWatched }: { readonly isWatched: boolean },
): LaterColumn<Defined> => ({ since: migration, definition, isWatched });

/** Definitions of the columns of settings and limits, by their types in the contract (contract/resource/). */
const DECLARED = {
  TEXT: "TEXT NOT NULL DEFAULT ''",
  SMALLINT: "SMALLINT NOT NULL DEFAULT 0",
  INTEGER: "INTEGER",
  QUOTA: "QUOTA",
} as const satisfies Readonly<Record<string, Definition>>;

interface DeclaredField {
  readonly name: string;
  readonly column: keyof typeof DECLARED;
  readonly since: string | undefined;
}

type DeclaredColumns<Fields extends Readonly<Record<string, DeclaredField>>> = {
  readonly [Inner in keyof Fields as Fields[Inner]["name"]]:
    | (typeof DECLARED)[Fields[Inner]["column"]]
    | LaterColumn<(typeof DECLARED)[Fields[Inner]["column"]]>;
};

/** The columns of settings or limits. Nodes keep those in memory. */
export const declaredColumns = <Fields extends Readonly<Record<string, DeclaredField>>>(
  fields: Fields,
): DeclaredColumns<Fields> =>
  Object.fromEntries(
    Object.values(fields).map(({ name, column: type, since: migration }) => [
      name,
      migration === undefined ? DECLARED[type] : since(migration, DECLARED[type], { isWatched: true }),
    ]),
    // TypeScript does not follow names through a list of entries.
  ) as DeclaredColumns<Fields>;
