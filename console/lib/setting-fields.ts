import { type SettingsEdit, type SettingsWire, settingsToWire } from "@tollgate/contract/resource/settings";
import { splitList } from "@tollgate/contract/values/split-list";
import * as z from "zod/mini";

interface Declared {
  readonly kind: "text" | "lines" | "json" | "list" | "flag" | "choice";
  readonly options: readonly string[];
}

type Declarations = Readonly<Record<string, Declared>>;

/** Settings as form fields: lists of names are one text, separated by commas or lines. */
export type SettingFields<S extends Declarations> = {
  [Inner in keyof S]: S[Inner]["kind"] extends "flag"
    ? boolean
    : S[Inner]["kind"] extends "choice"
      ? S[Inner]["options"][number] | ""
      : string;
};

/** The fields of unset settings. */
export const noSettings = <S extends Declarations>(settings: S): SettingFields<S> =>
  Object.fromEntries(
    Object.entries(settings).map(([inner, { kind }]) => [inner, kind === "flag" ? false : ""]),
  ) as SettingFields<S>;

type FieldSchemas<S extends Declarations> = {
  [Inner in keyof S]: z.ZodMiniType<SettingFields<S>[Inner], SettingFields<S>[Inner]>;
};

/** The schemas of settings in a form. */
export const settingSchemas = <S extends Declarations>(settings: S): FieldSchemas<S> =>
  Object.fromEntries(
    Object.entries(settings).map(([inner, { kind, options }]) => [
      inner,
      kind === "flag" ? z.boolean() : kind === "choice" ? z.enum(["", ...options]) : z.string(),
    ]),
    // TypeScript loses the kinds in the list of entries; the fields' type restores them.
  ) as unknown as FieldSchemas<S>;

/** The fields of a record's settings. */
export const toSettingFields = <S extends Declarations>(
  settings: S,
  values: SettingsEdit<S>,
): SettingFields<S> => {
  const wire: Readonly<Record<string, unknown>> = settingsToWire(settings, values);
  return Object.fromEntries(
    Object.entries(settings).map(([inner, { kind }]) => {
      const set = wire[inner];
      if (kind === "list") return [inner, splitList(String(set ?? "")).join("\n")];
      return [inner, set ?? (kind === "flag" ? false : "")];
    }),
  ) as SettingFields<S>;
};

const isTyped = ({ kind }: Declared): boolean => kind === "lines" || kind === "list";

/** A field as sent: several lines are joined with commas. */
const sentOf = (declared: Declared, value: unknown): unknown =>
  isTyped(declared) ? splitList(String(value)).join(",") : typeof value === "string" ? value.trim() : value;

/** Settings to send: those that differ from `before`. Other servers know none of them. */
export const changedSettings = <S extends Declarations>(
  settings: S,
  fields: NoInfer<SettingFields<S>>,
  before: NoInfer<SettingFields<S>>,
): SettingsWire<S> =>
  Object.fromEntries(
    Object.entries(settings)
      .map(([inner, declared]) => [inner, sentOf(declared, fields[inner]), sentOf(declared, before[inner])])
      .filter(([, now, then]) => now !== then)
      .map(([inner, now]) => [inner, now]),
  ) as SettingsWire<S>;

/** Whether any of these settings is set in a form. */
export const hasSettings = <S extends Declarations>(
  settings: S,
  fields: NoInfer<SettingFields<S>>,
): boolean => Object.keys(settings).some((inner) => fields[inner] !== "" && fields[inner] !== false);
