import * as z from "zod/mini";
import { looseBoolean, looseString, maybe } from "../management/wire";
import { splitList } from "../values/split-list";
import { sameColumn, switchColumn } from "./columns";

/**
 * A setting of a resource: a field that a person may leave unset. Everything that passes it on is made from its declaration: the
 * codec of answers, the body of an edit, the column of both engines, the migration, and the input of the form.
 */
export interface Setting<Value = unknown, Wire = unknown, Column = unknown> {
  /** Its name on the wire, where an unset one is left out, and the name of its column. */
  readonly name: string;
  readonly kind: "text" | "lines" | "json" | "list" | "flag" | "choice";
  readonly column: "TEXT" | "SMALLINT";
  /** The migration that adds the column; without it the first migration does. */
  readonly since: string | undefined;
  /** The most characters of a text; undefined where nothing is typed. */
  readonly maxLength: number | undefined;
  /** The values that can be chosen, where they are listed. */
  readonly options: readonly string[];
  /** The value that stands for an unset one; the column's default. */
  readonly none: Value;
  readonly strict: z.ZodMiniType<Wire | undefined>;
  readonly loose: z.ZodMiniType<Wire>;
  /** Schema of an edit: an absent field stays as it is. */
  readonly body: z.ZodMiniType<Wire | undefined, unknown>;
  toWire(value: Value): Wire;
  fromWire(wire: Wire): Value;
  toColumn(value: Value): Column;
  fromColumn(column: Column): Value;
}

type ValueOfSetting<S> = S extends { fromWire(wire: never): infer Value } ? Value : never;
type WireOfSetting<S> = S extends { toWire(value: never): infer Wire } ? Wire : never;
type ReadOfSetting<S> = S extends { fromWire(wire: infer Wire): unknown } ? Wire : never;

/** The settings under their inner names; an unset one has its neutral value. */
export type SettingsOf<S> = { readonly [Inner in keyof S]: ValueOfSetting<S[Inner]> };
/** An edit: undefined fields stay as they are. */
export type SettingsEdit<S> = { readonly [Inner in keyof S]?: ValueOfSetting<S[Inner]> | undefined };
/** The settings of a record in memory; an unset one is undefined. */
export type ChosenSettings<S> = {
  [Inner in keyof S]?: Exclude<ValueOfSetting<S[Inner]>, "" | false> | undefined;
};
/** Result of reading settings on the wire: certain where all of them are present. */
type SettingsRead<S, Given> = {
  readonly [Inner in keyof S & keyof Given]:
    | ValueOfSetting<S[Inner]>
    | (undefined extends Given[Inner] ? undefined : never);
};
type SettingsInput<S> = { readonly [Inner in keyof S]?: ReadOfSetting<S[Inner]> | undefined };
type Answered<S> = { readonly [Inner in keyof S]: WireOfSetting<S[Inner]> | undefined };
export type SettingsWire<S> = { readonly [Inner in keyof S]?: WireOfSetting<S[Inner]> | undefined };
interface Details {
  readonly since?: string;
}

const same = <Value>(value: Value): Value => value;

const textSetting = <const Name extends string, const Kind extends "text" | "lines" | "json">(
  kind: Kind,
  name: Name,
  maxLength: number,
  { since }: Details,
) => ({
  name,
  kind,
  column: "TEXT" as const,
  since,
  maxLength,
  options: [],
  none: "",
  strict: z.optional(z.string()),
  loose: looseString,
  body: maybe(z.string().check(z.maxLength(maxLength))),
  toWire: same<string>,
  fromWire: (text: string) => text.trim(),
  ...sameColumn<string>(),
});

/** A text of at most so many characters; "" for none. */
export const textOf = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(
  name: Name,
  maxLength: number,
  details: Details = {},
) => textSetting("text", name, maxLength, details);

/** A text that may have several lines; "" for none. */
export const linesOf = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(
  name: Name,
  maxLength: number,
  details: Details = {},
) => textSetting("lines", name, maxLength, details);

/** A JSON text; "" for none. */
export const jsonOf = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(
  name: Name,
  maxLength: number,
  details: Details = {},
) => textSetting("json", name, maxLength, details);

