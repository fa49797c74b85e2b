import * as z from "zod/mini";
import { entryOf, isOfType, isOptionKey } from "../options/options";
import { isAdmin, isRoot, type Role } from "../values/roles";
import { looseList, looseString } from "./wire";

/** An option of the site; values are strings on the wire, switches are "true" and "false". */
export interface Option {
  key: string;
  value: string;
}

export const optionWireSchema = z.object({ key: z.string(), value: z.string() });

const optionText = z.string().check(z.maxLength(1_000_000));

/**
 * PUT /api/option/: the value must be a JSON string (contract section 1.5). `before` is beyond the contract: the value that was read.
 * Where it is sent, an option that somebody has changed since is left as it is, and the call is refused.
 */
export const putOptionBodySchema = z.object({
  key: z.string().check(z.minLength(1), z.maxLength(64)),
  value: optionText,
  before: z.optional(optionText),
});
export type PutOptionBody = z.infer<typeof putOptionBodySchema>;

/**
 * Whether this role may change this option (docs/reference/options.md). What this version does not know is root's:
 * nobody here can say what it decides.
 */
export const mayChangeOption = (role: Role, key: string): boolean =>
  isRoot(role) || (isAdmin(role) && entryOf(key)?.changedBy === "admin");

/** Whether whoever changes this option could sign in as another, or be paid in place of the site: it takes a sign-in, an access token is not enough. */
export const decidesAccess = (key: string): boolean => entryOf(key)?.changedBy === "root-session";

/**
 * Whether an option's value is never told. Of those that other versions know, one-api's rule says it: names ending in
 * Token or Secret, to which SecretKey is added.
 */
export const isSecretOption = (key: string): boolean =>
  isOptionKey(key) ? isOfType(key, "secret") : /(?:Token|Secret|SecretKey)$/.test(key);

const optionReader = z.object({ key: z.string(), value: looseString });

export const readOptions = looseList((item): Option | undefined => {
  const parsed = optionReader.safeParse(item);
  return parsed.success ? parsed.data : undefined;
});
