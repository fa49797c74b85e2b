import type { Plan, PlanTerms, Subscription, SubscriptionSource } from "../api/plans";

/** A plan that is not stored yet. */
export type NewPlan = Omit<Plan, "id">;

/** What an edit of a plan says; what is left out stays as it is. Subscriptions keep the terms on which they were bought. */
export type PlanChange = Partial<Omit<Plan, "id" | "createdTime">>;

/** A subscription that is to be stored, and what is paid for it. */
export interface NewSubscription {
  userId: number;
  planId: number;
  terms: PlanTerms;
  /** Unix seconds. */
  startsAt: number;
  endsAt: number;
  source: SubscriptionSource;
  /** What names the purchase for ever: the same is stored once. */
  reference: string;
  renews: boolean;
  /** Who buys or gives it; 0 for the gateway itself. */
  actorId: number;
  now: number;
  /** Quota of `terms.price` that is taken of the user; 0 for what was paid elsewhere, or is given. */
  price: number;
  /** How often the user may buy this plan, with what was bought before; undefined where that does not count. */
  mostPerUser: number | undefined;
  /** The subscription that this one takes the place of: no more than one may. */
  follows?: number | undefined;
}

/** What became of a purchase. */
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
  /** Quota to grant, where that is not what the terms include: the rest of a period that began in another gateway. */
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

/** What a step of a subscription did. */
export interface PlanStep {
  /** By how much the user's balance moved; 0 where another person had done it. */
  moved: number;
  /** Quota of periods that are over and is still to be taken back: requests under way hold it. undefined where that stays as it is. */
  due: number | undefined;
  /** The groups of the user's plans, separated by commas, where they may have changed. */
  groups: string | undefined;
}

/** What is to be done about a subscription. */
export interface DueSubscription {
  subscription: Subscription;
  /** Whether its newest period is open or done; "over" where any of them is over and not taken back as a whole. */
  period: "open" | "over" | "closed" | "none";
}
