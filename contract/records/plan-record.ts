import type { Plan, PlanTerms, Subscription, SubscriptionSource } from "../api/plans";
import type { Limits } from "../management/limits";

/** A plan that is not stored yet. */
export type NewPlan = Omit<Plan, "id">;

/** An edit of a plan; missing fields stay as they are. Subscriptions keep the terms on which they were bought. */
export type PlanChange = Partial<Omit<Plan, "id" | "createdTime">>;

/** A subscription to store, and its price. */
export interface NewSubscription {
  userId: number;
  planId: number;
  terms: PlanTerms;
  /** Unix seconds. */
  startsAt: number;
  endsAt: number;
  source: SubscriptionSource;
  /** Names the purchase for ever: the same name is stored once. */
  reference: string;
  renews: boolean;
  /** Who buys or gives it; 0 for the gateway itself. */
  actorId: number;
  now: number;
  /** Quota of `terms.price` taken from the user; 0 for a plan that was paid elsewhere, or is given. */
  price: number;
  /** Maximum purchases of this plan by the user, earlier ones included; undefined for no limit. */
  mostPerUser: number | undefined;
  /** The subscription that this one takes the place of: no more than one may. */
  follows?: number | undefined;
}

/** Result of a purchase. */
export interface Subscribed {
  subscription: Subscription;
  /** It was stored before: nothing was paid now. */
  isKnown: boolean;
  /** By how much the balance moved. */
  moved: number;
}

/** A period that is to begin. */
export interface NewPlanPeriod {
  subscriptionId: number;
  number: number;
  startsAt: number;
  endsAt: number;
  now: number;
  /** Of the user's own balance, at most so much is put aside, of plans that stop at their end. */
  mostParked: number;
  /** Quota to grant, where it differs from the terms: the rest of a period that began in another gateway. */
  quota?: number;
}

/** The newest period of a subscription; unix seconds. */
export interface LastPlanPeriod {
  number: number;
  startsAt: number;
  /** When it ended, also where that was before its time. */
  endsAt: number;
  /** Quota of it that was taken back. */
  taken: number;
}

/** Result of a subscription's step. */
export interface PlanStep {
  /** By how much the user's balance moved; 0 where another person had done it. */
  moved: number;
  /** Quota of periods that are over and is still to be taken back: requests under way hold it. undefined where that stays as it is. */
  due: number | undefined;
  /** What the user's plans give and limit, where that may have changed. */
  access: PlanAccess | undefined;
}

/** What a user's active plans give beside quota, and what they limit. */
export interface PlanAccess {
  /** Separated by commas: they stand before the user's own. */
  planGroups: string;
  /** Of all of them together (contract/values/plan-limits.ts); undefined where nothing is limited. */
  planLimits: Limits | undefined;
}

/** A subscription with a due step. */
export interface DueSubscription {
  subscription: Subscription;
  /** Whether its newest period is open or done; "over" where any of them is over and not taken back as a whole. */
  period: "open" | "over" | "closed" | "none";
}
