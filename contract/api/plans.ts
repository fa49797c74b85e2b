import * as z from "zod/mini";
import { LIMITS, type Limits, limitBody, readLimits } from "../management/limits";
import { idNumber, maybe, wholeNumber } from "../management/wire";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { codecOf, flag, int, pickFields, text } from "../resource/fields";
import { listOf, mapped, resource } from "../resource/resource";

/*
 * Plans: quota that is bought for a time and comes again every day, week or month (docs/reference/plans.md): /api/plan/… and
 * /api/subscription/…. Not part of the one-api contract; another server answers these calls with 404.
 */

/** Units of a plan's duration. */
export const PLAN_TIMES = ["day", "week", "month", "year"] as const;
export type PlanTime = (typeof PLAN_TIMES)[number];

/** When the included quota comes again. */
export const PLAN_RESETS = ["never", "day", "week", "month"] as const;
export type PlanReset = (typeof PLAN_RESETS)[number];

/** Source of charges after the included quota: the user's balance, or none, since that is put aside meanwhile. */
export const PLAN_BEYONDS = ["balance", "stop"] as const;
export type PlanBeyond = (typeof PLAN_BEYONDS)[number];

export const MAX_PLAN_TITLE = 60;
export const MAX_PLAN_TEXT = 500;
export const MAX_PLAN_GROUP = 32;
/** How many units of time a plan may last. */
export const MAX_PLAN_DURATION = 1000;
/** How many plans there may be. */
export const MAX_PLANS = 200;

/** The copy of its plan's terms that a subscription keeps from its purchase. */
export interface PlanTerms {
  title: string;
  /** Quota that is paid for all of the duration. */
  price: number;
  durationUnit: PlanTime;
  durationCount: number;
  /** Quota that is included in each period. */
  quota: number;
  reset: PlanReset;
  /** Stands first among the user's groups while it lasts; "" for none. */
  group: string;
  beyond: PlanBeyond;
  /** Limits of its subscriber while it lasts; undefined where it limits nothing. */
  limits?: Limits | undefined;
}

export interface Plan extends PlanTerms {
  id: number;
  description: string;
  /** How often one user may buy it; 0 for as often as they like. */
  maxPerUser: number;
  isEnabled: boolean;
  /** Plans are offered in this order, those with the same in the order in which they were made. */
  sortOrder: number;
  createdTime: number;
}

const choice = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string, const Value extends string>(
  name: Name,
  values: readonly [Value, ...Value[]],
) => ({ name, strict: z.enum(values), loose: z.catch(z.enum(values), values[0]) });

const termFields = {
  title: text("title"),
  price: int("price"),
  durationUnit: choice("duration_unit", PLAN_TIMES),
  durationCount: int("duration_count"),
  quota: int("quota"),
  reset: choice("reset", PLAN_RESETS),
  group: text("group"),
  beyond: choice("beyond", PLAN_BEYONDS),
};

const planFields = {
  id: int("id"),
  ...termFields,
  description: text("description"),
  maxPerUser: int("max_per_user"),
  isEnabled: flag("is_enabled"),
  sortOrder: int("sort_order"),
  createdTime: int("created_time"),
};

/** Limits travel beside the other fields, and only those that are set. */
const besides = <Values extends { limits?: Limits | undefined }>({ limits, ...values }: Values) => ({
  ...values,
  ...limits,
});

/** A plan, as answers have it. */
export const plan = mapped(resource({ ...planFields, ...LIMITS }), {
  encode: (value: Plan) => besides(value),
  read: (read): Plan => ({ ...pickFields(planFields, read), limits: readLimits(pickFields(LIMITS, read)) }),
});
export type PlanWire = z.infer<typeof plan.schema>;

/** An administrator's body of a plan; in a change, missing fields stay as they are. */
export const planBody = codecOf(
  { ...planFields, ...LIMITS },
  {
    title: maybe(z.string()),
    description: maybe(z.string()),
    price: maybe(wholeNumber),
    durationUnit: maybe(z.enum(PLAN_TIMES)),
    durationCount: maybe(z.int()),
    quota: maybe(wholeNumber),
    reset: maybe(z.enum(PLAN_RESETS)),
    group: maybe(z.string()),
    beyond: maybe(z.enum(PLAN_BEYONDS)),
    maxPerUser: maybe(wholeNumber),
    isEnabled: maybe(z.boolean()),
    sortOrder: maybe(z.int()),
    ...limitBody,
  },
);
export type PlanBody = z.output<typeof planBody>;

/** "waiting": it begins when the one that it follows ends. */
export const SUBSCRIPTION_STATES = ["waiting", "active", "ended"] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** Who paid: the balance at a purchase or by itself, a payment, or no one because an administrator gave it. */
export const SUBSCRIPTION_SOURCES = ["balance", "renewal", "payment", "gift"] as const;
export type SubscriptionSource = (typeof SUBSCRIPTION_SOURCES)[number];

/** Why it is over; "" while it is not. */
export const SUBSCRIPTION_ENDS = ["", "expired", "ended"] as const;
export type SubscriptionEnd = (typeof SUBSCRIPTION_ENDS)[number];

/** A subscription, with its owner. */
export interface ShownSubscription extends Subscription {
  /** "" of a user that is not known. */
  username: string;
}

