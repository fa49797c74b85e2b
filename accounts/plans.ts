import type { Plan, PlanTerms, Subscription, SubscriptionSource } from "@tollgate/contract/api/plans";
import type { LedgerCause } from "@tollgate/contract/records/ledger-entry";
import type { PlanChanges, PlanQueries } from "@tollgate/contract/records/people-store";
import type {
  DueSubscription,
  NewPlanPeriod,
  NewSubscription,
  PlanStep,
  Subscribed,
} from "@tollgate/contract/records/plan-record";
import type { Account } from "@tollgate/metering/ledger";
import { planEnd, planPeriodAt } from "@tollgate/metering/plan-periods";
import type { Balances } from "./balances";
import type { AccountTools } from "./ports";
import type { User, Users } from "./users";

/** Storage for the owner of plans; its declarations describe the calls. */
export interface PlanStore
  extends Pick<
      PlanQueries,
      "find" | "subscription" | "due" | "followerOf" | "overdue" | "lastPeriod" | "parked" | "own"
    >,
    Pick<PlanChanges, "subscribe" | "openPeriod" | "closePeriods" | "end"> {}

/** Why a plan was not bought. */
export type PurchaseRefusal = "unaffordable" | "held" | "often-enough" | "followed" | "favour-refused";

/** A change of a subscription that no caller waited for. */
export type PlanEvent =
  | { what: "expired" | "renewed"; subscription: Subscription }
  | {
      what: "renewal-failed";
      subscription: Subscription;
      reason: PurchaseRefusal | "gone" | "dearer";
    };

/** How a user gets a plan. */
export interface Purchase {
  source: SubscriptionSource;
  /** Permanent identifier: the same purchase is executed once. */
  reference: string;
  /** The acting administrator or user; 0 for the gateway itself. */
  actorId: number;
  renews: boolean;
  /** The subscription after which it starts. */
  follows?: Subscription | undefined;
  /** Unix seconds; now unless it follows another one. */
  startsAt?: number | undefined;
}

export interface PlanTools extends Pick<AccountTools, "now" | "amountUnit" | "reportError"> {
  /** The store's reason when a purchase breaks a rule; undefined for any other error. */
  refusalOf(error: unknown): PurchaseRefusal | undefined;
  onEvent(event: PlanEvent): void;
}

/** Time that a renewal waits for quota held by running requests. */
const RENEWAL_PATIENCE_SECONDS = 120;
/** A renewal delayed by more than this starts when it happens, not when the last period ended. */
const LATE_SECONDS = 86_400;
/** Maximum number of subscriptions per batch. */
const DUE_AT_ONCE = 1000;

/** The terms of a plan that a subscription, or an order, keeps. */
export const planTermsOf = ({
  title,
  price,
  durationUnit,
  durationCount,
  quota,
  reset,
  group,
  beyond,
  limits,
}: Plan): PlanTerms => ({
  title,
  price,
  durationUnit,
  durationCount,
  quota,
  reset,
  group,
  beyond,
  limits,
});

/**
 * The plans of users: their purchase and their changes over time (docs/reference/plans.md). Each step is stored
 * atomically and executed once; when a change is interrupted between two steps, here or on another node, the next pass
 * continues it.
 */
export class Plans {
  constructor(
    private readonly store: PlanStore,
    private readonly users: Users,
    private readonly balances: Balances,
    private readonly tools: PlanTools,
  ) {}

