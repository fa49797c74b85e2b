import { moneyBack, moneyFor } from "@tollgate/contract/payments/order-machine";
import type { ProviderWords } from "@tollgate/contract/payments/payment-port";
import { isProviderName, type PaymentProviderName } from "@tollgate/contract/payments/providers";
import type {
  BackStep,
  BegunRefund,
  OrderRecord,
  RefundRecord,
} from "@tollgate/contract/records/order-record";
import { atProvider, type OrderSteps } from "./order-steps";
import { paymentCrypto } from "./payment-crypto";
import type { ProviderEvents } from "./provider-events";

/** Administrator performing a manual action. */
export interface Actor {
  id: number;
  username: string;
}

/** Outcome of a manual refund. */
export type RefundResult =
  | { kind: "made" | "by-hand" | "waiting"; order: OrderRecord; refund: RefundRecord }
  | { kind: "undone"; detail: string }
  | Exclude<BegunRefund, { kind: "begun" }>;

/** Refunds that a person asks for. */
export class OrderRefunds {
  constructor(
    private readonly steps: OrderSteps,
    private readonly events: ProviderEvents,
  ) {}

  /** Refunds the unspent part of an order: takes the quota back, and sends back the money for it. */
  async refund(order: OrderRecord, actor: Actor, reason: string): Promise<RefundResult | undefined> {
    const { write, users } = this.steps.tools;
    if (order.subscriptionId > 0 && !(await this.isWorthEnding(order))) return { kind: "nothing" };
    const unspent = await this.steps.endPlan(order);
    const { provider } = order;
    const port = isProviderName(provider) ? this.steps.ports[provider] : undefined;
    const isByHand = port?.refund === undefined || order.payment === "";
    const note = this.steps.note({ actorId: actor.id, actorName: actor.username, reason });
    const begun = await users.takeBy(
      order.userId,
      "payment-refund",
      Math.min(order.quota - order.taken, await this.steps.tools.ownQuota(order.userId)),
      (most) => write.beginRefund(order.number, paymentCrypto.nonce(), isByHand, note, most, unspent),
      (result) => (result?.kind === "begun" ? result.ofBalance : 0),
    );
    if (begun?.kind !== "begun") return begun;
    this.steps.notifyRefunded(
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
   * Settles a refund whose provider reports nothing more, or that a person had to send: an administrator knows the
   * outcome. If the money was not sent, the quota taken for it is given back, once.
   * @returns the refund's new state, and the quota that was given back; undefined where it is not open, or belongs to
   * another order. A repeated call returns the same with `isNew` false.
   */
  async settleRefund(
    order: OrderRecord,
    id: number,
    isSent: boolean,
    actor: Actor,
    reason: string,
  ): Promise<{ refund: RefundRecord; givenBack: number; isNew: boolean } | undefined> {
    const { read, write, users } = this.steps.tools;
    const find = async () => (await read.refunds(order.id)).find((refund) => refund.id === id);
    if (!(await find())) return undefined;
    const note = this.steps.note({ actorId: actor.id, actorName: actor.username, reason });
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

  /** Whether ending an order's plan would refund anything: otherwise the plan is not ended. */
  private async isWorthEnding(order: OrderRecord): Promise<boolean> {
    if (order.paidAt === 0) return false;
    const unspent = await this.steps.tools.plans.unspentPrice(order.subscriptionId);
    const back = Math.max(unspent, order.planBack) - order.planBack;
    // Refunded before, but not yet taken.
    const there = Math.max(0, order.planBack - order.taken);
    const taken = Math.min(order.quota, order.taken + back + there);
    return moneyFor(order, taken) > moneyBack(order);
  }

  /** Takes quota that running requests held when an order's money went back, as far as they have ended. */
  async takeHeld({ userId }: OrderRecord, { id, missing }: RefundRecord): Promise<void> {
    await this.steps.tools.users.takeBy(
      userId,
      "payment-refund",
      Math.min(missing, await this.steps.tools.ownQuota(userId)),
      (most) => this.steps.tools.write.takeHeld(id, this.steps.note(), most),
      (taken) => taken,
      true,
    );
  }

  /**
   * Has the provider send money back, repeatedly until the outcome is known.
   * @param isAgain an earlier call may have succeeded: the provider's refusal counts only if it still knows the order.
   * With new keys, of another account, it does not know the order, and its refusal does not prove that no money was
   * sent.
   */
  async sendBack(order: OrderRecord, refund: RefundRecord, isAgain: boolean): Promise<RefundResult> {
    const { provider } = order;
    const port = isProviderName(provider) ? this.steps.ports[provider] : undefined;
    if (!isProviderName(provider) || !port?.refund) return { kind: "waiting", order, refund };
    const asked = {
      ...atProvider(order),
      refund: refund.reference,
      refundAmount: refund.amount,
      isAgain,
      notifyUrl: this.steps.callbackUrl(provider),
    };
    const answer = await this.steps.guarded(
      provider,
      async (each, tools) => (await each.refund?.(asked, tools)) ?? "done",
    );
    const isOpen =
      answer !== "done" &&
      (answer.fault === "unreachable" || (isAgain && !(await this.isKnownThere(provider, order))));
    if (isOpen) {
      this.steps.tools.logger.warn(
        { provider, detail: answer.detail },
        "a provider did not answer for a refund; it is asked again",
      );
      return { kind: "waiting", order, refund };
    }
    const detail = answer === "done" ? "" : answer.detail;
    const ended = await this.steps.tools.users.grantBy(
      order.userId,
      "payment-refund",
      () => this.steps.tools.write.endRefund(refund.id, answer === "done", detail, this.steps.note()),
      (givenBack) => givenBack ?? 0,
    );
    if (ended === undefined) return this.answeredLate(provider, order, refund, answer === "done");
    if (answer !== "done") return { kind: "undone", detail };
    return { kind: "made", order, refund: { ...refund, state: "done" } };
  }

  /**
   * The refund was settled by a person before the provider answered: the answer changes nothing, unless it sent money
   * that was recorded as not sent. Then the quota for it is taken again, as far as available.
   */
  private async answeredLate(
    provider: PaymentProviderName,
    order: OrderRecord,
    { id }: RefundRecord,
    isMade: boolean,
  ): Promise<RefundResult> {
    const { read, logger } = this.steps.tools;
    const [now, refunds] = [(await read.find(order.number)) ?? order, await read.refunds(order.id)];
    const refund = refunds.find((each) => each.id === id);
    if (refund?.state !== "failed")
      return refund ? { kind: "made", order: now, refund } : { kind: "undone", detail: "" };
    // Some providers also report it in a callback, which identifies it only by its amount.
    const isReported = refunds.some(
      ({ kind, amount, createdAt }) =>
        kind === "by-provider" && amount === refund.amount && createdAt >= refund.settledAt,
    );
    if (!isMade || isReported) return { kind: "undone", detail: refund.detail };
    const { reference, amount } = refund;
    const { number, payment, currency } = now;
    const words: ProviderWords = {};
    const event = { kind: "refunded-part", number, payment, amount, currency, reference, words } as const;
    // A provider that reports totals is queried for the total (asTrue).
    const step: BackStep = this.steps.ports[provider].refundedTotal
      ? { kind: "refunded", total: 0, reference }
      : { kind: "refunded-part", amount, reference };
    const outcome = await this.events.goBack(provider, now, event, step);
    logger.warn(
      { order: number, refund: reference, outcome: typeof outcome === "string" ? outcome : outcome?.kind },
      "a refund was made of which an administrator had said that it was not",
    );
    return { kind: "made", order: now, refund };
  }

  /** Whether a provider, with its current settings, knows an order's payment. */
  private async isKnownThere(provider: PaymentProviderName, order: OrderRecord): Promise<boolean> {
    const found = await this.steps.guarded(provider, (port, tools) => port.find(atProvider(order), tools));
    return (
      found !== "waiting" &&
      found.kind !== "fault" &&
      "payment" in found &&
      (order.payment === "" || found.payment === order.payment)
    );
  }
}
