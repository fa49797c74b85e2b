import type { Limits } from "../management/limits";
import type { QuotaMove } from "./ledger-entry";

/** What the relay needs of a token: everything but the key itself. */
export interface TokenRecord {
  id: number;
  userId: number;
  keyHash: string;
  status: number;
  name: string;
  expiredTime: number;
  remainQuota: number;
  unlimitedQuota: boolean;
  models: readonly string[];
  subnet: string;
  /** "" for its user's groups. */
  group: string;
  autoGroups: readonly string[];
  /** No other model answers in place of the one that a request names. */
  hasNoFallbacks?: boolean;
  /** Decision about fields that an upstream's protocol has no place for; "" for the site's. */
  unsupportedFields?: string;
  limits: Limits | undefined;
}

/** What a key may use, and from where; what is left out stays as it is. */
export interface TokenAccess {
  /** None for all. */
  models?: readonly string[] | undefined;
  /** "" for anywhere. */
  subnet?: string | undefined;
  /** A group, AUTO_GROUP, or "" for its user's groups. */
  group?: string | undefined;
  /** None for the site's list. */
  autoGroups?: readonly string[] | undefined;
  hasNoFallbacks?: boolean | undefined;
  /** "" for the site's decision. */
  unsupportedFields?: string | undefined;
  limits?: Limits;
}

export interface NewToken extends TokenAccess {
  userId: number;
  key: string;
  name: string;
  createdTime: number;
  expiredTime: number;
  remainQuota: number;
  unlimitedQuota: boolean;
}

/** What an edit writes. The quota is a difference, so that charges made meanwhile are not undone. */
export interface TokenChange {
  name?: string;
  status?: number;
  expiredTime?: number;
  unlimitedQuota?: boolean;
  remainQuotaMove?: QuotaMove | undefined;
  access?: TokenAccess;
}
