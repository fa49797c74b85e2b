import type { Accounts } from "@tollgate/accounts/accounts";
import { Plans, planTermsOf } from "@tollgate/accounts/plans";
import type { Plan } from "@tollgate/contract/api/plans";
import type { PaymentTerms } from "@tollgate/contract/payments/payment-offers";
import type { PaymentPort, ProviderEvent } from "@tollgate/contract/payments/payment-port";
import { type PromotedQuote, paidQuota, plainQuote } from "@tollgate/contract/payments/promotions";
import type { InvoiceRecord, InvoiceTitle } from "@tollgate/contract/records/invoice-record";
import type { LedgerCause } from "@tollgate/contract/records/ledger-entry";
import { isRefundOpen } from "@tollgate/contract/records/order-record";
import { ONE, ZERO } from "@tollgate/contract/values/decimal";
import type { AccountChanges, AccountQueries } from "@tollgate/storage/accounts/ports";
import { StorageConflict } from "@tollgate/storage/errors";
import { planRefusalOf, planStoreOf } from "../../state/account-store";
import type { Options } from "../../state/options";
import { returnCharge } from "../../state/return-charge";
import { promotePurchase } from "../order-prices";
import { Orders } from "../orders";

/*
 * Everything beside charges and edits that moves money, drawn at random: orders with callbacks that are doubled, late, shuffled or
 * lie, refunds and disputes, invoices, plans, commissions and codes. The tests of one process and of several nodes draw from here.
 */

const UNIT = { quotaPerUnit: 500_000, isCurrency: false };
const DAY_SECONDS = 86_400;
const INVOICE_LIMITS = { minimum: 0, maxOpen: 1000, maxDaily: 1000 };
const TITLE: InvoiceTitle = {
  ...{ kind: "personal", name: "Alice", taxNumber: "", email: "a@b.cn" },
  ...{ address: "", phone: "", bank: "", account: "" },
};
const CODES = 6;
const PROMOTION_CODES = 4;
/** Causes of the entries by which an order, its plan and its refunds move a balance. */
const OF_ORDER: ReadonlySet<LedgerCause> = new Set([
  "payment",
  "promotion",
  "plan-purchase",
  "plan-refund",
  "payment-refund",
]);
const promotionCode = (name: string, at: number): string => `${name} ${at}`.toUpperCase();
const TERMS: PaymentTerms = {
  currency: "CNY",
  unitPrice: ONE,
  minimum: ZERO,
  quotaPerUnit: { digits: 500_000n, scale: 0 },
  offers: { packages: [], discounts: [], groups: new Map() },
};

/** A process, or one of several nodes, as far as it moves money. */
export interface MoneyNode {
  readonly read: AccountQueries;
  readonly write: AccountChanges;
  readonly accounts: Accounts;
  readonly orders: Orders;
  readonly plans: Plans;
}

interface PlacedOrder {
  readonly number: string;
  readonly amount: number;
  /** Whether a callback reported payment, or a person tried to complete it; and whether that was answered. */
  isPaidMaybe: boolean;
  isPaid: boolean;
}

/** A request that was charged. */
export interface ChargedRequest {
  readonly requestId: string;
  readonly keyId: number;
  readonly quota: number;
  /** What it took from the key. */
  readonly takenFromKey: number;
  /** Unix seconds. */
  readonly at: number;
}

interface Drawn {
  readonly random: () => number;
  /** Unix seconds. */
  readonly now: () => number;
  readonly buyerId: number;
  readonly inviterId: number;
  /** Approximate size of the quota amounts. */
  readonly scale: number;
  /** Part of the names that are the only ones of their kind. */
  readonly name: string;
  /** Whether any step may meet this error: storage failed, or was cut off. */
  isExpected(error: unknown): boolean;
}

export class MoneyActions {
  private readonly random: () => number;
  private readonly orders: PlacedOrder[] = [];
  /** The provider's result of each requested refund, by its number. */
  private readonly refunds = new Map<string, "made" | "refused">();
  private readonly charges: ChargedRequest[] = [];
  private readonly invoices: InvoiceRecord[] = [];
  private plansOffered: readonly Plan[] = [];
  private serial = 0;
  /** Number of times that a history reached its purposes. */
  readonly met = {
    ...{ paid: 0, refunds: 0, disputes: 0, bought: 0, transfers: 0, payouts: 0, redeemed: 0 },
    ...{ requestRefunds: 0, promoted: 0, invoiced: 0, issued: 0 },
  };
  readonly errors: unknown[] = [];

