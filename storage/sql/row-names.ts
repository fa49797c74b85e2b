/*
 * Columns have the names of the fields that they store, in snake case: `created_at` stores `createdAt`. Repositories write down
 * only columns of which that is not all: another name, another type, or a secret.
 */

type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

type Snake<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : Name;

/** A row under the names of its fields. */
export type FieldsOf<Row> = { [Name in keyof Row as Camel<Name>]: Row[Name] };

/** Fields under the names of their columns. */
export type ColumnsOf<Fields> = { [Name in keyof Fields as Snake<Name>]: Fields[Name] };

/** A function of names that computes each once. */
const cached = (convert: (name: string) => string): ((name: string) => string) => {
  const known = new Map<string, string>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const converted = convert(name);
    known.set(name, converted);
    return converted;
  };
};

const toCamel = cached((name) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()));
const toSnake = cached((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

const rename = (values: object, toName: (name: string) => string): unknown =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [toName(name), value]));

/** Gives the columns of a row the names of their fields. */
export const fieldsOf = <Row extends object>(row: Row): FieldsOf<Row> =>
  // TypeScript does not follow names through a function of strings; the types of this file do.
  rename(row, toCamel) as FieldsOf<Row>;

/** Gives fields the names of their columns. What is undefined is not written. */
export const columnsOf = <Fields extends object>(fields: Fields): ColumnsOf<Fields> =>
  rename(fields, toSnake) as ColumnsOf<Fields>;

/** A switch as it is stored. */
export const flagColumn = (isOn: boolean | undefined) => (isOn === undefined ? undefined : Number(isOn));
