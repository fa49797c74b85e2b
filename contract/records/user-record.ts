import type { User } from "../api/user";
import type { Limits } from "../management/limits";
import type { SignInMethodName } from "../sign-in/methods";
import type { QuotaMove } from "./ledger-entry";

/** An account elsewhere. */
export interface Identity {
  method: SignInMethodName;
  /** The method's id of the account; never "". */
  subject: string;
}

/** A user with the data of signing in; the hashes never leave the server. */
export interface UserRecord {
  user: User;
  passwordHash: string;
  /** Keyed hash of the access token, undefined for none. */
  accessTokenHash: string | undefined;
  /** The groups of the user's plans, separated by commas: they stand before the user's own. */
  planGroups: string;
}

/** A user that was just created. */
export interface CreatedUser extends UserRecord {
  /** Reward of its inviter, limited to the balance's maximum. */
  rewardedQuota: number;
}

export interface NewUser {
  username: string;
  passwordHash: string;
  displayName: string;
  role: number;
  /** Quota of every new user. */
  quota: number;
  /** Additional quota of an invited user. */
  inviteeQuota?: number;
  group: string;
  email: string;
  /** Its owner elsewhere, of who came that way. */
  identity?: Identity | undefined;
  inviterId: number;
  affCode: string;
  accessToken: string | undefined;
  createdTime: number;
}

export interface UserChange {
  username?: string;
  displayName?: string;
  passwordHash?: string;
  /** Nothing is changed, and no such user found, where the password is another one than this by now. */
  onlyWithPasswordHash?: string;
  role?: number;
  status?: number;
  group?: string;
  email?: string;
  /** Bound to the user, replacing one of the same method. */
  identity?: Identity;
  /** Lets go of everything that is bound. */
  unbindsAll?: true;
  affCode?: string;
  /** Added to the balance, so that charges made meanwhile are not undone. */
  quotaMove?: QuotaMove | undefined;
  limits?: Limits;
  /** The administrator who edits; undefined for edits by the user or the gateway. */
  actorId?: number | undefined;
}
