import type { User } from "../api/user";
import type { Limits } from "../management/limits";
import type { SignInMethodName } from "../sign-in/methods";
import type { QuotaMove } from "./ledger-entry";

/** An account elsewhere. */
export interface Identity {
  method: SignInMethodName;
  /** What the method calls it; never "". */
  subject: string;
}

/** A user with what signing in needs; the hashes never leave the server. */
export interface UserRecord {
  user: User;
  passwordHash: string;
  /** Keyed hash of the access token, undefined when there is none. */
  accessTokenHash: string | undefined;
  /** The groups of the user's plans, separated by commas: they stand before the user's own. */
  planGroups: string;
}

/** A user that was just created. */
export interface CreatedUser extends UserRecord {
  /** What its inviter was given: at most what fits into a balance. */
  rewardedQuota: number;
}

export interface NewUser {
  username: string;
  passwordHash: string;
  displayName: string;
  role: number;
  /** What every new user is given. */
  quota: number;
  /** What it is given moreover because it was invited. */
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
  /** Bound to the user, in place of what was bound of this method before. */
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
