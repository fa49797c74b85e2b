import { formatMoney } from "@tollgate/contract/payments/currencies";
import { moneyBack, stepOrder } from "@tollgate/contract/payments/order-machine";
import { isQuoteInLine } from "@tollgate/contract/payments/payment-offers";
import type {
  Callback,
  CallbackAnswer,
  ProviderEvent,
  ProviderWords,
} from "@tollgate/contract/payments/payment-port";
import { isProviderName, type PaymentProviderName } from "@tollgate/contract/payments/providers";
import type {
  BackStep,
  OrderRecord,
  PaymentFault,
  StepOutcome,
} from "@tollgate/contract/records/order-record";
import { atProvider, type OrderSteps } from "./order-steps";
import { paymentTerms } from "./payment-terms";

/**
 * Time after an order's expiry during which a payment is still credited where the provider sets no end, in seconds.
 * Otherwise a user could begin orders while quota is cheap and pay them when it is expensive.
 */
const LATEST_SECONDS = 24 * 3600;
/** Callbacks that fit no order are counted in the database at most so often, in milliseconds. */
const FAULT_PAUSE_MS = 10_000;
const DAY_SECONDS = 86_400;

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

/** Applies providers' events to orders. Storage moves the money, under the lock of the order's row. */
export class ProviderEvents {
  /** When a callback was last counted that named no order, by its provider and fault. */
  private readonly counted = new Map<string, number>();

  constructor(private readonly steps: OrderSteps) {}

  /** Receives a provider's callback: verifies its bytes, and applies its event once. */
  async receive(provider: PaymentProviderName, callback: Callback): Promise<CallbackAnswer> {
    const { answers } = this.steps.ports[provider];
    const reading = this.steps.ports[provider].read(callback, this.steps.toolsOf(provider));
    if (reading.kind === "ignored") return answers.taken;
    if (reading.kind === "refused") {
      await this.noteFault(provider, undefined, reading.fault, {});
      return answers.refused;
    }
    return (await this.settle(provider, reading)) ? answers.taken : answers.refused;
  }

