import type { JsonFormat, RatioNames } from "./option-entry";

/*
 * What the type of an option brings into its entry: its default, and what the type needs besides. Types are functions, so
 * that an entry fits a line.
 */

export const toggle = /* @__NO_SIDE_EFFECTS__ */ (value: boolean) =>
  ({ type: "switch", default: value }) as const;

export const whole = /* @__NO_SIDE_EFFECTS__ */ (value: number, min: number, max: number) =>
  ({ type: "whole", default: value, min, max }) as const;

export const decimal = /* @__NO_SIDE_EFFECTS__ */ (value: number, min: number, max: number) =>
  ({ type: "decimal", default: value, min, max }) as const;

export const quota = /* @__NO_SIDE_EFFECTS__ */ (value: number) =>
  ({ type: "quota", default: value, min: 0, max: Number.MAX_SAFE_INTEGER }) as const;

export const text = /* @__NO_SIDE_EFFECTS__ */ (value = "") => ({ type: "text", default: value }) as const;

export const area = /* @__NO_SIDE_EFFECTS__ */ () => ({ type: "area", default: "" }) as const;

export const address = /* @__NO_SIDE_EFFECTS__ */ () => ({ type: "url", default: "" }) as const;

export const domains = /* @__NO_SIDE_EFFECTS__ */ (value: string) =>
  ({ type: "domains", default: value }) as const;

export const secret = /* @__NO_SIDE_EFFECTS__ */ () => ({ type: "secret", default: "" }) as const;

export const choice = /* @__NO_SIDE_EFFECTS__ */ <const Choice extends string>(
  value: NoInfer<Choice>,
  choices: readonly Choice[],
) => ({ type: "choice", default: value, choices }) as const;

export const ratios = /* @__NO_SIDE_EFFECTS__ */ <
  const Value extends Readonly<Record<string, number>> | "from-vendors",
>(
  names: RatioNames,
  value: Value,
) => ({ type: "ratios", default: value, names }) as const;

export const json = /* @__NO_SIDE_EFFECTS__ */ (format: JsonFormat, value: "{}" | "[]" = "{}") =>
  ({ type: "json", default: value, format }) as const;
