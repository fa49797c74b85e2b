import { type Plans, planTermsOf } from "@tollgate/accounts/plans";
import type { User, Users } from "@tollgate/accounts/users";
import type { Plan } from "@tollgate/contract/api/plans";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { moneyBack, moneyFor, stepOrder } from "@tollgate/contract/payments/order-machine";
import {
  isQuoteInLine,
  type Quote,
  type QuoteFault,
  quoteFor,
  quoteOfPlan,
} from "@tollgate/contract/payments/payment-offers";
import type {
  Callback,
  CallbackAnswer,
  OrderAtProvider,
  PaymentPort,
  PaymentTools,
  ProviderEvent,
  ProviderWords,
} from "@tollgate/contract/payments/payment-port";
import { PAYMENT_PORTS } from "@tollgate/contract/payments/ports";
import { isProviderName, type PaymentProviderName } from "@tollgate/contract/payments/providers";
import type {
  BackStep,
  BegunRefund,
  ForwardStep,
  OrderRecord,
  PaymentFault,
  RefundRecord,
  StepNote,
  StepOutcome,
} from "@tollgate/contract/records/order-record";
import type { PlanQueries } from "@tollgate/contract/records/people-store";
import { formatDecimal } from "@tollgate/contract/values/decimal";
import type { AmountUnit } from "@tollgate/contract/values/log-phrase";
import { planEnd } from "@tollgate/metering/plan-periods";
import type { OrderChanges, OrderQueries } from "@tollgate/storage/accounts/ports";
import type { Logger } from "pino";
import { formatError } from "../locales/format-data-fault";
import type { Notices } from "../notices/notices";
import { readCommissionRule } from "../state/commission-rule";
import type { Options } from "../state/options";
import { paymentCrypto } from "./payment-crypto";
import { offeredProviders, optionText, paymentTerms } from "./payment-terms";
import { paymentToolsFor } from "./payment-tools";

/** How long an order may be paid, in seconds; Stripe takes no less than 30 minutes. */
const ORDER_SECONDS = 35 * 60;
/** How long after that an order is kept open whose provider does not answer, in seconds. */
const SILENT_SECONDS = 24 * 3600;
/**
 * How long after its time a payment of an order that has ended is credited where the provider sets no end to it, in seconds. Else who
 * begins orders while quota is cheap could pay them whenever it is dear.
 */
const LATEST_SECONDS = 24 * 3600;
/** How often a provider is asked about an open order, in seconds. */
const ASK_SECONDS = 30;
/** How many open orders one user may have. */
const MAX_OPEN = 10;
const ORDERS_A_ROUND = 50;
const AT_ONCE = 10;
/** Callbacks that fit no order are counted in the database at most so often, in milliseconds. */
const FAULT_PAUSE_MS = 10_000;

const DAY_SECONDS = 86_400;

export interface OrderTools {
  read: OrderQueries;
  write: OrderChanges;
  users: Pick<Users, "grantBy" | "takeBy">;
  plans: Pick<Plans, "start" | "endNow" | "unspentPrice">;
  readPlans: Pick<PlanQueries, "subscription" | "page">;
  /** How much of a user's balance is the user's own, and not what a plan includes: a refund takes nothing of a plan. */
  ownQuota(userId: number): Promise<number>;
  options: Options;
  notices: Pick<Notices, "raise">;
  logger: Pick<Logger, "info" | "warn">;
  amountUnit(): AmountUnit;
  /** Unix milliseconds. */
  nowMs(): number;
  /** Where the providers' services are, by the names that their ports give them. */
  addresses: Readonly<Record<string, string>>;
  /** Replaced in tests. */
  ports?: Readonly<Record<PaymentProviderName, PaymentPort>>;
}

/** Why no order was begun. */
export type BeginFault =
  | QuoteFault
  | "provider-not-offered"
  | "no-server-address"
  | "too-many-open"
  /** It costs nothing, and no provider takes nothing. */
  | "plan-free"
  | "plan-often-enough"
  | "provider-refused"
  | "provider-unreachable";

