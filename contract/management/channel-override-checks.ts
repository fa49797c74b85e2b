import { isObject } from "../values/is-object";

/* Checks that all parts of the overrides share. */

/** Why overrides cannot be used. */
export type OverrideFaultCode =
  | "not-json"
  | "too-large"
  | "unknown-field"
  | "wrong-type"
  | "path-invalid"
  | "path-reserved"
  | "header-name"
  | "header-reserved"
  | "header-value"
  | "header-of-client"
  | "status"
  | "prompt"
  | "pass-alone";

/** @property at the field that is wrong, never a header's value. */
export class OverridesInvalid extends Error {
  override readonly name = "OverridesInvalid";
  constructor(
    readonly code: OverrideFaultCode,
    readonly at = "",
  ) {
    super(`${code} ${at}`);
  }
}

const MAX_SHOWN = 80;

/** Names that every object inherits, or that change it. */
export const UNSAFE_NAMES = new Set(["__proto__", "constructor", "prototype"]);

export const fail = (code: OverrideFaultCode, at = ""): never => {
  throw new OverridesInvalid(code, at.length > MAX_SHOWN ? `${at.slice(0, MAX_SHOWN)}…` : at);
};

export const readObject = (value: unknown, at: string): Record<string, unknown> =>
  isObject(value) ? value : fail("wrong-type", at);
