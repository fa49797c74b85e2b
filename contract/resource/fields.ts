import * as z from "zod/mini";
import { looseBoolean, looseNumber, looseString } from "../management/wire";
import { sameColumn, switchColumn } from "./columns";

/** A field of a resource: its name on the wire, the server's schema of it, and the reading of any server's answer. */
interface Field {
  readonly name: string;
  readonly strict: z.ZodMiniType;
  readonly loose: z.ZodMiniType;
}

export type Fields = Readonly<Record<string, Field>>;

/** Values of fields, under their inner names; one that may be absent may be left out. */
export type FieldValues<F extends Fields> = z.output<
  z.ZodMiniObject<{ [Name in keyof F]: F[Name]["strict"] }>
>;

export const int = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.int(),
  loose: looseNumber,
  ...sameColumn<number>(),
});
export const text = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.string(),
  loose: looseString,
  ...sameColumn<string>(),
});
export const flag = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.boolean(),
  loose: looseBoolean,
  ...switchColumn,
});

/** A text that is not there where nothing is set. */
export const maybeText = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.optional(z.string()),
  loose: looseString,
});

/** A switch that is not there where it is off. */
export const maybeFlag = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.optional(z.boolean()),
  loose: looseBoolean,
});

/** A whole number that is not there where nothing is known. */
export const maybeInt = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.optional(z.int()),
  loose: z.catch(z.optional(looseNumber), undefined),
});

/** A number that may have a fraction. */
export const decimal = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.number(),
  loose: looseNumber,
  ...sameColumn<number>(),
});

/** A number that may have a fraction, and is not there where nothing is known. */
export const maybeDecimal = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.optional(z.number()),
  loose: z.catch(z.optional(z.number()), undefined),
});

/** A text that is always "" in our answers. */
export const noText = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.literal(""),
  loose: looseString,
});

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type Side<F extends Fields, S extends "strict" | "loose"> = { [Inner in keyof F]: F[Inner][S] };
type LooseValues<F extends Fields> = z.output<z.ZodMiniObject<Side<F, "loose">>>;
type InnerOf<S extends Shape> = z.output<z.ZodMiniObject<S>>;
type Wire<F extends Fields, Values> = {
  [Inner in keyof Values & keyof F as F[Inner]["name"]]: Values[Inner];
};

/** Pairs of an existing name and the new name; fields without a pair are left out. */
type Pairs = readonly (readonly [from: string, to: string])[];

const rename = (values: object, pairs: Pairs): Record<string, unknown> => {
  const given: Readonly<Record<string, unknown>> = { ...values };
  const renamed: Record<string, unknown> = {};
  for (const [from, to] of pairs) if (from in given) renamed[to] = given[from];
  return renamed;
};

const toWirePairs = (fields: Fields): Pairs =>
  Object.entries(fields).map(([inner, { name }]) => [inner, name]);
const toInnerPairs = (fields: Fields): Pairs =>
  Object.entries(fields).map(([inner, { name }]) => [name, inner]);

/** Renames the fields of an object to their names on the wire; unknown fields are left out. */
export const toWireNames = <F extends Fields, const Values extends object>(
  fields: F,
  values: Values,
): Wire<F, Values> =>
  // TypeScript does not follow names through pairs; the types of this file do.
  rename(values, toWirePairs(fields)) as Wire<F, Values>;

type Inner<F extends Fields, Values> = {
  [Name in keyof F as F[Name]["name"] extends keyof Values ? Name : never]: Values[F[Name]["name"] &
    keyof Values];
};

/** Renames the fields of the wire to their inner names; unknown fields are left out. */
export const toInnerNames = <F extends Fields, Values extends object>(
  fields: F,
  values: Values,
): Inner<F, Values> => rename(values, toInnerPairs(fields)) as Inner<F, Values>;

/** An object as it travels on one side, and under the names that it has inside on the other. */
export type ResourceCodec<F extends Fields, S extends Shape> = z.ZodMiniCodec<
  z.ZodMiniObject<Wire<F, S>>,
  z.ZodMiniType<InnerOf<S>, InnerOf<S>>
>;

/**
 * A codec between an object as it travels and the same object under the names that it has inside.
 * @param shape the schemas of its values by the names that they have inside; of all the fields, or of some
 */
export const codecOf = /* @__NO_SIDE_EFFECTS__ */ <F extends Fields, S extends Shape>(
  fields: F,
  shape: S,
): ResourceCodec<F, S> => {
  const toWire = toWirePairs(fields);
  const toInner = toInnerPairs(fields);
  const wire: Shape = toWireNames(fields, shape);
  const codec = z.codec(z.object(wire), z.custom<object>(), {
    decode: (values) => rename(values, toInner),
    encode: (values) => rename(values, toWire),
  });
  return codec as unknown as ResourceCodec<F, S>;
};

/** The schemas of all fields for one of two purposes: this server's answers, or reading any server's answers. */
export const schemasOf = /* @__NO_SIDE_EFFECTS__ */ <F extends Fields, S extends "strict" | "loose">(
  fields: F,
  side: S,
): Side<F, S> =>
  Object.fromEntries(Object.entries(fields).map(([inner, field]) => [inner, field[side]])) as Side<F, S>;

/** The values of these fields among others. */
export const pickFields = <F extends object, Values extends object>(
  fields: F,
  values: Values,
): Pick<Values, keyof F & keyof Values> => {
  const picked = Object.entries(values).filter(([inner]) => Object.hasOwn(fields, inner));
  return Object.fromEntries(picked) as Pick<Values, keyof F & keyof Values>;
};

/** The neutral values of fields, which an answer without them is read as. */
export const blankOf = /* @__NO_SIDE_EFFECTS__ */ <F extends Fields>(fields: F): LooseValues<F> =>
  z.object(schemasOf(fields, "loose")).parse({}) as LooseValues<F>;
