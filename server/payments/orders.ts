import { planTermsOf } from "@tollgate/accounts/plans";
import type { User } from "@tollgate/accounts/users";
import type { Plan } from "@tollgate/contract/api/plans";
import {
  type PaymentTerms,
  type Quote,
  type QuoteFault,
  quoteFor,
  quoteOfPlan,
} from "@tollgate/contract/payments/payment-offers";
import type { CallbackAnswer } from "@tollgate/contract/payments/payment-port";
import type { PromotedQuote, PromotionFault, PromotionRule } from "@tollgate/contract/payments/promotions";
import { isProviderName } from "@tollgate/contract/payments/providers";
import type { NewOrder, OrderRecord, StepOutcome } from "@tollgate/contract/records/order-record";
import { formatDecimal } from "@tollgate/contract/values/decimal";
import { StorageConflict } from "@tollgate/storage/errors";
import { formatError } from "../locales/format-data-fault";
import { activitiesFor, type PromotionTools, promotePurchase } from "./order-prices";
import { type Actor, OrderRefunds, type RefundResult } from "./order-refunds";
import { atProvider, OrderSteps, type OrderTools } from "./order-steps";
import { paymentCrypto } from "./payment-crypto";
import { offeredProviders, paymentTerms } from "./payment-terms";
import { ProviderEvents } from "./provider-events";

/** Time in which an order may be paid, in seconds; Stripe requires at least 30 minutes. */
const ORDER_SECONDS = 35 * 60;
/** Time after that during which an order stays open while its provider does not answer, in seconds. */
const SILENT_SECONDS = 24 * 3600;
/** Interval for querying a provider about an open order, in seconds. */
const ASK_SECONDS = 30;
/** Maximum number of open orders per user. */
const MAX_OPEN = 10;
const ORDERS_A_ROUND = 50;
const AT_ONCE = 10;

/** Why no order was begun. */
export type BeginFault =
  | QuoteFault
  | PromotionFault
  /** The price or the bonus is not the one that the buyer saw. */
  | "quote-changed"
  | "provider-not-offered"
  | "no-server-address"
  | "too-many-open"
  /** It costs nothing, and no provider takes nothing. */
  | "plan-free"
  | "plan-often-enough"
  | "provider-refused"
  | "provider-unreachable";

/** The purchase: US dollars of quota, as typed, or a plan. */
export type Product = { usd: string } | { plan: Plan };

/** A product with its promotion code; "" for none. */
export type Wanted = Product & { code?: string };

/** The price and the quota that the buyer saw; undefined where the buyer did not see any. */
export interface SeenQuote {
  amount?: number | undefined;
  quota?: number | undefined;
}

/** Purchases by users: orders, providers' events about them, and refunds. */
export class Orders {
  private readonly steps: OrderSteps;
  private readonly events: ProviderEvents;
  private readonly refunds: OrderRefunds;

  constructor(tools: OrderTools) {
    this.steps = new OrderSteps(tools);
    this.events = new ProviderEvents(this.steps);
    this.refunds = new OrderRefunds(this.steps, this.events);
  }