/** Who does something by hand. */
export interface Actor {
  id: number;
  username: string;
}

/** What is bought: US dollars of quota, as typed, or a plan. */
export type Product = { usd: string } | { plan: Plan };

/** What became of a refund that was asked for by hand. */
export type RefundResult =
  | { kind: "made" | "by-hand" | "waiting"; order: OrderRecord; refund: RefundRecord }
  | { kind: "undone"; detail: string }
  | Exclude<BegunRefund, { kind: "begun" }>;

const at = ({ number, amount, currency, checkout, payment }: OrderRecord): OrderAtProvider => ({
  number,
  amount,
  currency,
  checkout,
  payment,
});

/** The step that an event asks for; the same event is the same step, however often it comes. */
const backStepOf = (event: ProviderEvent): BackStep | undefined => {
  switch (event.kind) {
    case "refunded":
      return { kind: "refunded", total: event.total, reference: `total-${event.total}` };
    case "refunded-part":
    case "disputed":
      return { kind: event.kind, amount: event.amount, reference: event.reference };
    default:
      return undefined;
  }
};

/** What users buy: orders, what providers say of them, and refunds. Money is moved by storage, under the lock of the order's row. */
export class Orders {
  /** When a callback was last counted that named no order, by its provider and fault. */
  private readonly counted = new Map<string, number>();
  private readonly ports: Readonly<Record<PaymentProviderName, PaymentPort>>;

  constructor(private readonly tools: OrderTools) {
    this.ports = tools.ports ?? PAYMENT_PORTS;
  }

  /** Begins an order of a user, at its provider too. */
  async begin(
    user: User,
    wanted: { provider: string; method: string } & Product,
    buyerAddress: string,
  ): Promise<OrderRecord | { fault: BeginFault }> {
    const { options, write } = this.tools;
    const offered = offeredProviders(options).find(({ provider }) => provider.name === wanted.provider);
    if (!offered?.methods.includes(wanted.method)) return { fault: "provider-not-offered" };
    if (options.text("ServerAddress") === "") return { fault: "no-server-address" };
    const terms = paymentTerms(options);
    const quote = await this.quote(user, wanted, terms);
    if ("fault" in quote) return quote;
    const plan = "plan" in wanted ? { id: wanted.plan.id, terms: planTermsOf(wanted.plan) } : undefined;
    const { name } = offered.provider;
    const createdAt = this.now();
    const order = await write.create(
      {
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
      },
      MAX_OPEN,
    );
    if (!order) return { fault: "too-many-open" };
    const server = options.serverAddress();
    const checkout = await this.guarded(name, (port, tools) =>
      port.begin(
        {
          number: order.number,
          amount: order.amount,
          currency: order.currency,
          method: order.method,
          subject: `${options.text("SystemName")} ${plan ? plan.terms.title : `${order.usd} USD`}`,
          expiresAt: order.expiresAt,
          notifyUrl: `${server}/api/payment/${name}`,
          returnUrl: `${server}/order?number=${order.number}`,
          buyerAddress,
        },
        tools,
      ),
    );
    if (checkout.kind === "fault") {
      this.tools.logger.warn(
        { provider: name, detail: checkout.detail },
        "a provider did not begin an order",
      );
      // What is paid of it all the same is credited.
      await this.forward(order, { kind: "failed" }, { reason: checkout.detail || checkout.fault });
      return { fault: checkout.fault === "refused" ? "provider-refused" : "provider-unreachable" };
    }
    const pay =
      checkout.kind === "qr"
        ? ({ kind: "qr", content: checkout.content } as const)
        : ({ kind: "redirect", content: checkout.url } as const);
    await write.begin(order.id, checkout.checkout, pay);
    return (await this.tools.read.find(order.number)) ?? order;
  }

