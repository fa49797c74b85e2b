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

/** Who does something by hand. */
export interface Actor {
  id: number;
  username: string;
}

/** What became of a refund that was asked for by hand. */
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

  /** Refunds what is unspent of an order: takes it back, and sends back what it stands for. */
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
    this.steps.tellRefunded(
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

  /** Whether a refund of an order's plan would send anything back: a plan is not ended for nothing. */
  private async isWorthEnding(order: OrderRecord): Promise<boolean> {
    if (order.paidAt === 0) return false;
    const unspent = await this.steps.tools.plans.unspentPrice(order.subscriptionId);
    const back = Math.max(unspent, order.planBack) - order.planBack;
    // What came back of it before, and is not taken.
    const there = Math.max(0, order.planBack - order.taken);
    const taken = Math.min(order.quota, order.taken + back + there);
    return moneyFor(order, taken) > moneyBack(order);
  }

  /** Takes what requests under way held of a balance when money of an order went back, as far as they are done. */
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
   * Has the provider send money back, as often as it takes to hear what became of it.
   * @param isAgain it was asked before, and may have done it: it refuses this refund alone while it still knows the order. One that has
   * been given other keys since, of another account, knows nothing of it, and does not say that the money did not go.
   */
  async sendBack(order: OrderRecord, refund: RefundRecord, isAgain: boolean): Promise<RefundResult> {
    const { provider } = order;
    const port = isProviderName(provider) ? this.steps.ports[provider] : undefined;
    if (!isProviderName(provider) || !port?.refund) return { kind: "waiting", order, refund };
    const asked = { ...atProvider(order), refund: refund.reference, refundAmount: refund.amount, isAgain };
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
   * A refund was ended by another person until the provider answered: its word changes nothing, but where it has sent money of which it was said
   * that it was not sent. Then what the money stands for is taken again, as far as it is there.
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

  /** Whether a provider, as it is asked now, knows of an order's payment. */
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
