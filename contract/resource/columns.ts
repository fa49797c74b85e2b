/** A field, or a setting, that a column stores under the field's name on the wire. */
interface Stored {
  readonly name: string;
  toColumn(value: never): unknown;
  fromColumn(column: never): unknown;
}

export type StoredFields = Readonly<Record<string, Stored>>;

type ColumnOf<Declared extends Stored> = ReturnType<Declared["toColumn"]>;

/** Columns of fields, by their names. */
export type FieldColumns<F extends StoredFields> = {
  [Inner in keyof F as F[Inner]["name"]]: ColumnOf<F[Inner]>;
};

/** Values of fields as a row has them, under their inner names. */
export type StoredValues<F extends StoredFields> = {
  -readonly [Inner in keyof F]: ReturnType<F[Inner]["fromColumn"]>;
};

/** Columns that a write of values sets; those of undefined values are undefined, and are not written. */
type WrittenColumns<F extends StoredFields, Values> = {
  [Inner in keyof F & keyof Values as F[Inner]["name"]]:
    | ColumnOf<F[Inner]>
    | (undefined extends Values[Inner] ? undefined : never);
};

const same = <Value>(value: Value): Value => value;

/** A column that has the value itself. */
export const sameColumn = /* @__NO_SIDE_EFFECTS__ */ <Value>() => ({
  toColumn: same<Value>,
  fromColumn: same<Value>,
});

/** A column of a switch, which is 0 or 1. */
export const switchColumn = {
  toColumn: Number as (isOn: boolean) => number,
  fromColumn: (column: number): boolean => column === 1,
};

/** The names of the columns of fields. */
export const columnNames = <F extends Readonly<Record<string, { readonly name: string }>>>(
  fields: F,
): F[keyof F]["name"][] => Object.values(fields).map(({ name }) => name);

// The types of the exported functions follow each field; these internals are the same for all of them.
type AnyStored = Stored & { toColumn(value: unknown): unknown; fromColumn(column: unknown): unknown };
const entriesOf = (fields: object): [inner: string, field: AnyStored][] => Object.entries(fields);

/**
 * A reader of the fields of rows. It adds them to an object with a record's other fields: a start reads all accounts, and another
 * copy of each takes several times as long.
 */
export const rowReader = <F extends StoredFields>(fields: F) => {
  const entries = entriesOf(fields);
  return <Rest extends object>(row: FieldColumns<F>, rest: Rest): StoredValues<F> & Rest => {
    const given: Readonly<Record<string, unknown>> = row;
    const values: Record<string, unknown> = rest as Record<string, unknown>;
    for (const [inner, field] of entries) values[inner] = field.fromColumn(given[field.name]);
    return values as StoredValues<F> & Rest;
  };
};

/** The columns of the fields among values; other values, and undefined ones, become none. */
export const toColumns = <
  F extends StoredFields,
  Values extends { [Inner in keyof F]?: StoredValues<F>[Inner] | undefined },
>(
  fields: F,
  values: Values,
): WrittenColumns<F, Values> => {
  const given: Readonly<Record<string, unknown>> = values;
  const columns: Record<string, unknown> = {};
  for (const [inner, { name, toColumn }] of entriesOf(fields)) {
    const value = given[inner];
    if (value !== undefined) columns[name] = toColumn(value);
  }
  return columns as WrittenColumns<F, Values>;
};