  /** What a product costs a user. A plan costs its price, whatever the user's discounts. */
  async quote(
    user: User,
    wanted: Product,
    terms = paymentTerms(this.tools.options),
  ): Promise<Quote | { fault: BeginFault }> {
    if ("usd" in wanted) return quoteFor(wanted.usd, user.groups, terms);
    const { id, price, maxPerUser } = wanted.plan;
    if (price === 0) return { fault: "plan-free" };
    if (maxPerUser > 0) {
      const bought = await this.tools.readPlans.page(0, maxPerUser, { userId: user.id, planId: id });
      if (bought.length >= maxPerUser) return { fault: "plan-often-enough" };
    }
    return quoteOfPlan(price, terms);
  }

  /** Takes a provider's callback: verifies it over its bytes, and does what it says once. */
  async receive(provider: PaymentProviderName, callback: Callback): Promise<CallbackAnswer> {
    const { answers } = this.ports[provider];
    const reading = this.ports[provider].read(callback, this.toolsOf(provider));
    if (reading.kind === "ignored") return answers.taken;
    if (reading.kind === "refused") {
      await this.noteFault(provider, undefined, reading.fault, {});
      return answers.refused;
    }
    return (await this.settle(provider, reading)) ? answers.taken : answers.refused;
  }

  /** Asks the provider what became of an order, and does what it says. @returns the order as it is then. */
  async ask(order: OrderRecord): Promise<OrderRecord | undefined> {
    const { provider } = order;
    if (!isProviderName(provider)) return undefined;
    const found = await this.guarded(provider, (port, tools) => port.find(at(order), tools));
    const lateBy = this.now() - order.expiresAt;
    if (found === "waiting" || found.kind === "fault") {
      if (order.state === "pending" && lateBy >= (found === "waiting" ? 0 : SILENT_SECONDS))
        await this.forward(order, { kind: "expired" });
    } else {
      await this.settle(provider, found);
      // A person decides about it. Without an end the provider would be queried forever.
      if (order.state === "pending" && lateBy >= 0 && !this.isInLine(order))
        await this.forward(order, { kind: "expired" });
    }
    return this.tools.read.find(order.number);
  }

  /** @returns undefined where it is not open any more. */
  async cancel(order: OrderRecord): Promise<OrderRecord | undefined> {
    const outcome = await this.forward(order, { kind: "cancelled" });
    return outcome?.kind === "changed" ? outcome.order : undefined;
  }

  /** Completes an order by hand: its money came otherwise. @returns why not, where it is not to be completed. */
  async complete(order: OrderRecord, actor: Actor, reason: string): Promise<StepOutcome | undefined> {
    const by = { actorId: actor.id, actorName: actor.username, reason };
    const outcome = await this.forward(order, { kind: "completed" }, by);
    if (outcome?.kind === "changed") this.tellPaid(outcome.order);
    return outcome;
  }

  /** Refunds what is unspent of an order: takes it back, and sends back what it stands for. */
  async refund(order: OrderRecord, actor: Actor, reason: string): Promise<RefundResult | undefined> {
    const { write, users } = this.tools;
    if (order.subscriptionId > 0 && !(await this.isWorthEnding(order))) return { kind: "nothing" };
    const unspent = await this.endPlan(order);
    const { provider } = order;
    const port = isProviderName(provider) ? this.ports[provider] : undefined;
    const isByHand = port?.refund === undefined || order.payment === "";
    const note = this.note({ actorId: actor.id, actorName: actor.username, reason });
    const begun = await users.takeBy(
      order.userId,
      "payment-refund",
      Math.min(order.quota - order.taken, await this.tools.ownQuota(order.userId)),
      (most) => write.beginRefund(order.number, paymentCrypto.nonce(), isByHand, note, most, unspent),
      (result) => (result?.kind === "begun" ? result.ofBalance : 0),
    );
    if (begun?.kind !== "begun") return begun;
    this.tellRefunded(
      begun.order,
      begun.refund.amount,
      begun.refund.taken,
      begun.refund.missing,
      begun.refund.reference,
    );
    if (isByHand) return { ...begun, kind: "by-hand" };
    return this.sendBack(begun.order, begun.refund, false);
  }