/** A subscription, on the terms of its purchase. */
export interface Subscription extends PlanTerms {
  id: number;
  userId: number;
  planId: number;
  startsAt: number;
  endsAt: number;
  state: SubscriptionState;
  source: SubscriptionSource;
  endReason: SubscriptionEnd;
  /** Whether it is bought again from the balance when it ends. */
  renews: boolean;
  createdTime: number;
  /** The current period; 0 for none. Unix seconds. */
  period: number;
  periodStartsAt: number;
  periodEndsAt: number;
  /** Quota of the period: granted, left and charged. */
  granted: number;
  left: number;
  spent: number;
  /** The part of the user's own balance put aside while a plan of theirs stops at its end. */
  parked: number;
}

const subscriptionFields = {
  id: int("id"),
  userId: int("user_id"),
  username: text("username"),
  planId: int("plan_id"),
  ...termFields,
  startsAt: int("starts_at"),
  endsAt: int("ends_at"),
  state: choice("state", SUBSCRIPTION_STATES),
  source: choice("source", SUBSCRIPTION_SOURCES),
  endReason: choice("end_reason", SUBSCRIPTION_ENDS),
  renews: flag("renews"),
  createdTime: int("created_time"),
  period: int("period"),
  periodStartsAt: int("period_starts_at"),
  periodEndsAt: int("period_ends_at"),
  granted: int("granted"),
  left: int("left"),
  spent: int("spent"),
  parked: int("parked"),
};

/** A subscription, as answers have it. */
export const subscription = mapped(resource({ ...subscriptionFields, ...LIMITS }), {
  encode: (value: ShownSubscription) => besides(value),
  read: (read): ShownSubscription => ({
    ...pickFields(subscriptionFields, read),
    limits: readLimits(pickFields(LIMITS, read)),
  }),
});

/** Sortable columns of subscriptions, without the rest of their quota, which is computed from their users' use. */
export const SUBSCRIPTION_SORTS = [
  "id",
  "username",
  "title",
  "state",
  "source",
  "starts_at",
  "ends_at",
] as const;
export type SubscriptionSort = (typeof SUBSCRIPTION_SORTS)[number];

export const listPlans = endpoint({
  method: "GET",
  path: "/api/plan",
  guard: "admin",
  area: "plans",
  summary: "All plans, in the order of the offer",
  data: listOf(plan),
  reads: "plans",
});

export const listOfferedPlans = endpoint({
  method: "GET",
  path: "/api/plan/offered",
  guard: "user",
  summary: "The plans that users can buy; empty when the site offers none",
  data: listOf(plan),
  reads: "plans",
});

export const getPlan = endpoint({
  method: "GET",
  path: "/api/plan/:id",
  guard: "admin",
  area: "plans",
  summary: "One plan",
  data: plan,
  reads: "plans",
});

export const createPlan = endpoint({
  method: "POST",
  path: "/api/plan/",
  guard: "admin",
  needsPresence: true,
  area: "plans",
  summary: "Creates a plan",
  body: planBody,
  data: plan,
  changes: ["plans"],
});

export const changePlan = endpoint({
  method: "PUT",
  path: "/api/plan/:id",
  guard: "admin",
  needsPresence: true,
  area: "plans",
  summary: "Changes a plan; present subscriptions keep their terms",
  body: planBody,
  data: plan,
  changes: ["plans"],
});

export const deletePlan = endpoint({
  method: "DELETE",
  path: "/api/plan/:id",
  guard: "admin",
  area: "plans",
  summary: "Deletes a plan; present subscriptions run until their end, and are not renewed",
  changes: ["plans"],
});

export const listOwnSubscriptions = endpoint({
  method: "GET",
  path: "/api/subscription/self",
  guard: "user",
  summary: "The caller's subscriptions, the newest first, with the remaining quota of their periods",
  data: listOf(subscription),
  reads: "subscriptions",
});

export const listSubscriptions = endpoint({
  method: "GET",
  path: "/api/subscription/",
  guard: "admin",
  area: "plans",
  summary: "A page of the subscriptions, the newest first",
  query: {
    ...PAGE_PARAMETER,
    ...SORT_PARAMETER,
    user_id: "Only those of this user.",
    plan_id: "Only those of this plan.",
  },
  sorts: SUBSCRIPTION_SORTS,
  data: listOf(subscription),
  reads: "subscriptions",
});

export const buyPlan = endpoint({
  method: "POST",
  path: "/api/subscription/",
  guard: "user",
  summary: "Buys a plan from the balance, to begin now or after a plan that the caller has",
  /** `follows` is the subscription after whose end it begins; left out, it begins now. */
  body: z.object({ plan_id: idNumber, follows: maybe(idNumber), renews: maybe(z.boolean()) }),
  data: subscription,
  changes: ["subscriptions", "users"],
});

export const givePlan = endpoint({
  method: "POST",
  path: "/api/subscription/given",
  guard: "admin",
  needsPresence: true,
  area: "plans",
  summary: "Gives a user a plan",
  body: z.object({ plan_id: idNumber, user_id: idNumber }),
  data: subscription,
  changes: ["subscriptions"],
});

export const setRenews = endpoint({
  method: "PUT",
  path: "/api/subscription/:id/renews",
  guard: "user",
  summary: "Sets whether a subscription is renewed from the balance when it ends",
  body: z.object({ renews: z.boolean() }),
  changes: ["subscriptions"],
});

export const endSubscription = endpoint({
  method: "POST",
  path: "/api/subscription/:id/end",
  guard: "admin",
  area: "plans",
  summary: "Ends a subscription now, and takes back the unspent quota of its period, without a refund",
  changes: ["subscriptions"],
});
