import type { Plans } from "@tollgate/accounts/plans";
import type { Users } from "@tollgate/accounts/users";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import type { OrderAtProvider, PaymentPort, PaymentTools } from "@tollgate/contract/payments/payment-port";
import { PAYMENT_PORTS } from "@tollgate/contract/payments/ports";
import type { PaymentProviderName } from "@tollgate/contract/payments/providers";
import type {
  ForwardStep,
  OrderRecord,
  StepNote,
  StepOutcome,
} from "@tollgate/contract/records/order-record";
import type { PlanQueries } from "@tollgate/contract/records/people-store";
import { paymentCallbackPath } from "@tollgate/contract/resource/served-paths";
import type { AmountUnit } from "@tollgate/contract/values/log-phrase";
import { planEnd } from "@tollgate/metering/plan-periods";
import type { OrderChanges, OrderQueries } from "@tollgate/storage/accounts/money-ports";
import type { Logger } from "pino";
import { formatError } from "../locales/format-data-fault";
import type { Notices } from "../notices/notices";
import { readCommissionRule } from "../state/commission-rule";
import type { Options } from "../state/options";
import type { PromotionTools } from "./order-prices";
import { optionText } from "./payment-terms";
import { paymentToolsFor } from "./payment-tools";

/** Dependencies of orders. */
export interface OrderTools {
  read: OrderQueries;
  write: OrderChanges;
  users: Pick<Users, "grantBy" | "takeBy">;
  plans: Pick<Plans, "start" | "endNow" | "unspentPrice">;
  readPlans: Pick<PlanQueries, "subscription" | "page">;
  readPromotions: PromotionTools["read"];
  /** The user's own part of their balance, without a plan's quota: a refund takes nothing from a plan. */
  ownQuota(userId: number): Promise<number>;
  options: Options;
  notices: Pick<Notices, "raise">;
  logger: Pick<Logger, "info" | "warn">;
  amountUnit(): AmountUnit;
  /** Unix milliseconds. */
  nowMs(): number;
  /** Addresses of the providers' services, by the names in their ports. */
  addresses: Readonly<Record<string, string>>;
  /** Replaced in tests. */
  ports?: Readonly<Record<PaymentProviderName, PaymentPort>>;
}

/** An order as its provider knows it. */
export const atProvider = ({
  number,
  amount,
  currency,
  checkout,
  payment,
}: OrderRecord): OrderAtProvider => ({
  number,
  amount,
  currency,
  checkout,
  payment,
});

/** Steps of an order that a provider, a person or the time brings about. */
export class OrderSteps {
  readonly ports: Readonly<Record<PaymentProviderName, PaymentPort>>;

  constructor(readonly tools: OrderTools) {
    this.ports = tools.ports ?? PAYMENT_PORTS;
  }

  async forward(
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

  /** Ends an order's plan, and takes its quota not held by requests. @returns the unspent part of its price. */
  async endPlan({ subscriptionId }: OrderRecord): Promise<number> {
    if (subscriptionId === 0) return 0;
    const { plans, readPlans } = this.tools;
    const before = await readPlans.subscription(subscriptionId);
    if (before && before.state !== "ended") await plans.endNow(before);
    // The plan stays active if this node has not loaded its user.
    const after = await readPlans.subscription(subscriptionId);
    return after?.state === "ended" ? plans.unspentPrice(subscriptionId) : 0;
  }

  /** The answer of a port. An error that it throws is a fault of its settings, such as an invalid key. */
  async guarded<T>(
    provider: PaymentProviderName,
    ask: (port: PaymentPort, tools: PaymentTools) => Promise<T>,
  ): Promise<T | { kind: "fault"; fault: "refused" | "unreachable"; detail: string }> {
    try {
      return await ask(this.ports[provider], this.toolsOf(provider));
    } catch {
      return { kind: "fault", fault: "refused", detail: "settings" };
    }
  }

  toolsOf(provider: PaymentProviderName): PaymentTools {
    const { options, addresses, nowMs } = this.tools;
    const port = this.ports[provider];
    return paymentToolsFor(port, (key) => optionText(options, key), addresses, nowMs());
  }

  /** The address at which a provider reports payments and refunds. */
  callbackUrl(provider: PaymentProviderName): string {
    return `${this.tools.options.serverAddress()}${paymentCallbackPath(provider)}`;
  }

  now(): number {
    return Math.floor(this.tools.nowMs() / 1000);
  }

  note(more: Partial<StepNote> = {}): StepNote {
    const commission = readCommissionRule(this.tools.options);
    return { at: this.now(), unit: this.tools.amountUnit(), commission, ...more };
  }

  /** Money of an invoiced order went back at the provider, which nothing can block. */
  notifyToReverse(order: OrderRecord, invoiceId: number, amount: number, reference: string): void {
    const { number, username, currency } = order;
    this.tools.notices.raise({
      event: "invoice-to-reverse",
      subject: `${invoiceId} ${number} ${reference}`,
      params: { id: invoiceId, number, username, money: formatMoney(amount, currency) },
    });
  }

  notifyPaid({ number, userId, username, quota }: OrderRecord): void {
    this.tools.notices.raise({
      event: "top-up",
      subject: number,
      userId,
      params: { id: userId, username, quota },
    });
  }

  notifyRefunded(
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
}