  /**
   * Settles a refund of which the provider will tell nothing any more, or that a person had to send: an administrator knows what became of its money.
   * Where it was not sent, what was taken for it is given back, once.
   * @returns the refund as it is then, and the quota that was given back; undefined where it is not open, or no refund of this order. Who
   * says the same again is told the same, and `isNew` is false.
   */
  async settleRefund(
    order: OrderRecord,
    id: number,
    isSent: boolean,
    actor: Actor,
    reason: string,
  ): Promise<{ refund: RefundRecord; givenBack: number; isNew: boolean } | undefined> {
    const { read, write, users } = this.tools;
    const find = async () => (await read.refunds(order.id)).find((refund) => refund.id === id);
    if (!(await find())) return undefined;
    const note = this.note({ actorId: actor.id, actorName: actor.username, reason });
    const ended = await users.grantBy(
      order.userId,
      "payment-refund",
      () => write.endRefund(id, isSent, "", note, true),
      (back) => back ?? 0,
    );
    const refund = await find();
    if (!refund) return undefined;
    const isSame = refund.settledAt > 0 && refund.state === (isSent ? "done" : "failed");
    return ended !== undefined || isSame
      ? { refund, givenBack: ended ?? 0, isNew: ended !== undefined }
      : undefined;
  }

  /** Whether a refund of an order's plan would send anything back: a plan is not ended for nothing. */
  private async isWorthEnding(order: OrderRecord): Promise<boolean> {
    if (order.paidAt === 0) return false;
    const unspent = await this.tools.plans.unspentPrice(order.subscriptionId);
    const back = Math.max(unspent, order.planBack) - order.planBack;
    // What came back of it before, and is not taken.
    const there = Math.max(0, order.planBack - order.taken);
    const taken = Math.min(order.quota, order.taken + back + there);
    return moneyFor(order, taken) > moneyBack(order);
  }

  /** Ends the plan of an order, and what requests do not hold of it is taken back. @returns what is unspent of its price. */
  private async endPlan({ subscriptionId }: OrderRecord): Promise<number> {
    if (subscriptionId === 0) return 0;
    const { plans, readPlans } = this.tools;
    const before = await readPlans.subscription(subscriptionId);
    if (before && before.state !== "ended") await plans.endNow(before);
    // It goes on where this node does not know its user yet.
    const after = await readPlans.subscription(subscriptionId);
    return after?.state === "ended" ? plans.unspentPrice(subscriptionId) : 0;
  }

  /**
   * Asks about open orders, ends those whose time is over, asks again for refunds that were not answered, and takes what requests held
   * when money went back.
   */
  async round(isStopped: () => boolean): Promise<void> {
    const { read, write } = this.tools;
    const open = await write.claimOpen(this.now() - ASK_SECONDS, this.now(), ORDERS_A_ROUND);
    for (let from = 0; from < open.length && !isStopped(); from += AT_ONCE)
      await Promise.all(
        open.slice(from, from + AT_ONCE).map((order) => this.apart(order, () => this.ask(order))),
      );
    // Of newer ones the request that began them is at it itself.
    const due = (await read.asking(ORDERS_A_ROUND)).filter(
      ({ refund }) => this.now() - refund.createdAt >= ASK_SECONDS,
    );
    for (let from = 0; from < due.length && !isStopped(); from += AT_ONCE)
      await Promise.all(
        due
          .slice(from, from + AT_ONCE)
          .map(({ order, refund }) => this.apart(order, () => this.sendBack(order, refund, true))),
      );
    const held = await read.taking(ORDERS_A_ROUND);
    for (let from = 0; from < held.length && !isStopped(); from += AT_ONCE)
      await Promise.all(
        held
          .slice(from, from + AT_ONCE)
          .map(({ order, refund }) => this.apart(order, () => this.takeHeld(order, refund))),
      );
  }