  /** Applies an event that matches its order. @returns whether the provider need not repeat it. */
  async settle(provider: PaymentProviderName, event: ProviderEvent): Promise<boolean> {
    const order = await this.orderOf(provider, event);
    if (!order) {
      // Event for another product of this merchant.
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
    const { read } = this.steps.tools;
    if (event.number !== "") return read.find(event.number);
    return "payment" in event ? read.findByPayment(provider, event.payment) : Promise.resolve(undefined);
  }

  async goForward(
    provider: PaymentProviderName,
    order: OrderRecord,
    event: ProviderEvent,
  ): Promise<StepOutcome | PaymentFault | undefined> {
    if (event.kind === "paid") {
      const { amount, currency, payment, words } = event;
      const step = { kind: "paid", provider, amount, currency, payment } as const;
      // A repeated event is not stored again.
      const result = stepOrder(order, step);
      if (result.kind === "same") return { kind: "same", order };
      if (result.kind === "changed" && this.isTooLate(provider, order)) return "paid-too-late";
      if (result.kind === "changed" && order.paidAt === 0 && !this.isInLine(order))
        return "quote-out-of-line";
      const outcome = await this.steps.forward(order, step, { words });
      // An order that was completed manually has already been announced.
      if (outcome?.kind === "changed" && order.paidAt === 0) this.steps.notifyPaid(outcome.order);
      return outcome;
    }
    if (order.provider !== provider) return "other-provider";
    if (event.kind !== "failed" && event.kind !== "expired") return undefined;
    if (order.state !== "pending") return { kind: "same", order };
    return this.steps.forward(order, { kind: event.kind }, { words: event.words });
  }

  isInLine(order: OrderRecord): boolean {
    return isQuoteInLine(order, paymentTerms(this.steps.tools.options));
  }

  private isTooLate(provider: PaymentProviderName, { state, paidAt, expiresAt }: OrderRecord): boolean {
    const hasEnded = state !== "pending" && paidAt === 0;
    return (
      hasEnded &&
      this.steps.ports[provider].hasNoEnd === true &&
      this.steps.now() > expiresAt + LATEST_SECONDS
    );
  }

  async goBack(
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
    const note = this.steps.note({ words: event.words });
    // A dispute ends the plan, and so does a full refund; a partial refund by the site at the provider does not.
    const endsPlan =
      result.kind === "changed" && (step.kind === "disputed" || moneyBack(result.order) >= order.amount);
    const unspent = endsPlan ? await this.steps.endPlan(order) : 0;
    const outcome = await this.steps.tools.users.takeBy(
      order.userId,
      "payment-refund",
      result.kind === "changed" ? Math.min(result.take, await this.steps.tools.ownQuota(order.userId)) : 0,
      (most) => this.steps.tools.write.sendBack(order.number, step, note, most, unspent),
      (done) => (done?.kind === "changed" ? done.ofBalance : 0),
      // The money is gone: a user gains nothing by running requests, each of which holds far more than it costs.
      true,
    );
    if (outcome?.kind === "changed") this.notifyBack(order, outcome, step.reference);
    return outcome;
  }

  /** Notifies people of money that went back, and administrators of an invoice that has to be reversed for it. */
  private notifyBack(
    before: OrderRecord,
    { order, taken, missing, toReverse }: Extract<StepOutcome, { kind: "changed" }>,
    reference: string,
  ): void {
    const back = order.refunded + order.disputed - before.refunded - before.disputed;
    this.steps.notifyRefunded(order, back, taken, missing, reference);
    if (toReverse !== undefined) this.steps.notifyToReverse(order, toReverse, back, reference);
  }

  /**
   * Corrects a callback's step for an order with a failed refund: a late callback from before the failure is outdated.
   * @returns undefined where the provider has to be queried and does not answer.
   */
  private async asTrue(
    provider: PaymentProviderName,
    order: OrderRecord,
    step: BackStep,
  ): Promise<BackStep | undefined> {
    if (step.kind === "disputed") return step;
    const failed = (await this.steps.tools.read.refunds(order.id)).filter(({ state }) => state === "failed");
    if (failed.length === 0) return step;
    if (step.kind === "refunded") {
      const { total } = step;
      const known = await this.steps.guarded(
        provider,
        async (port, tools) => (await port.refundedTotal?.(atProvider(order), tools)) ?? total,
      );
      if (typeof known !== "number") return undefined;
      return { kind: "refunded", total: known, reference: `total-${known}-${failed.length}` };
    }
    // The refund was recorded as failed, but was made after all.
    const isMadeNow = failed.some(({ reference }) => reference === step.reference);
    return isMadeNow ? { ...step, reference: `${step.reference}/made` } : step;
  }

  /** Money returned: gives the buyer the quota taken for it, and reports a refund to the administrators. */
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
    const given = await this.steps.tools.users.grantBy(
      order.userId,
      "payment-refund",
      () => this.steps.tools.write.takeReturned(order.number, step, this.steps.note({ words: event.words })),
      (back) => back ?? 0,
    );
    this.steps.tools.logger.info(
      { order: order.number, kind: event.kind, given },
      "money of an order came back",
    );
    if (given !== undefined && event.kind === "refund-failed")
      this.steps.tools.notices.raise({
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

  /** Completes an order whose money went back before its payment was reported. */
  private async afterPayment(order: OrderRecord): Promise<OrderRecord> {
    const { provider } = order;
    if (order.paidAt > 0 || !isProviderName(provider)) return order;
    const found = await this.steps.guarded(provider, (port, tools) => port.find(atProvider(order), tools));
    if (found === "waiting" || found.kind !== "paid") return order;
    await this.goForward(provider, order, found);
    return (await this.steps.tools.read.find(order.number)) ?? order;
  }

  /**
   * Stores that a callback changed nothing, and notifies the administrators. Callbacks that name no order may come from
   * anyone: they are counted occasionally, and reported once a day.
   */
  private async noteFault(
    provider: PaymentProviderName,
    order: OrderRecord | undefined,
    fault: PaymentFault,
    words: ProviderWords,
  ): Promise<void> {
    const { write, notices, logger, nowMs } = this.steps.tools;
    const kind = `${provider} ${fault}`;
    if (!order) {
      if (nowMs() - (this.counted.get(kind) ?? -FAULT_PAUSE_MS) < FAULT_PAUSE_MS) return;
      this.counted.set(kind, nowMs());
    }
    logger.warn({ provider, fault, order: order?.number }, "a callback of a payment was refused");
    const lastAt = this.steps.now();
    await write.noteFault({ provider, orderId: order?.id ?? 0, fault, lastAt, words });
    notices.raise({
      event: "payment-suspicious",
      subject: `${kind} ${order?.number ?? Math.floor(lastAt / DAY_SECONDS)}`,
      params: { provider, fault, number: order?.number ?? "–" },
    });
  }
}
