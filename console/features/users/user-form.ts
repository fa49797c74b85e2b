import type { UpdateUserBody, User } from "@tollgate/contract/control/user";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import * as z from "zod/mini";
import { changedLimits, type LimitFields, limitFieldSchemas, toLimitFields } from "../../lib/limit-fields";

/** A user as an administrator's form holds it. */
export interface UserFields extends LimitFields {
  username: string;
  /** "" leaves it as it is. */
  password: string;
  displayName: string;
  group: string;
  quota: string;
}

/** The group of users that name none (specification section 9). */
export const DEFAULT_GROUP = "default";

const isQuota = (text: string): boolean => {
  const quota = Number.parseInt(text, 10);
  return quota >= 0 && quota <= MAX_QUOTA;
};

/** Mistakes are named by their locale keys. */
export const userFieldsSchema = z.object({
  username: z.string(),
  password: z.string(),
  displayName: z.string(),
  group: z.string(),
  quota: z.string().check(z.refine(isQuota, "field.quotaInvalid")),
  ...limitFieldSchemas,
});

export const toUserFields = (user: User): UserFields => ({
  username: user.username,
  password: "",
  displayName: user.displayName,
  group: user.group || DEFAULT_GROUP,
  quota: String(user.quota),
  ...toLimitFields(user.limits),
});

/** PUT /api/user/: what is left out stays as it is. */
export type UserPatch = Partial<UpdateUserBody> & { id: number };

/**
 * Only what differs from `before` is sent. A quota that was not touched must not travel: what was used since the page
 * was opened would be handed back.
 */
export const toUserPatch = (id: number, fields: UserFields, before: UserFields): UserPatch => {
  const values = {
    username: fields.username.trim(),
    password: fields.password,
    display_name: fields.displayName.trim(),
    group: fields.group.trim() || DEFAULT_GROUP,
    quota: Number.parseInt(fields.quota, 10),
  };
  const old: Record<string, unknown> = {
    username: before.username,
    password: "",
    display_name: before.displayName,
    group: before.group,
    quota: Number.parseInt(before.quota, 10),
  };
  return {
    id,
    ...Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== old[name])),
    ...changedLimits(fields, before),
  };
};
