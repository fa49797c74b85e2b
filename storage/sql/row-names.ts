import { type Camel, type Snake, toCamel, toSnake } from "@tollgate/contract/values/name-case";

/*
 * Columns have the names of the fields that they store, in snake case: `created_at` stores `createdAt`. Repositories write down
 * only columns of which that is not all: another name, another type, or a secret.
 */

/** A row under the names of its fields. */
export type FieldsOf<Row> = { [Name in keyof Row as Camel<Name>]: Row[Name] };

/** Fields under the names of their columns. */
export type ColumnsOf<Fields> = { [Name in keyof Fields as Snake<Name>]: Fields[Name] };

const rename = (values: object, toName: (name: string) => string): unknown =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [toName(name), value]));

/** Gives the columns of a row the names of their fields. */
export const fieldsOf = <Row extends object>(row: Row): FieldsOf<Row> =>
  // TypeScript does not follow names through a function of strings; the types of this file do.
  rename(row, toCamel) as FieldsOf<Row>;

/** Renames fields to their columns. Undefined fields are not written. */
export const columnsOf = <Fields extends object>(fields: Fields): ColumnsOf<Fields> =>
  rename(fields, toSnake) as ColumnsOf<Fields>;

/** A switch as it is stored. */
export const flagColumn = (isOn: boolean | undefined) => (isOn === undefined ? undefined : Number(isOn));