  constructor(private readonly drawn: Drawn) {
    this.random = drawn.random;
  }

  /** A stored charge, which an administrator may refund. */
  noteCharge(charge: ChargedRequest): void {
    this.charges.push(charge);
  }

  /** Creates the site's products. */
  async furnish({ write }: Pick<MoneyNode, "write">): Promise<void> {
    const { scale, name, now } = this.drawn;
    const terms = { title: "Plan", description: "", group: "", maxPerUser: 0, isEnabled: true, sortOrder: 0 };
    const plans = [
      { price: scale / 10, quota: scale / 4, reset: "day", beyond: "balance", durationCount: 3 },
      { price: scale / 20, quota: scale / 10, reset: "never", beyond: "stop", durationCount: 1 },
      { price: 0, quota: scale / 50, reset: "day", beyond: "stop", durationCount: 2 },
    ] as const;
    const created: Plan[] = [];
    for (const { price, quota, ...rest } of plans)
      created.push(
        await write.plans.create({
          ...terms,
          ...rest,
          price: Math.floor(price),
          quota: Math.floor(quota),
          durationUnit: "day",
          createdTime: now(),
        }),
      );
    this.plansOffered = created;
    await write.redemptions.create(
      Array.from({ length: CODES }, (_, index) => ({
        userId: this.drawn.inviterId,
        key: `${name} ${index}`,
        name: "gift",
        quota: 1 + this.below(scale / 10),
        createdTime: now(),
        mostUses: 1 + (index % 2),
      })),
    );
    await this.furnishPromotions({ write });
  }

  /** Codes and activities of all kinds, with bounds that the orders of a history reach. */
  async furnishPromotions({ write }: Pick<MoneyNode, "write">): Promise<void> {
    const { scale, name, now, inviterId } = this.drawn;
    const value = Math.max(1, Math.floor(scale / 50));
    const rule = {
      ...({
        isEnabled: true,
        unit: "quota",
        effect: "bonus",
        steps: [{ from: 0, value }],
        maxEffect: 0,
      } as const),
      ...({ products: ["top-up"], groups: [], isFirstOnly: false, isCombinable: true } as const),
      ...{ startsAt: 0, endsAt: 0, maxUses: 0, maxUsesPerUser: 0, maxTotal: 0 },
      ...{ makerId: inviterId, author: "root", createdTime: now(), updatedTime: now() },
    };
    const discount = { effect: "discount", unit: "percent", products: ["top-up", "plan"] } as const;
    const codes = [
      { ...rule, maxTotal: value * 3 },
      { ...rule, ...discount, steps: [{ from: 0, value: 9000 }], maxUses: 3 },
      { ...rule, ...discount, steps: [{ from: 0, value: 3300 }], maxUsesPerUser: 2 },
      { ...rule, isFirstOnly: true, maxUsesPerUser: 1 },
    ];
    const activity = { ...rule, kind: "activity", code: "", name: "season" } as const;
    await write.promotions.create(
      [
        ...codes.map((each, at) => ({
          ...each,
          kind: "code" as const,
          code: promotionCode(name, at),
          name: `code ${at}`,
        })),
        {
          ...activity,
          unit: "percent",
          steps: [
            { from: value, value: 1000 },
            { from: value * 2, value: 2500 },
          ],
        },
        { ...activity, ...discount, steps: [{ from: 0, value: 500 }], isFirstOnly: true, maxTotal: value },
      ],
      1000,
    );
  }

  /** A node with orders, over a provider that acts as the history determines. */
  open(
    { read, write, accounts }: Pick<MoneyNode, "read" | "write" | "accounts">,
    options: Options,
  ): MoneyNode {
    const tools = { now: this.drawn.now, amountUnit: () => UNIT };
    const port = this.provider();
    const plans = new Plans(planStoreOf({ read, write }), accounts.users, accounts.balances, {
      ...tools,
      reportError: (error) => this.note(error),
      refusalOf: planRefusalOf,
      onEvent: () => {},
    });
    const orders = new Orders({
      read: read.orders,
      write: write.orders,
      users: accounts.users,
      plans,
      readPlans: read.plans,
      readPromotions: read.promotions,
      ownQuota: async (id) => (await read.plans.own(id)) - (await read.plans.parked(id)),
      options,
      notices: { raise: () => {} },
      logger: { info: () => {}, warn: () => {} },
      amountUnit: () => UNIT,
      nowMs: () => this.drawn.now() * 1000,
      addresses: {},
      ports: { stripe: port, epay: port, alipay: port, "wechat-pay": port },
    });
    return { read, write, accounts, orders, plans };
  }