  /**
   * Gives a user a plan, and takes its price if it is paid from the balance.
   * @returns the subscription, or the refusal.
   * @throws the store's other errors.
   */
  async subscribe(user: User, plan: Plan, purchase: Purchase): Promise<Subscription | PurchaseRefusal> {
    const now = this.tools.now();
    const { source, reference, renews, follows } = purchase;
    const startsAt = purchase.startsAt ?? (follows === undefined ? now : Math.max(now, follows.endsAt));
    const isPaidHere = source === "balance" || source === "renewal";
    const wanted: NewSubscription = {
      userId: user.id,
      planId: plan.id,
      terms: planTermsOf(plan),
      startsAt,
      endsAt: planEnd(startsAt, plan.durationUnit, plan.durationCount),
      source,
      reference,
      renews,
      actorId: purchase.actorId,
      now,
      price: isPaidHere ? plan.price : 0,
      mostPerUser: isPaidHere && plan.maxPerUser > 0 ? plan.maxPerUser : undefined,
      follows: follows?.id,
    };
    const stored = await this.pay(user.account, wanted);
    if (typeof stored === "string") return stored;
    const { subscription } = stored;
    if (subscription.state === "waiting" && subscription.startsAt <= now)
      await this.advance({ subscription, period: "none" });
    return (await this.store.subscription(subscription.id)) ?? subscription;
  }

