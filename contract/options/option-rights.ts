import { isAdmin, isRoot, type Role } from "../values/roles";
import { entryOf, isOfType, isOptionKey } from "./options";

/**
 * Whether this role may change this option (docs/reference/options.md). Options that this version does not know are
 * root's: their effect is unknown here.
 */
export const mayChangeOption = (role: Role, key: string): boolean =>
  isRoot(role) || (isAdmin(role) && entryOf(key)?.changedBy === "admin");

/**
 * Whether a person who changes this option could sign in as another, or be paid in place of the site: it takes a sign-in, an access
 * token is not enough.
 */
export const decidesAccess = (key: string): boolean => entryOf(key)?.changedBy === "root-session";

/**
 * Whether an option's value is never told. Of those that other versions know, one-api's rule says it: names ending in
 * Token or Secret, to which SecretKey is added.
 */
export const isSecretOption = (key: string): boolean =>
  isOptionKey(key) ? isOfType(key, "secret") : /(?:Token|Secret|SecretKey)$/.test(key);