  /**
   * Draws an action that moves money, or moves nothing because it is repeated or forged.
   * @param nodes to run it: occasionally on several at once, or twice on one. @returns when all calls have ended.
   */
  act(nodes: readonly MoneyNode[]): Promise<unknown> {
    const draw = this.random();
    const node = (): MoneyNode => this.pick(nodes);
    const everywhere = (step: (node: MoneyNode) => Promise<unknown>): Promise<unknown>[] =>
      Array.from({ length: this.chance(0.4) ? 1 + this.below(3) : 1 }, () => step(node()));
    const asked = this.draw(draw, node, everywhere);
    return Promise.all(asked.map((each) => each.catch((error: unknown) => this.note(error))));
  }

  /** Everything that is due, until nothing is: open orders and refunds, and plans. */
  async settle(node: MoneyNode): Promise<void> {
    const { orders, plans, read } = node;
    for (let again = 0; again < 3; again += 1) {
      await orders.round(() => false);
      await plans.advanceAll();
    }
    for (const subscription of await read.plans.ofUser(this.drawn.buyerId, 1000))
      if (subscription.state !== "ended") await plans.endNow(subscription);
    await plans.advanceAll();
  }

  /**
   * Deviations from the events: an order is paid when a callback reporting it was accepted, and never without one. The
   * balance grows by no more than the paid quota and its bonus.
   */
  async faults({ read }: Pick<MoneyNode, "read">): Promise<string[]> {
    const faults: string[] = [];
    for (const { number, isPaid, isPaidMaybe } of this.orders) {
      const order = await read.orders.find(number);
      if (!order) {
        if (isPaid) faults.push(`the order ${number} is gone`);
        continue;
      }
      if (isPaid && order.paidAt === 0)
        faults.push(`the order ${number} was told to be paid and is ${order.state}`);
      if (!isPaidMaybe && order.paidAt > 0) faults.push(`nobody told that the order ${number} is paid`);
      // A discount of a plan pays for the plan alone.
      const most = order.plan ? paidQuota(order) : order.quota;
      const given = await this.givenBy(read, number);
      if (given > most) faults.push(`the order ${number} gave ${given}, and at most ${most} was due`);
    }
    return faults;
  }

  /** What the balance has of an order, beside the quota of its plan. */
  private async givenBy(read: AccountQueries, orderNumber: string): Promise<number> {
    const entries = await read.ledger.page({ orderNumber }, 0, 1000);
    return entries.filter(({ cause }) => OF_ORDER.has(cause)).reduce((sum, { amount }) => sum + amount, 0);
  }

  private note(error: unknown): void {
    if (!this.drawn.isExpected(error)) this.errors.push(error);
  }

