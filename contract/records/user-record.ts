import { USER_FIELDS, type User } from "../api/user";
import type { Limits } from "../management/limits";
import type { StoredValues } from "../resource/columns";
import { int, text } from "../resource/fields";
import type { SignInMethodName } from "../sign-in/methods";
import type { QuotaMove } from "./ledger-entry";
import type { PlanAccess } from "./plan-record";
import type { ProviderKey } from "./sign-in-provider-record";

/** The name of a sign-in method, or of a provider that root has added. */
export type IdentityMethod = SignInMethodName | ProviderKey;

/** An account elsewhere. */
export interface Identity {
  method: IdentityMethod;
  /** The method's id of the account; never "". */
  subject: string;
}

/** Fields that only storage has. */
const passwordHash = text("password_hash");
const createdTime = int("created_time");

const modelAliases = text("model_aliases");
const permissionSet = text("permission_set");

const { affCode, ...plain } = USER_FIELDS;
const { username, displayName, role, status, group, email, inviterId } = plain;

/** Fields whose column has the value itself. */
export const PLAIN_USER_FIELDS = { ...plain, modelAliases, permissionSet };

/** Fields that an edit sets. */
export const EDITED_USER_FIELDS = {
  ...{ username, displayName, passwordHash, role, status, group, email, affCode, modelAliases },
  permissionSet,
};

/** Fields that a creation sets. */
export const CREATED_USER_FIELDS = {
  ...{ username, passwordHash, displayName, role, group, email, inviterId, createdTime },
};

/** A user with the data of signing in; the hashes never leave the server. */
export interface UserRecord extends PlanAccess {
  user: User;
  passwordHash: string;
  /** Keyed hash of the access token, undefined for none. */
  accessTokenHash: string | undefined;
}

/** A user that was just created. */
export interface CreatedUser extends UserRecord {
  /** Reward of its inviter, limited to the balance's maximum. */
  rewardedQuota: number;
}

export interface NewUser extends StoredValues<typeof CREATED_USER_FIELDS> {
  /** Quota of every new user. */
  quota: number;
  /** Additional quota of an invited user. */
  inviteeQuota?: number;
  /** Its owner elsewhere, of who came that way. */
  identity?: Identity | undefined;
  affCode: string;
  accessToken: string | undefined;
}

export interface UserChange extends Partial<StoredValues<typeof EDITED_USER_FIELDS>> {
  /** Nothing is changed, and no such user found, where the password is another one than this by now. */
  onlyWithPasswordHash?: string;
  /** Bound to the user, replacing one of the same method. */
  identity?: Identity;
  /**
   * Lets go of the account of this method.
   * @throws StorageConflict "last-identity" where none of `keepsOneOf` remains
   */
  unbinds?: { method: IdentityMethod; keepsOneOf?: readonly IdentityMethod[] | undefined };
  /** Lets go of everything that is bound, and of second factors. */
  unbindsAll?: true;
  /** Added to the balance, so that charges made meanwhile are not undone. */
  quotaMove?: QuotaMove | undefined;
  limits?: Limits;
  /** The administrator who edits; undefined for edits by the user or the gateway. */
  actorId?: number | undefined;
}