/** Names without commas, which travel and are stored as a text with commas of at most so many characters. */
export const namesOf = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(
  name: Name,
  maxLength: number,
  { since }: Details = {},
) => ({
  name,
  kind: "list" as const,
  column: "TEXT" as const,
  since,
  maxLength,
  options: [],
  none: [] as readonly string[],
  strict: z.optional(z.string()),
  loose: looseString,
  body: maybe(z.string().check(z.maxLength(maxLength))),
  toWire: (names: readonly string[]) => names.join(","),
  fromWire: (text: string): readonly string[] => splitList(text),
  toColumn: (names: readonly string[]) => names.join(","),
  fromColumn: (text: string): readonly string[] => (text === "" ? [] : text.split(",")),
});

/** A switch that is off unless it is set. */
export const switchOf = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(
  name: Name,
  { since }: Details = {},
) => ({
  name,
  kind: "flag" as const,
  column: "SMALLINT" as const,
  since,
  maxLength: undefined,
  options: [],
  none: false as boolean,
  strict: z.optional(z.boolean()),
  loose: looseBoolean,
  body: maybe(z.boolean()),
  toWire: same<boolean>,
  fromWire: same<boolean>,
  ...switchColumn,
});

/** One of the listed values; "" where none is chosen. Any other value is read as "". */
export const choiceOf = /* @__NO_SIDE_EFFECTS__ */ <
  const Name extends string,
  const Options extends readonly string[],
>(
  name: Name,
  options: Options,
  { since }: Details = {},
) => {
  type Choice = Options[number] | "";
  const read = (text: string): Choice => options.find((option) => option === text) ?? "";
  return {
    name,
    kind: "choice" as const,
    column: "TEXT" as const,
    since,
    maxLength: undefined,
    options,
    none: "" as Choice,
    strict: z.optional(z.string()),
    loose: looseString,
    body: maybe(z.enum(["", ...options])),
    toWire: same<Choice>,
    fromWire: read,
    toColumn: (choice: Choice): string => choice,
    fromColumn: read,
  };
};

type AnySetting = Setting<unknown, unknown, unknown>;

// The types of the exported functions follow each setting; these internals are the same for all of them.
const entriesOf = (settings: object): [inner: string, setting: AnySetting][] => Object.entries(settings);

const isUnset = (value: unknown): boolean =>
  value === "" || value === false || (Array.isArray(value) && value.length === 0);

/** Settings as an answer has them, under their inner names: an unset one is undefined. */
export const settingsToWire = <S extends object>(settings: S, values: SettingsEdit<S>): Answered<S> => {
  const given: Readonly<Record<string, unknown>> = values;
  return Object.fromEntries(
    entriesOf(settings).map(([inner, setting]) => {
      const value = given[inner];
      return [inner, value === undefined || isUnset(value) ? undefined : setting.toWire(value)];
    }),
  ) as Answered<S>;
};

/** Settings as they came on the wire, under their inner names; an absent one stays absent. */
export const settingsFromWire = <S extends object, Given extends SettingsInput<S>>(
  settings: S,
  wire: Given,
): SettingsRead<S, Given> => {
  const given: Readonly<Record<string, unknown>> = { ...wire };
  return Object.fromEntries(
    entriesOf(settings)
      .filter(([inner]) => given[inner] !== undefined)
      .map(([inner, setting]) => [inner, setting.fromWire(given[inner])]),
  ) as SettingsRead<S, Given>;
};

/** The settings of a record in memory. */
export const chosenSettings = <S extends object>(settings: S, values: SettingsEdit<S>): ChosenSettings<S> => {
  const given: Readonly<Record<string, unknown>> = values;
  return Object.fromEntries(
    entriesOf(settings).map(([inner]) => [inner, isUnset(given[inner]) ? undefined : given[inner]]),
  ) as ChosenSettings<S>;
};

/** The values of unset settings. */
export const unsetSettings = <S extends object>(settings: S): SettingsOf<S> =>
  Object.fromEntries(entriesOf(settings).map(([inner, { none }]) => [inner, none])) as SettingsOf<S>;

type Bodies<S> = { [Inner in keyof S]: S[Inner] extends { body: infer Body } ? Body : never };

/** The schemas of settings in the body of an edit. */
export const settingBodies = /* @__NO_SIDE_EFFECTS__ */ <S extends object>(settings: S): Bodies<S> =>
  Object.fromEntries(entriesOf(settings).map(([inner, { body }]) => [inner, body])) as Bodies<S>;