  /** A person's request may be refused; a provider's event, and due work, may not. */
  private async orRefused(step: Promise<unknown>): Promise<void> {
    try {
      await step;
    } catch (error) {
      if (!(error instanceof StorageConflict)) throw error;
    }
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private chance(probability: number): boolean {
    return this.random() < probability;
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  private draw(
    draw: number,
    node: () => MoneyNode,
    everywhere: (step: (node: MoneyNode) => Promise<unknown>) => Promise<unknown>[],
  ): Promise<unknown>[] {
    const { buyerId, inviterId } = this.drawn;
    if (draw < 0.12 || this.orders.length === 0) return [this.order(node())];
    const order = this.pick(this.orders);
    if (draw < 0.34) {
      const event = this.callback(order);
      return everywhere((each) => this.receive(each, order, event));
    }
    if (draw < 0.46) {
      const event = this.moneyBack(order);
      return everywhere((each) => this.receive(each, order, event));
    }
    if (draw < 0.54) return [this.byHand(node(), order)];
    if (draw < 0.58) return everywhere(({ orders }) => orders.round(() => false));
    if (draw < 0.64) return this.buy(everywhere);
    if (draw < 0.72) return everywhere(({ plans }) => plans.advanceAll());
    if (draw < 0.76) return everywhere((each) => this.orRefused(this.invoice(each)));
    if (draw < 0.78) return [this.changePlan(node())];
    if (draw < 0.82)
      return everywhere(({ accounts, read }) =>
        this.orRefused(
          this.partOf(read)
            .then((quota) => accounts.users.transferCommission(inviterId, quota))
            .then(() => {
              this.met.transfers += 1;
            }),
        ),
      );
    if (draw < 0.88) return [this.orRefused(this.askForPayout(node()))];
    if (draw < 0.93) return this.decide(everywhere);
    if (draw < 0.95) return this.move(everywhere);
    if (draw < 0.97) return this.refundRequest(everywhere);
    const code = `${this.drawn.name} ${this.below(CODES)}`;
    const userId = this.chance(0.7) ? buyerId : inviterId;
    const redeem = async ({ accounts: { users } }: MoneyNode): Promise<void> => {
      const user = users.find(userId);
      if (user && (await users.redeem(user, code)) > 0) this.met.redeemed += 1;
    };
    return everywhere((each) => this.orRefused(redeem(each)));
  }

  /** An application for an invoice, or a step of one, while its orders are paid and their money goes back. */
  private async invoice({ write: { invoices } }: MoneyNode): Promise<void> {
    const { buyerId, inviterId, now } = this.drawn;
    const by = { actorId: inviterId, actorName: "root", at: now() };
    const issue = async ({ id, amount }: InvoiceRecord): Promise<void> => {
      const issued = await invoices.issue(id, {
        ...by,
        amount,
        number: `No. ${id}`,
        link: "",
        file: undefined,
      });
      if (typeof issued === "object") this.met.issued += 1;
    };
    const draw = this.random();
    if (this.invoices.length === 0 || draw < 0.5) {
      const paid = this.orders.filter(({ isPaid }) => isPaid);
      if (paid.length === 0) return;
      const orders = new Set(Array.from({ length: 1 + this.below(3) }, () => this.pick(paid).number));
      const about = { userId: buyerId, username: "alice", isSpecial: false, title: TITLE, note: "" };
      const applied = await invoices.apply(
        { ...about, orders: [...orders], createdAt: now() },
        INVOICE_LIMITS,
      );
      if (applied.kind === "refused") return;
      this.invoices.push(applied.invoice);
      this.met.invoiced += 1;
      if (draw < 0.4) await issue(applied.invoice);
      return;
    }
    const known = this.pick(this.invoices);
    if (draw < 0.7) await issue(known);
    else if (draw < 0.85) await invoices.reverse(known.id, { ...by, reason: "drawn" });
    else if (draw < 0.92) await invoices.decline(known.id, { ...by, reason: "drawn" });
    else await invoices.withdraw(buyerId, known.id, now());
  }

  /** A grant or charge with a reference as its only cause: repeated, also much later, it moves nothing. */
  private move(
    everywhere: (step: (node: MoneyNode) => Promise<unknown>) => Promise<unknown>[],
  ): Promise<unknown>[] {
    const { buyerId, scale, name, now } = this.drawn;
    const reference = `${name} told ${this.below(5)}`;
    const quota = 1 + this.below(scale / 10);
    const isGiven = this.chance(0.5);
    return everywhere(({ accounts: { users } }) =>
      isGiven
        ? users.grant(buyerId, quota, { cause: "imported", reference, actorId: 0, at: now() })
        : users.take(buyerId, quota, { cause: "quota-changed", reference, actorId: 0, at: now() }),
    );
  }

  /** A charge is refunded, whole or in part; often by several administrators at once, or again. */
  private refundRequest(
    everywhere: (step: (node: MoneyNode) => Promise<unknown>) => Promise<unknown>[],
  ): Promise<unknown>[] {
    if (this.charges.length === 0) return [];
    const { requestId, keyId, quota: charged, takenFromKey, at } = this.pick(this.charges);
    const { buyerId, inviterId, now } = this.drawn;
    return everywhere(async ({ accounts, write }) => {
      const { kind } = await returnCharge(accounts, write.requestRefunds, {
        ...{ requestId, userId: buyerId, charged, actorId: inviterId, actorName: "root" },
        quota: this.chance(0.5) ? charged : 1 + this.below(charged),
        ...{ reason: "it was wrong", createdAt: now(), username: "alice", keyId, keyName: "" },
        ...{ channelId: 1, modelName: "dear", mostOfKey: takenFromKey, hasCost: false },
        ...{ chargedAt: at, isLogged: true },
      });
      if (kind === "refunded") this.met.requestRefunds += 1;
    });
  }

  /** A purchase with the promotions that apply, often with a typed code. */
  private async quote({ read }: MoneyNode, plan: Plan | undefined): Promise<PromotedQuote> {
    const { buyerId: id, name, scale, now } = this.drawn;
    const bought = plan?.price ?? 1 + this.below(scale / 5);
    const bonus = plan ? 0 : this.below(bought / 4);
    const amount = 1 + this.below(2000);
    const quote = { usd: "1", amount, currency: "CNY", quota: bought + bonus, bonus, factor: "1" };
    const code = this.chance(0.6) ? promotionCode(name, this.below(PROMOTION_CODES)) : "";
    const tools = { read: read.promotions, now };
    const purchase = { product: plan ? "plan" : "top-up", quote, code } as const;
    const promoted = await promotePurchase(tools, { id, groups: ["default"] }, purchase, TERMS);
    return "fault" in promoted ? plainQuote(quote) : promoted;
  }

  private async order(node: MoneyNode): Promise<void> {
    const { write } = node;
    this.serial += 1;
    const number = `${this.drawn.name}-${this.serial}`;
    const plan = this.chance(0.4) ? this.pick(this.plansOffered.filter(({ price }) => price > 0)) : undefined;
    const quote = await this.quote(node, plan);
    const now = this.drawn.now();
    this.orders.push({ number, amount: quote.amount, isPaidMaybe: false, isPaid: false });
    const create = write.orders.create(
      {
        ...quote,
        number,
        userId: this.drawn.buyerId,
        username: "alice",
        provider: "stripe",
        method: "",
        plan: plan && { id: plan.id, terms: planTermsOf(plan) },
        createdAt: now,
        expiresAt: now + 2100,
      },
      1000,
    );
    // Another order may have used a promotion up since the quote.
    await this.orRefused(
      create.then(async (order) => {
        if (order && order.promotions.length > 0) this.met.promoted += 1;
        // A payment may still arrive.
        if (order?.plan && this.chance(0.3)) await node.orders.cancel(order);
      }),
    );
  }

  private async receive(node: MoneyNode, order: PlacedOrder, event: ProviderEvent): Promise<void> {
    const isOther = this.chance(0.03);
    const isForged = this.chance(0.03);
    const isReported = !isOther && !isForged;
    const isRight =
      isReported && event.kind === "paid" && event.amount === order.amount && event.currency === "CNY";
    if (isRight) order.isPaidMaybe = true;
    const text = isForged ? "" : JSON.stringify(event);
    const callback = { method: "POST", query: "", body: Buffer.from(text), text, header: () => "" } as const;
    const answer = await node.orders.receive(isOther ? "epay" : "stripe", callback);
    if (answer.status !== 200) return;
    if (isRight) {
      order.isPaid = true;
      this.met.paid += 1;
    } else if (event.kind === "disputed") this.met.disputes += 1;
    else if (event.kind !== "paid") this.met.refunds += 1;
  }

  /** A provider's event, or a forged one, about an order before or after it is paid. */
  private callback({ number, amount }: PlacedOrder): ProviderEvent {
    const paid = {
      kind: "paid",
      number,
      amount,
      currency: "CNY",
      payment: `pay ${number}`,
      words: {},
    } as const;
    const draw = this.random();
    if (draw < 0.7) return paid;
    if (draw < 0.76) return { ...paid, amount: amount + 1 };
    if (draw < 0.8) return { ...paid, currency: "USD" };
    if (draw < 0.84) return { ...paid, payment: `another ${number}` };
    return { kind: this.pick(["failed", "expired"] as const), number, words: {} };
  }

  private moneyBack({ number, amount }: PlacedOrder): ProviderEvent {
    const part = 1 + this.below(amount);
    const back = { number, payment: `pay ${number}`, currency: "CNY", words: {} };
    const reference = `part ${number} ${this.below(3)}`;
    const draw = this.random();
    if (draw < 0.15) {
      const own = this.chance(0.5) ? this.pick(["", ...this.refunds.keys()]) : "";
      return { ...back, kind: "refund-failed", amount: part, own, reference: `failed ${reference}` };
    }
    if (draw < 0.25)
      return { ...back, kind: "dispute-won", amount: part, own: "", reference: `claim ${reference}` };
    if (draw < 0.4) return { ...back, kind: "refunded", total: this.chance(0.3) ? amount : part };
    if (draw < 0.6) return { ...back, kind: "refunded-part", amount: part, reference };
    return {
      ...back,
      kind: "disputed",
      amount: this.chance(0.4) ? amount : part,
      reference: `claim ${reference}`,
    };
  }

  /** An action by an administrator, or the buyer, on an order. */
  private async byHand({ orders, read }: MoneyNode, placed: PlacedOrder): Promise<void> {
    const order = await read.orders.find(placed.number);
    if (!order) return;
    const draw = this.random();
    const actor = { id: this.drawn.inviterId, username: "root" };
    if (draw < 0.1) await orders.cancel(order);
    else if (draw < 0.25) {
      placed.isPaidMaybe = true;
      const outcome = await orders.complete(order, actor, "paid otherwise");
      if (outcome?.kind === "changed") placed.isPaid = true;
    } else if (draw < 0.45) {
      // Also of a running refund, or one that the provider answers later.
      const [refund] = (await read.orders.refunds(order.id)).filter(isRefundOpen);
      if (refund) await orders.settleRefund(order, refund.id, this.chance(0.5), actor, "its keys are gone");
    } else {
      const result = await orders.refund(order, actor, "asked for");
      if (result?.kind === "made" || result?.kind === "waiting") this.met.refunds += 1;
    }
  }

  private buy(
    everywhere: (step: (node: MoneyNode) => Promise<unknown>) => Promise<unknown>[],
  ): Promise<unknown>[] {
    this.serial += 1;
    const reference = `${this.drawn.name} plan ${this.serial}`;
    const plan = this.pick(this.plansOffered);
    const renews = this.chance(0.4);
    return everywhere(async ({ accounts, plans }) => {
      const user = accounts.users.find(this.drawn.buyerId);
      if (!user) return;
      const bought = await plans.subscribe(user, plan, {
        source: "balance",
        reference,
        actorId: user.id,
        renews,
      });
      if (typeof bought !== "string") this.met.bought += 1;
    });
  }

  private async changePlan({ plans, read, write }: MoneyNode): Promise<void> {
    const [subscription] = await read.plans.ofUser(this.drawn.buyerId, 3);
    if (!subscription) return;
    if (this.chance(0.5)) await plans.endNow(subscription);
    else await write.plans.setRenews(subscription.id, this.chance(0.5));
  }

  /** Part of the inviter's commissions, occasionally all of them, or more. */
  private async partOf(read: AccountQueries): Promise<number> {
    const { commission } = await read.commissions.summary(this.drawn.inviterId);
    return Math.max(1, this.chance(0.3) ? commission : this.below(commission));
  }

  private async askForPayout({ read, write }: MoneyNode): Promise<void> {
    const { inviterId, now } = this.drawn;
    await write.commissions.ask(inviterId, await this.partOf(read), "", now());
  }

  private decide(
    everywhere: (step: (node: MoneyNode) => Promise<unknown>) => Promise<unknown>[],
  ): Promise<unknown>[] {
    const { inviterId, now } = this.drawn;
    const draw = this.random();
    return everywhere(async ({ read, write }) => {
      const open = await read.commissions.payouts({ userId: inviterId }, 0, 10);
      const payout = open[Math.floor(draw * open.length)];
      if (!payout) return;
      const state = this.chance(0.6) ? "paid" : "declined";
      const decided = await write.commissions.decide(payout.id, state, {
        actorId: inviterId,
        reason: "",
        at: now(),
      });
      if (decided) this.met.payouts += 1;
    });
  }

  /** Callbacks contain their event; refunds are made, refused, or unanswered, though they may have been made. */
  private provider(): PaymentPort {
    const answer = (status: number) => ({ status, type: "text/plain", body: "" });
    return {
      address: undefined,
      begin: async () => ({ kind: "fault", fault: "refused", detail: "" }),
      read: ({ text }) => (text === "" ? { kind: "refused", fault: "signature-wrong" } : JSON.parse(text)),
      answers: { taken: answer(200), refused: answer(400) },
      find: async ({ number, amount }) => {
        const order = this.orders.find((each) => each.number === number);
        if (!order?.isPaidMaybe || this.chance(0.3))
          return this.chance(0.5) ? "waiting" : { kind: "fault", fault: "unreachable", detail: "" };
        return { kind: "paid", number, amount, currency: "CNY", payment: `pay ${number}`, words: {} };
      },
      refund: async ({ refund }) => {
        const done = this.refunds.get(refund) ?? this.pick(["made", "refused"] as const);
        this.refunds.set(refund, done);
        if (this.chance(0.4)) return { kind: "fault", fault: "unreachable", detail: "" };
        return done === "made" ? "done" : { kind: "fault", fault: "refused", detail: "no" };
      },
    };
  }
}

/** Seconds skipped in a history, so that periods of plans end. */
export const someTime = (random: () => number): number => Math.floor(random() * 1.5 * DAY_SECONDS);
