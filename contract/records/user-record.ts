import type { Limits } from "../management/limits";
import type { User } from "../management/user";

/** A user with what signing in needs; the hashes never leave the server. */
export interface UserRecord {
  user: User;
  passwordHash: string;
  /** Keyed hash of the access token, undefined when there is none. */
  accessTokenHash: string | undefined;
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
  quota: number;
  group: string;
  email: string;
  githubId: string;
  wechatId: string;
  inviterId: number;
  affCode: string;
  accessToken: string | undefined;
  createdTime: number;
}

export interface UserChange {
  username?: string;
  displayName?: string;
  passwordHash?: string;
  role?: number;
  status?: number;
  group?: string;
  email?: string;
  githubId?: string;
  wechatId?: string;
  affCode?: string;
  /** Added to the balance, so that charges made meanwhile are not undone. */
  quotaDifference?: number;
  limits?: Limits;
}
