import * as z from "zod/mini";
import { looseNumber, maybe, wholeNumber } from "../management/wire";

interface LimitOptions {
  readonly since?: string;
  readonly column?: "INTEGER" | "QUOTA";
  readonly max?: number;
}

/**
 * A limit of a resource: a whole number above 0, or none. On the wire and in an edit 0 takes it away; the column, which has its
 * name on the wire, has NULL for none.
 * @param since the migration that adds the column; without it the first migration does. @param column QUOTA for an amount of
 * quota, which PostgreSQL checks. @param max the largest value that an edit may set.
 */
export const limitOf = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(
  name: Name,
  { since, column = "INTEGER", max }: LimitOptions = {},
) => ({
  name,
  column,
  since,
  max,
  strict: z.optional(z.int()),
  loose: looseNumber,
});

type Declared = Readonly<Record<string, { readonly name: string; readonly max?: number | undefined }>>;

/** Limits under their inner names; undefined where nothing is limited. In an edit undefined stays, and 0 takes away. */
export type LimitsOf<L> = { [Inner in keyof L]?: number | undefined };

/** The same with every limit, whether or not it is set. */
export type LimitValuesOf<L> = { readonly [Inner in keyof L]: number | undefined };

/** The columns of limits, by their names. */
export type LimitColumnsOf<L extends Declared> = { [Inner in keyof L as L[Inner]["name"]]: number | null };

/** Limits by their names on the wire, where 0 stands for none. */
export type NamedLimitsOf<L extends Declared> = { [Inner in keyof L as L[Inner]["name"]]: number };

type Bodies<L> = { [Inner in keyof L]: ReturnType<typeof maybe<typeof wholeNumber>> };

const mapped = <L extends Declared, Value>(
  limits: L,
  valueFor: (inner: string, name: string) => Value,
  isByName = false,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(limits).map(([inner, { name }]) => [isByName ? name : inner, valueFor(inner, name)]),
  );

/** A limit in a request: a whole number up to the declared maximum. */
export const limitNumber = ({ max = Number.MAX_SAFE_INTEGER }: { readonly max?: number | undefined } = {}) =>
  wholeNumber.check(z.maximum(max));

/** The schemas of limits in a body: a field that is absent or null leaves the limit as it is. */
export const limitBodies = /* @__NO_SIDE_EFFECTS__ */ <L extends Declared>(limits: L): Bodies<L> =>
  mapped(limits, (inner) => maybe(limitNumber(limits[inner]))) as Bodies<L>;

/** The limits of an object that has them among its other fields, as they are in an edit. */
export const pickDeclaredLimits = <L extends Declared>(
  limits: L,
  values: LimitsOf<NoInfer<L>>,
): LimitValuesOf<L> => {
  const given: Readonly<Record<string, number | undefined>> = values;
  return mapped(limits, (inner) => given[inner]) as LimitValuesOf<L>;
};

const orNone = (value: number | null | undefined): number | undefined =>
  value == null || value <= 0 ? undefined : value;

/** The limits of an object that are set. */
export const setLimitsOf = <L extends Declared>(
  limits: L,
  values: LimitsOf<NoInfer<L>>,
): LimitValuesOf<L> => {
  const given: Readonly<Record<string, number | undefined>> = values;
  return mapped(limits, (inner) => orNone(given[inner])) as LimitValuesOf<L>;
};

/** Limits by their names on the wire; those that are not set are 0. */
export const toNamedLimits = <L extends Declared>(
  limits: L,
  values: LimitsOf<NoInfer<L>> = {},
): NamedLimitsOf<L> => {
  const given: Readonly<Record<string, number | undefined>> = values;
  return mapped(limits, (inner) => given[inner] ?? 0, true) as NamedLimitsOf<L>;
};

/** The names of limits on the wire. */
export const limitNames = <L extends Declared>(limits: L): (keyof NamedLimitsOf<L>)[] =>
  Object.values(limits).map(({ name }) => name as keyof NamedLimitsOf<L>);

/** The columns that an edit writes; those of limits that stay are undefined. */
export const limitsToColumns = <L extends Declared>(
  limits: L,
  edit: LimitsOf<NoInfer<L>>,
): Partial<LimitColumnsOf<L>> => {
  const given: Readonly<Record<string, number | undefined>> = edit;
  const columnOf = (inner: string) => (given[inner] === 0 ? null : given[inner]);
  return mapped(limits, columnOf, true) as Partial<LimitColumnsOf<L>>;
};

/** The limits of a stored row. */
export const limitsFromColumns = <L extends Declared>(
  limits: L,
  row: LimitColumnsOf<L>,
): LimitValuesOf<L> => {
  const given: Readonly<Record<string, number | null>> = row;
  return mapped(limits, (_, name) => orNone(given[name])) as LimitValuesOf<L>;
};