  /** Takes what requests under way held of a balance when money of an order went back, as far as they are done. */
  private async takeHeld({ userId }: OrderRecord, { id, missing }: RefundRecord): Promise<void> {
    await this.tools.users.takeBy(
      userId,
      "payment-refund",
      Math.min(missing, await this.tools.ownQuota(userId)),
      (most) => this.tools.write.takeHeld(id, this.note(), most),
      (taken) => taken,
      true,
    );
  }

  /** One order that fails, however often it is looked at, holds up no other. */
  private async apart(order: OrderRecord, step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.tools.logger.warn(
        { order: order.number, error: formatError(error) },
        "an order could not be looked at",
      );
    }
  }

  /**
   * Has the provider send money back, as often as it takes to hear what became of it.
   * @param isAgain it was asked before, and may have done it: it refuses this refund alone while it still knows the order. One that has
   * been given other keys since, of another account, knows nothing of it, and does not say that the money did not go.
   */
  private async sendBack(order: OrderRecord, refund: RefundRecord, isAgain: boolean): Promise<RefundResult> {
    const { provider } = order;
    const port = isProviderName(provider) ? this.ports[provider] : undefined;
    if (!isProviderName(provider) || !port?.refund) return { kind: "waiting", order, refund };
    const asked = { ...at(order), refund: refund.reference, refundAmount: refund.amount, isAgain };
    const answer = await this.guarded(
      provider,
      async (each, tools) => (await each.refund?.(asked, tools)) ?? "done",
    );
    const isOpen =
      answer !== "done" &&
      (answer.fault === "unreachable" || (isAgain && !(await this.isKnownThere(provider, order))));
    if (isOpen) {
      this.tools.logger.warn(
        { provider, detail: answer.detail },
        "a provider did not answer for a refund; it is asked again",
      );
      return { kind: "waiting", order, refund };
    }
    const detail = answer === "done" ? "" : answer.detail;
    const ended = await this.tools.users.grantBy(
      order.userId,
      "payment-refund",
      () => this.tools.write.endRefund(refund.id, answer === "done", detail, this.note()),
      (givenBack) => givenBack ?? 0,
    );
    if (ended === undefined) return this.answeredLate(provider, order, refund, answer === "done");
    if (answer !== "done") return { kind: "undone", detail };
    return { kind: "made", order, refund: { ...refund, state: "done" } };
  }

  /**
   * A refund was ended by another person until the provider answered: its word changes nothing, but where it has sent money of which it was said
   * that it was not sent. Then what the money stands for is taken again, as far as it is there.
   */
  private async answeredLate(
    provider: PaymentProviderName,
    order: OrderRecord,
    { id }: RefundRecord,
    isMade: boolean,
  ): Promise<RefundResult> {
    const { read, logger } = this.tools;
    const [now, refunds] = [(await read.find(order.number)) ?? order, await read.refunds(order.id)];
    const refund = refunds.find((each) => each.id === id);
    if (refund?.state !== "failed")
      return refund ? { kind: "made", order: now, refund } : { kind: "undone", detail: "" };
    // Some providers say so in a callback too, and know that one by its sum alone.
    const isTold = refunds.some(
      ({ kind, amount, createdAt }) =>
        kind === "by-provider" && amount === refund.amount && createdAt >= refund.settledAt,
    );
    if (!isMade || isTold) return { kind: "undone", detail: refund.detail };
    const { reference, amount } = refund;
    const { number, payment, currency } = now;
    const words: ProviderWords = {};
    const event = { kind: "refunded-part", number, payment, amount, currency, reference, words } as const;
    // Who tells sums is asked for the sum (asTrue).
    const step: BackStep = this.ports[provider].refundedTotal
      ? { kind: "refunded", total: 0, reference }
      : { kind: "refunded-part", amount, reference };
    const outcome = await this.goBack(provider, now, event, step);
    logger.warn(
      { order: number, refund: reference, outcome: typeof outcome === "string" ? outcome : outcome?.kind },
      "a refund was made of which an administrator had said that it was not",
    );
    return { kind: "made", order: now, refund };
  }

  /** Whether a provider, as it is asked now, knows of an order's payment. */
  private async isKnownThere(provider: PaymentProviderName, order: OrderRecord): Promise<boolean> {
    const found = await this.guarded(provider, (port, tools) => port.find(at(order), tools));
    return (
      found !== "waiting" &&
      found.kind !== "fault" &&
      "payment" in found &&
      (order.payment === "" || found.payment === order.payment)
    );
  }

  /** Does what a provider says, where it is about an order that is as it says. @returns whether it need not come again. */
  private async settle(provider: PaymentProviderName, event: ProviderEvent): Promise<boolean> {
    const order = await this.orderOf(provider, event);
    if (!order) {
      // Of something else that the same merchant sells.
      if (event.number === "") return true;
      await this.noteFault(provider, undefined, "unknown-order", event.words);
      return false;
    }
    const step = backStepOf(event);
    const outcome = step
      ? await this.goBack(provider, order, event, step)
      : event.kind === "refund-failed" || event.kind === "dispute-won"
        ? await this.comeBack(provider, order, event)
        : await this.goForward(provider, order, event);
    if (outcome === undefined) return true;
    if (outcome === "later") return false;
    if (typeof outcome !== "string" && outcome.kind !== "refused") return true;
    await this.noteFault(provider, order, typeof outcome === "string" ? outcome : outcome.fault, event.words);
    return false;
  }

  private orderOf(provider: PaymentProviderName, event: ProviderEvent): Promise<OrderRecord | undefined> {
    const { read } = this.tools;
    if (event.number !== "") return read.find(event.number);
    return "payment" in event ? read.findByPayment(provider, event.payment) : Promise.resolve(undefined);
  }

  private async goForward(
    provider: PaymentProviderName,
    order: OrderRecord,
    event: ProviderEvent,
  ): Promise<StepOutcome | PaymentFault | undefined> {
    if (event.kind === "paid") {
      const { amount, currency, payment, words } = event;
      const step = { kind: "paid", provider, amount, currency, payment } as const;
      // What is known already is not written again, however often it is sent.
      const result = stepOrder(order, step);
      if (result.kind === "same") return { kind: "same", order };
      if (result.kind === "changed" && this.isTooLate(provider, order)) return "paid-too-late";
      if (result.kind === "changed" && order.paidAt === 0 && !this.isInLine(order))
        return "quote-out-of-line";
      const outcome = await this.forward(order, step, { words });
      // One that was completed by hand before is told of already.
      if (outcome?.kind === "changed" && order.paidAt === 0) this.tellPaid(outcome.order);
      return outcome;
    }
    if (order.provider !== provider) return "other-provider";
    if (event.kind !== "failed" && event.kind !== "expired") return undefined;
    if (order.state !== "pending") return { kind: "same", order };
    return this.forward(order, { kind: event.kind }, { words: event.words });
  }

  private isInLine(order: OrderRecord): boolean {
    return isQuoteInLine(order, paymentTerms(this.tools.options));
  }

  private isTooLate(provider: PaymentProviderName, { state, paidAt, expiresAt }: OrderRecord): boolean {
    const hasEnded = state !== "pending" && paidAt === 0;
    return hasEnded && this.ports[provider].hasNoEnd === true && this.now() > expiresAt + LATEST_SECONDS;
  }

  private async goBack(
    provider: PaymentProviderName,
    known: OrderRecord,
    event: ProviderEvent,
    told: BackStep,
  ): Promise<StepOutcome | PaymentFault | "later" | undefined> {
    let order = known;
    let step = told;
    if (order.provider !== provider) return "other-provider";
    if (!("payment" in event) || event.currency !== order.currency) return "wrong-currency";
    // Before the callback that it was paid: then the provider knows better.
    if (stepOrder(order, step).kind === "refused") order = await this.afterPayment(order);
    if (order.payment !== "" && event.payment !== "" && order.payment !== event.payment)
      return "other-payment";
    const asTrue = await this.asTrue(provider, order, step);
    if (!asTrue) return "later";
    step = asTrue;
    const result = stepOrder(order, step);
    if (result.kind === "same") return { kind: "same", order };
    const note = this.note({ words: event.words });
    // A claim of the buyer's bank ends the plan, and so does all of the money; what the site gave back of it at the provider does not.
    const endsPlan =
      result.kind === "changed" && (step.kind === "disputed" || moneyBack(result.order) >= order.amount);
    const unspent = endsPlan ? await this.endPlan(order) : 0;
    const outcome = await this.tools.users.takeBy(
      order.userId,
      "payment-refund",
      result.kind === "changed" ? Math.min(result.take, await this.tools.ownQuota(order.userId)) : 0,
      (most) => this.tools.write.sendBack(order.number, step, note, most, unspent),
      (done) => (done?.kind === "changed" ? done.ofBalance : 0),
      // The money is gone: a user who keeps requests under way, each of which holds far more than it costs, keeps nothing by it.
      true,
    );
    if (outcome?.kind === "changed") {
      const back = outcome.order.refunded + outcome.order.disputed - order.refunded - order.disputed;
      this.tellRefunded(outcome.order, back, outcome.taken, outcome.missing, step.reference);
    }
    return outcome;
  }

  /**
   * A step that a callback asks for, as it is true of an order of which a refund has failed: a callback of before it, that comes late, says
   * what was so then.
   * @returns undefined where the provider has to be asked and does not answer.
   */
  private async asTrue(
    provider: PaymentProviderName,
    order: OrderRecord,
    step: BackStep,
  ): Promise<BackStep | undefined> {
    if (step.kind === "disputed") return step;
    const failed = (await this.tools.read.refunds(order.id)).filter(({ state }) => state === "failed");
    if (failed.length === 0) return step;
    if (step.kind === "refunded") {
      const { total } = step;
      const known = await this.guarded(
        provider,
        async (port, tools) => (await port.refundedTotal?.(at(order), tools)) ?? total,
      );
      if (typeof known !== "number") return undefined;
      return { kind: "refunded", total: known, reference: `total-${known}-${failed.length}` };
    }
    // It was given up, and has been made after all.
    const isMadeNow = failed.some(({ reference }) => reference === step.reference);
    return isMadeNow ? { ...step, reference: `${step.reference}/made` } : step;
  }

  /** Money that had gone back is here again: the buyer is given what was taken for it, and the administrators are told of a refund. */
  private async comeBack(
    provider: PaymentProviderName,
    order: OrderRecord,
    event: Extract<ProviderEvent, { kind: "refund-failed" | "dispute-won" }>,
  ): Promise<StepOutcome | PaymentFault | undefined> {
    if (order.provider !== provider) return "other-provider";
    if (event.currency !== order.currency) return "wrong-currency";
    if (order.payment !== "" && event.payment !== "" && order.payment !== event.payment)
      return "other-payment";
    const { own, reference, amount } = event;
    const step = { of: event.kind === "dispute-won" ? "dispute" : "refund", own, reference, amount } as const;
    const given = await this.tools.users.grantBy(
      order.userId,
      "payment-refund",
      () => this.tools.write.takeReturned(order.number, step, this.note({ words: event.words })),
      (back) => back ?? 0,
    );
    this.tools.logger.info({ order: order.number, kind: event.kind, given }, "money of an order came back");
    if (given !== undefined && event.kind === "refund-failed")
      this.tools.notices.raise({
        event: "refund-failed",
        subject: `${order.number} ${reference}`,
        userId: order.userId,
        params: {
          number: order.number,
          username: order.username,
          money: formatMoney(amount, order.currency),
          given,
        },
      });
    return { kind: "same", order };
  }

  /** An order that money came back of before any person said that it was paid. */
  private async afterPayment(order: OrderRecord): Promise<OrderRecord> {
    const { provider } = order;
    if (order.paidAt > 0 || !isProviderName(provider)) return order;
    const found = await this.guarded(provider, (port, tools) => port.find(at(order), tools));
    if (found === "waiting" || found.kind !== "paid") return order;
    await this.goForward(provider, order, found);
    return (await this.tools.read.find(order.number)) ?? order;
  }

  private async forward(
    order: OrderRecord,
    step: ForwardStep,
    more: Partial<StepNote> = {},
  ): Promise<StepOutcome | undefined> {
    const { users, plans, logger } = this.tools;
    const terms = order.plan?.terms;
    const now = this.now();
    const planEndsAt = terms && planEnd(now, terms.durationUnit, terms.durationCount);
    const outcome = await users.grantBy(
      order.userId,
      "payment",
      () => this.tools.write.step(order.number, step, this.note({ ...more, planEndsAt, at: now })),
      (stepped) => (stepped?.kind === "changed" ? stepped.granted : 0),
    );
    const begun = outcome?.kind === "changed" && order.paidAt === 0 ? outcome.order.subscriptionId : 0;
    if (begun > 0)
      try {
        await plans.start(begun);
      } catch (error) {
        // It is paid for and stored: the next look begins it.
        logger.warn({ order: order.number, error: formatError(error) }, "a plan could not begin at once");
      }
    return outcome;
  }

  /** What a port says; what it throws is a fault of its settings, such as a key that is none. */
  private async guarded<T>(
    provider: PaymentProviderName,
    ask: (port: PaymentPort, tools: PaymentTools) => Promise<T>,
  ): Promise<T | { kind: "fault"; fault: "refused" | "unreachable"; detail: string }> {
    try {
      return await ask(this.ports[provider], this.toolsOf(provider));
    } catch {
      return { kind: "fault", fault: "refused", detail: "settings" };
    }
  }

  private toolsOf(provider: PaymentProviderName): PaymentTools {
    const { options, addresses, nowMs } = this.tools;
    const port = this.ports[provider];
    return paymentToolsFor(port, (key) => optionText(options, key), addresses, nowMs());
  }

  private now(): number {
    return Math.floor(this.tools.nowMs() / 1000);
  }

  private note(more: Partial<StepNote> = {}): StepNote {
    const commission = readCommissionRule(this.tools.options);
    return { at: this.now(), unit: this.tools.amountUnit(), commission, ...more };
  }

  private tellPaid({ number, userId, username, quota }: OrderRecord): void {
    this.tools.notices.raise({
      event: "top-up",
      subject: number,
      userId,
      params: { id: userId, username, quota },
    });
  }

  private tellRefunded(
    order: OrderRecord,
    amount: number,
    taken: number,
    missing: number,
    reference: string,
  ): void {
    this.tools.notices.raise({
      event: "order-refunded",
      subject: `${order.number} ${reference}`,
      userId: order.userId,
      params: {
        number: order.number,
        username: order.username,
        money: formatMoney(amount, order.currency),
        taken,
        missing,
      },
    });
  }

  /**
   * Writes down that a callback changed nothing, and tells the administrators. What named no order may be any person's: it is counted
   * now and then, and told once a day.
   */
  private async noteFault(
    provider: PaymentProviderName,
    order: OrderRecord | undefined,
    fault: PaymentFault,
    words: ProviderWords,
  ): Promise<void> {
    const { write, notices, logger, nowMs } = this.tools;
    const kind = `${provider} ${fault}`;
    if (!order) {
      if (nowMs() - (this.counted.get(kind) ?? -FAULT_PAUSE_MS) < FAULT_PAUSE_MS) return;
      this.counted.set(kind, nowMs());
    }
    logger.warn({ provider, fault, order: order?.number }, "a callback of a payment was refused");
    const lastAt = this.now();
    await write.noteFault({ provider, orderId: order?.id ?? 0, fault, lastAt, words });
    notices.raise({
      event: "payment-suspicious",
      subject: `${kind} ${order?.number ?? Math.floor(lastAt / DAY_SECONDS)}`,
      params: { provider, fault, number: order?.number ?? "–" },
    });
  }
}