  /** Begins an order of a user, at its provider too. */
  async begin(
    user: User,
    wanted: { provider: string; method: string } & Wanted,
    buyerAddress: string,
    seen: SeenQuote = {},
  ): Promise<OrderRecord | { fault: BeginFault }> {
    const { options, write } = this.steps.tools;
    const offered = offeredProviders(options).find(({ provider }) => provider.name === wanted.provider);
    if (!offered?.methods.includes(wanted.method)) return { fault: "provider-not-offered" };
    if (options.text("ServerAddress") === "") return { fault: "no-server-address" };
    const terms = paymentTerms(options);
    const quote = await this.quote(user, wanted, terms);
    if ("fault" in quote) return quote;
    const isSeen =
      (seen.amount ?? quote.amount) === quote.amount && (seen.quota ?? quote.quota) === quote.quota;
    if (!isSeen) return { fault: "quote-changed" };
    const plan = "plan" in wanted ? { id: wanted.plan.id, terms: planTermsOf(wanted.plan) } : undefined;
    const { name } = offered.provider;
    const createdAt = this.steps.now();
    const order = await this.create({
      ...quote,
      unitPrice: formatDecimal(terms.unitPrice),
      quotaPerUnit: formatDecimal(terms.quotaPerUnit),
      plan,
      number: paymentCrypto.nonce(),
      userId: user.id,
      username: user.username,
      provider: name,
      method: wanted.method,
      createdAt,
      expiresAt: createdAt + ORDER_SECONDS,
    });
    if ("fault" in order) return order;
    const server = options.serverAddress();
    const notifyUrl = this.steps.callbackUrl(name);
    const checkout = await this.steps.guarded(name, (port, tools) =>
      port.begin(
        {
          number: order.number,
          amount: order.amount,
          currency: order.currency,
          method: order.method,
          subject: `${options.text("SystemName")} ${plan ? plan.terms.title : `${order.usd} USD`}`,
          expiresAt: order.expiresAt,
          notifyUrl,
          returnUrl: `${server}/order?number=${order.number}`,
          buyerAddress,
        },
        tools,
      ),
    );
    if (checkout.kind === "fault") {
      this.steps.tools.logger.warn(
        { provider: name, detail: checkout.detail },
        "a provider did not begin an order",
      );
      // A payment made for it anyway is credited.
      await this.steps.forward(order, { kind: "failed" }, { reason: checkout.detail || checkout.fault });
      return { fault: checkout.fault === "refused" ? "provider-refused" : "provider-unreachable" };
    }
    const pay =
      checkout.kind === "qr"
        ? ({ kind: "qr", content: checkout.content } as const)
        : ({ kind: "redirect", content: checkout.url } as const);
    await write.begin(order.id, checkout.checkout, pay);
    return (await this.steps.tools.read.find(order.number)) ?? order;
  }

  /** Stores an order, which reserves its promotions. */
  private async create(order: NewOrder): Promise<OrderRecord | { fault: BeginFault }> {
    try {
      return (await this.steps.tools.write.create(order, MAX_OPEN)) ?? { fault: "too-many-open" };
    } catch (error) {
      // Used up since the quote.
      if (error instanceof StorageConflict && error.kind === "promotion-over")
        return { fault: "quote-changed" };
      throw error;
    }
  }

  /** The price of a product for a user, with the promotions that apply to it. */
  async quote(
    user: User,
    wanted: Wanted,
    terms = paymentTerms(this.steps.tools.options),
  ): Promise<PromotedQuote | { fault: BeginFault }> {
    const quote = await this.priceOf(user, wanted, terms);
    if ("fault" in quote) return quote;
    const product = "usd" in wanted ? "top-up" : "plan";
    return promotePurchase(this.promotions, user, { product, quote, code: wanted.code ?? "" }, terms);
  }

  /** Activities that a user can use now. */
  activities(user: User): Promise<PromotionRule[]> {
    return activitiesFor(this.promotions, user);
  }

  private get promotions(): PromotionTools {
    return { read: this.steps.tools.readPromotions, now: () => this.steps.now() };
  }

  /** The price without promotions. A plan costs its price, whatever the user's discounts. */
  private async priceOf(
    user: User,
    wanted: Product,
    terms: PaymentTerms,
  ): Promise<Quote | { fault: BeginFault }> {
    if ("usd" in wanted) return quoteFor(wanted.usd, user.groups, terms);
    const { id, price, maxPerUser } = wanted.plan;
    if (price === 0) return { fault: "plan-free" };
    if (maxPerUser > 0) {
      const bought = await this.steps.tools.readPlans.page(0, maxPerUser, { userId: user.id, planId: id });
      if (bought.length >= maxPerUser) return { fault: "plan-often-enough" };
    }
    return quoteOfPlan(price, terms);
  }