  /**
   * Executes all due steps of all subscriptions. A failing one never blocks the others. @param isStopped whether to end
   * early.
   */
  async advanceAll(isStopped: () => boolean = () => false): Promise<void> {
    for (const due of await this.store.due(this.tools.now(), DUE_AT_ONCE)) {
      if (isStopped()) return;
      try {
        await this.advance(due);
      } catch (error) {
        this.tools.reportError(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  /** Ends a subscription now: the unspent quota of its period is reclaimed, without a refund of its price. */
  async endNow({ id, userId }: Subscription): Promise<void> {
    const user = this.users.find(userId);
    if (!user) return;
    await this.end(user, id, "ended");
    await this.closePeriods(user, id);
  }

  /** Starts a subscription that was stored with a payment; after an interruption the next pass does it. */
  async start(id: number): Promise<void> {
    const subscription = await this.store.subscription(id);
    if (subscription?.state === "waiting" && subscription.startsAt <= this.tools.now())
      await this.advance({ subscription, period: "none" });
  }

  /**
   * The part of a subscription's price for unspent quota: the rest of its current period, or the quota reclaimed when a
   * person ended the subscription, plus its future periods. Rounded down.
   * @returns 0 for one that does not exist, or has expired.
   */
  async unspentPrice(id: number): Promise<number> {
    const subscription = await this.store.subscription(id);
    if (!subscription || subscription.endReason === "expired") return 0;
    if (subscription.state === "waiting") return subscription.price;
    const total = planPeriodAt(subscription, subscription.endsAt - 1)?.number ?? 1;
    const at =
      subscription.state === "ended"
        ? await this.whereEnded(subscription)
        : this.whereNow(subscription, this.tools.now());
    if (!at) return 0;
    // A plan that includes no quota is one of time alone, in whole periods.
    const each = BigInt(Math.max(1, subscription.quota));
    const left = BigInt(Math.min(at.left, subscription.quota));
    const unspent = left + BigInt(Math.max(0, total - at.number)) * each;
    return Number((BigInt(subscription.price) * unspent) / (BigInt(total) * each));
  }

  /** The current period of a subscription, and its remaining quota. */
  private whereNow(subscription: Subscription, now: number): { number: number; left: number } | undefined {
    const current = planPeriodAt(subscription, now);
    if (!current) return undefined;
    const { number } = current;
    // A period that the next pass has not started yet is unspent as a whole.
    const left = subscription.period < number ? subscription.quota : subscription.left;
    return { number, left };
  }

  /** The period of a subscription when it was ended, and the quota reclaimed then. */
  private async whereEnded(
    subscription: Subscription,
  ): Promise<{ number: number; left: number } | undefined> {
    const last = await this.store.lastPeriod(subscription.id);
    // It was ended before it began.
    if (!last) return { number: 0, left: 0 };
    const planned = planPeriodAt(subscription, last.startsAt);
    const isCut = planned !== undefined && last.endsAt < planned.endsAt;
    return { number: last.number, left: isCut ? last.taken : 0 };
  }

  private async advance({ subscription, period }: DueSubscription): Promise<void> {
    const now = this.tools.now();
    const user = this.users.find(subscription.userId);
    // A node that has not heard of the user yet does it the next time.
    if (!user) return;
    const { id, endsAt, state, periodEndsAt } = subscription;
    if (period === "over" || (period === "open" && periodEndsAt <= now)) await this.closePeriods(user, id);
    if (state === "ended") return;
    const next = planPeriodAt(subscription, now);
    if (next) await this.openPeriod(user, subscription, next);
    else if (endsAt <= now) await this.expire(user, subscription);
  }

  /** The successor starts before this one ends, so that the groups and the balance set aside stay unchanged. */
  private async expire(user: User, subscription: Subscription): Promise<void> {
    const follower = await this.store.followerOf(subscription.id);
    if (follower) {
      if (follower.state === "waiting" && follower.startsAt <= this.tools.now())
        await this.advance({ subscription: follower, period: "none" });
    } else if (subscription.renews && subscription.state === "active") {
      const outcome = await this.renew(user, subscription);
      if (outcome === "held" && this.tools.now() < subscription.endsAt + RENEWAL_PATIENCE_SECONDS) return;
      if (typeof outcome === "string")
        this.tools.onEvent({ what: "renewal-failed", subscription, reason: outcome });
      else this.tools.onEvent({ what: "renewed", subscription: outcome });
    } else this.tools.onEvent({ what: "expired", subscription });
    await this.end(user, subscription.id, "expired");
  }

  /** No user pays more than they agreed to without being asked. */
  private async renew(
    user: User,
    subscription: Subscription,
  ): Promise<Subscription | PurchaseRefusal | "gone" | "dearer"> {
    const { id, planId, price, endsAt } = subscription;
    const plan = await this.store.find(planId);
    if (!plan?.isEnabled) return "gone";
    if (plan.price > price) return "dearer";
    const now = this.tools.now();
    const purchase = {
      source: "renewal" as const,
      reference: `renewal:${id}`,
      actorId: 0,
      renews: true,
      follows: subscription,
      startsAt: now - endsAt < LATE_SECONDS ? endsAt : now,
    };
    return this.subscribe(user, plan, purchase);
  }

  /** Takes the price. The balance set aside is used first, which lowers the required rest. */
  private async pay(account: Account, wanted: NewSubscription): Promise<Subscribed | PurchaseRefusal> {
    const parked = await this.store.parked(wanted.userId);
    try {
      return await this.balances.exchange(
        account,
        "plan-purchase",
        Math.max(0, wanted.price - parked),
        (most) => this.store.subscribe(wanted, most, this.tools.amountUnit()),
        (done) => ({ moved: done === "held" ? 0 : done.moved }),
      );
    } catch (error) {
      const refusal = this.tools.refusalOf(error);
      if (refusal === undefined) throw error;
      return refusal;
    }
  }

  private async openPeriod(
    user: User,
    { id, beyond, state }: Subscription,
    period: Pick<NewPlanPeriod, "number" | "startsAt" | "endsAt">,
  ): Promise<void> {
    const parks = beyond === "stop" && state === "waiting";
    const own = parks ? (await this.store.own(user.id)) - (await this.store.parked(user.id)) : 0;
    await this.step(user, "plan-grant", Math.max(0, own), (most) =>
      this.store.openPeriod(
        { subscriptionId: id, ...period, now: this.tools.now(), mostParked: most },
        this.tools.amountUnit(),
      ),
    );
  }

  /** Quota held by running requests stays due until the next pass. */
  private async closePeriods(user: User, id: number): Promise<void> {
    const left = await this.store.overdue(id, this.tools.now());
    await this.step(user, "plan-expiry", left, (most) =>
      this.store.closePeriods(id, this.tools.now(), most, this.tools.amountUnit()),
    );
  }

  private async end(user: User, id: number, reason: "expired" | "ended"): Promise<void> {
    await this.step(user, "plan-unparked", 0, () =>
      this.store.end(id, reason, this.tools.now(), this.tools.amountUnit()),
    );
  }

  private async step(
    user: User,
    cause: LedgerCause,
    most: number,
    store: (most: number) => Promise<PlanStep>,
  ): Promise<PlanStep> {
    const done = await this.balances.exchange(user.account, cause, most, store, (step) => step);
    if (done.access) this.users.takePlanAccess(user.id, done.access);
    return done;
  }
}
