import type { Plan, PlanTerms, SubscriptionSource } from "../api/plans";
import type { NewApiKey } from "./api-key-record";
import type { ChannelRecord, NewChannel } from "./channel-record";
import type { NewRedemption } from "./redemption-record";
import type { Identity, NewUser } from "./user-record";

/*
 * Data of another gateway, in the form in which it is stored here: with its own ids, and with its past use. All quota
 * is whole and at least 0; times are unix seconds.
 */

export interface ImportedUser extends Omit<NewUser, "identity"> {
  id: number;
  status: number;
  identities: readonly Identity[];
  usedQuota: number;
  /** The part of `usedQuota` that no line of the log explains. */
  unloggedQuota: number;
  requestCount: number;
}

export interface ImportedApiKey extends NewApiKey {
  id: number;
  status: number;
  accessedTime: number;
  usedQuota: number;
  /** The part of `usedQuota` that was taken from the key's own quota. */
  takenQuota: number;
}

export interface ImportedChannel extends NewChannel {
  id: number;
  /** Names of keys that are out of use (ChannelRecord). */
  deadKeys: ChannelRecord["deadKeys"];
  testTime: number;
  responseTimeMs: number;
  balance: number;
  balanceUpdatedTime: number;
  usedQuota: number;
}

export interface ImportedRedemption extends NewRedemption {
  id: number;
  status: number;
  /** 0 while it is not redeemed, and so is `redeemedBy`. */
  redeemedTime: number;
  redeemedBy: number;
}

export interface ImportedOption {
  key: string;
  value: string;
  isSecret: boolean;
}

/** A line of the log. */
export interface ImportedLine {
  createdAt: number;
  userId: number;
  username: string;
  /** Type of log line (values/statuses.ts). Fields after `content` count for LOG_CONSUME only. */
  type: number;
  content: string;
  /** 0 where it is not known which. */
  tokenId: number;
  tokenName: string;
  channelId: number;
  modelName: string;
  quota: number;
  promptTokens: number;
  completionTokens: number;
  /** Of the prompt's tokens, those read from the upstream's cache and written to it; undefined where unknown. */
  cacheReadTokens?: number | undefined;
  cacheWriteTokens?: number | undefined;
  isStream: boolean;
  durationMs: number;
  firstByteMs: number | undefined;
}

/** A plan on sale, with its id. */
export type ImportedPlan = Plan;

/** A running subscription, in the period in which it is. */
export interface ImportedSubscription {
  userId: number;
  /** The plan may be gone. */
  planId: number;
  terms: PlanTerms;
  startsAt: number;
  endsAt: number;
  source: SubscriptionSource;
  /** Names the subscription for ever. */
  reference: string;
  createdTime: number;
  /** `quota` is the rest of the period, in place of the quota that the terms include. */
  period: { number: number; startsAt: number; endsAt: number; quota: number };
}