  /** Takes a provider's callback. */
  receive(...callback: Parameters<ProviderEvents["receive"]>): Promise<CallbackAnswer> {
    return this.events.receive(...callback);
  }

  /** Refunds the unspent part of an order. */
  refund(...asked: Parameters<OrderRefunds["refund"]>): Promise<RefundResult | undefined> {
    return this.refunds.refund(...asked);
  }

  /** Ends a refund by hand. */
  settleRefund(...asked: Parameters<OrderRefunds["settleRefund"]>): ReturnType<OrderRefunds["settleRefund"]> {
    return this.refunds.settleRefund(...asked);
  }

  /** Queries the provider about an order, and applies its answer. @returns the order afterwards. */
  async ask(order: OrderRecord): Promise<OrderRecord | undefined> {
    const { provider } = order;
    if (!isProviderName(provider)) return undefined;
    const found = await this.steps.guarded(provider, (port, tools) => port.find(atProvider(order), tools));
    const lateBy = this.steps.now() - order.expiresAt;
    if (found === "waiting" || found.kind === "fault") {
      if (order.state === "pending" && lateBy >= (found === "waiting" ? 0 : SILENT_SECONDS))
        await this.steps.forward(order, { kind: "expired" });
    } else {
      await this.events.settle(provider, found);
      // A person decides about it. Without an end the provider would be queried forever.
      if (order.state === "pending" && lateBy >= 0 && !this.events.isInLine(order))
        await this.steps.forward(order, { kind: "expired" });
    }
    return this.steps.tools.read.find(order.number);
  }

  /** @returns undefined where it is not open any more. */
  async cancel(order: OrderRecord): Promise<OrderRecord | undefined> {
    const outcome = await this.steps.forward(order, { kind: "cancelled" });
    return outcome?.kind === "changed" ? outcome.order : undefined;
  }

  /** Completes an order by hand: its money came otherwise. @returns why not, where it is not to be completed. */
  async complete(order: OrderRecord, actor: Actor, reason: string): Promise<StepOutcome | undefined> {
    const by = { actorId: actor.id, actorName: actor.username, reason };
    const outcome = await this.steps.forward(order, { kind: "completed" }, by);
    if (outcome?.kind === "changed") this.steps.notifyPaid(outcome.order);
    return outcome;
  }

  /**
   * Queries open orders, ends expired ones, retries unanswered refunds, and takes quota that requests held when money
   * went back.
   */
  async round(isStopped: () => boolean): Promise<void> {
    const { steps, refunds } = this;
    const { read, write } = steps.tools;
    const now = steps.now();
    const open = await write.claimOpen(now - ASK_SECONDS, now, ORDERS_A_ROUND);
    await this.inSlices(
      open.map((order) => ({ order })),
      ({ order }) => this.ask(order),
      isStopped,
    );
    // Newer refunds are still handled by the request that started them.
    const due = (await read.asking(ORDERS_A_ROUND)).filter(
      ({ refund }) => steps.now() - refund.createdAt >= ASK_SECONDS,
    );
    await this.inSlices(due, ({ order, refund }) => refunds.sendBack(order, refund, true), isStopped);
    const held = await read.taking(ORDERS_A_ROUND);
    await this.inSlices(held, ({ order, refund }) => refunds.takeHeld(order, refund), isStopped);
  }

  /** Handles a few orders at once. */
  private async inSlices<Due extends { order: OrderRecord }>(
    due: readonly Due[],
    look: (due: Due) => Promise<unknown>,
    isStopped: () => boolean,
  ): Promise<void> {
    for (let from = 0; from < due.length && !isStopped(); from += AT_ONCE)
      await Promise.all(
        due.slice(from, from + AT_ONCE).map((each) => this.apart(each.order, () => look(each))),
      );
  }

  /** One order that fails, however often it is looked at, holds up no other. */
  private async apart(order: OrderRecord, step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.steps.tools.logger.warn(
        { order: order.number, error: formatError(error) },
        "an order could not be looked at",
      );
    }
  }
}
