import { encodeIdentities, encodeUserBody, type User } from "@tollgate/contract/api/user";
import { readGroups } from "@tollgate/contract/management/group";
import { hasWholeAliases } from "@tollgate/contract/management/model-aliases";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import * as z from "zod/mini";
import { changedLimits, type LimitFields, limitFieldSchemas, toLimitFields } from "../../lib/limit-fields";
import { mergeEdits } from "../../lib/merge-edits";
import { readWholeNumber } from "../../lib/typed-number";

/** A user as an administrator's form fields. */
export interface UserFields extends LimitFields {
  username: string;
  /** "" keeps the current one. */
  password: string;
  displayName: string;
  groups: string[];
  quota: string;
  /** JSON text; "" for none. */
  modelAliases: string;
  /** The id of an administrator's set of permissions; "" for none. */
  permissionSet: string;
}

const isQuota = (text: string): boolean => {
  const quota = readWholeNumber(text);
  return quota >= 0 && quota <= MAX_QUOTA;
};

/** Mistakes are locale keys. */
export const userFieldsSchema = z.object({
  username: z.string(),
  password: z.string(),
  displayName: z.string(),
  groups: z.array(z.string()),
  quota: z.string().check(z.refine(isQuota, "field.wholeNumber")),
  modelAliases: z.string().check(z.refine(hasWholeAliases, "alias.invalid")),
  permissionSet: z.string(),
  ...limitFieldSchemas,
});

export const toUserFields = (user: User): UserFields => ({
  username: user.username,
  password: "",
  displayName: user.displayName,
  groups: readGroups(user.group),
  quota: String(user.quota),
  modelAliases: user.modelAliases ?? "",
  permissionSet: user.permissionSet ?? "",
  ...toLimitFields(user.limits),
});

const toGroups = (names: readonly string[]): string => readGroups(names.join(",")).join(",");

/** The values of an account that the form edits. */
const toValues = (fields: UserFields) => ({
  username: fields.username.trim(),
  displayName: fields.displayName.trim(),
  group: toGroups(fields.groups),
  quota: readWholeNumber(fields.quota),
});

/**
 * The user's fields and the id (specification section 7): the account as it is `now`, with the form's changes since
 * `before`. Counters and fields with their own buttons (role, status) are left out. An unedited quota is marked as
 * such: the gateway then leaves the balance alone, whatever is used meanwhile.
 */
export const toUserBody = (now: User, fields: UserFields, before: UserFields) => {
  const [typed, shown] = [toValues(fields), toValues(before)];
  const body = {
    id: now.id,
    ...mergeEdits(typed, shown, { ...now, group: toGroups([now.group]) }),
    password: fields.password,
    email: now.email,
    ...(typed.quota === shown.quota ? { originalQuota: now.quota } : {}),
    // Another server does not know aliases.
    ...(fields.modelAliases === before.modelAliases ? {} : { modelAliases: fields.modelAliases }),
    // Root alone may send it.
    ...(fields.permissionSet === before.permissionSet ? {} : { permissionSet: fields.permissionSet }),
    ...changedLimits(fields, before),
  };
  return { ...encodeUserBody(body), ...encodeIdentities(now.identities) };
};
