import { findWays } from "@tollgate/vendors/ways";
import { readServiceAccount } from "./service-account";

/**
 * The parts of a channel's key: one, unless its vendor joins several.
 * @param type the channel's.
 */
export const splitKey = (type: number, key: string): string[] => {
  const separator = findWays(type).keyForms?.separator;
  if (separator === undefined) return [key];
  if (separator === "service-account") return key.startsWith("{") ? (readServiceAccount(key) ?? [""]) : [key];
  if (separator !== ".") return key.split(separator);
  const at = key.indexOf(separator);
  return at === -1 ? [key] : [key.slice(0, at), key.slice(at + 1)];
};

/** Whether a key has one of the forms that its vendor's keys have. */
export const isKeyWellFormed = (type: number, key: string): boolean => {
  const { keyForms } = findWays(type);
  const parts = splitKey(type, key);
  if (parts.some((part) => part === "")) return false;
  return keyForms === undefined || keyForms.forms.some((form) => form.parts === parts.length);
};
