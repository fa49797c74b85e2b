import type { User } from "@tollgate/accounts/users";
import { getOrderTerms, type OrderTermsWire, quoteOrder } from "@tollgate/contract/api/order-terms";
import {
  askProvider,
  cancelOrder,
  completeOrder,
  createOrder,
  getOrder,
  getOwnOrder,
  listOrders,
  listOwnOrders,
  listPaymentFaults,
  ORDER_SORTS,
  type Order,
  type OrderSort,
  OWN_ORDER_SORTS,
  REFUND_FILTERS,
  refundOrder,
  settleRefund,
  sumOrders,
} from "@tollgate/contract/api/orders";
import { ORDER_STATES } from "@tollgate/contract/payments/order-machine";
import { quoteFor } from "@tollgate/contract/payments/payment-offers";
import { normalCode, type PromotionFault } from "@tollgate/contract/payments/promotions";
import { PAYMENT_PROVIDERS } from "@tollgate/contract/payments/providers";
import type { OrderFilter, OrderRecord } from "@tollgate/contract/records/order-record";
import { divideDown, formatDecimal, parseDecimal, simplify } from "@tollgate/contract/values/decimal";
import type { BeginFault, Product, Wanted } from "../../payments/orders";
import { offeredProviders, paymentTerms } from "../../payments/payment-terms";
import { audit } from "../audit";
import { Failure } from "../failure";
import { readMaybeChoice } from "../read-choice";
import { implement, type Route, type RouteContext, readInteger, readListPage, takeCall } from "../route";
import type { Services } from "../services";
import { checkFavour } from "../sign-in/account-rules";
import { checkTermsAccepted } from "../site/terms";

/** Longer than any code. */
const MAX_TYPED_CODE = 100;
/** Maximum number of faults shown. */
const MAX_FAULTS = 100;

const PROVIDER_NAMES = PAYMENT_PROVIDERS.map(({ name }) => name);

/** Reads an order filter from a query. @throws Failure for an unknown state or provider. */
export const readOrderFilter = (query: Record<string, string>): OrderFilter => {
  const keyword = (query.keyword ?? "").trim();
  return {
    state: readMaybeChoice(ORDER_STATES, query.state),
    provider: readMaybeChoice(PROVIDER_NAMES, query.provider),
    hasOpenRefund: readMaybeChoice(REFUND_FILTERS, query.refund) === "open",
    keyword: keyword === "" ? undefined : keyword,
  };
};

/** An order for display: without its payment data, which only its buyer may see. */
const shownOrder = ({
  pay: _pay,
  words: _words,
  checkout: _checkout,
  plan,
  ...order
}: OrderRecord): Order => ({
  ...order,
  unitPrice: order.unitPrice ?? "",
  quotaPerUnit: order.quotaPerUnit ?? "",
  planId: plan?.id ?? 0,
  planTitle: plan?.terms.title ?? "",
});

/** The buyer must not see who completed it, nor why the provider did not begin it. */
const ownOrder = (order: OrderRecord, now: number): Order => ({
  ...shownOrder(order),
  completedBy: 0,
  completedName: "",
  reason: "",
  detail: "",
  ...(order.state === "pending" && order.pay
    ? { pay: { ...order.pay, seconds_left: Math.max(0, order.expiresAt - now) } }
    : {}),
});

/** The smallest purchase for which a code applies, in US dollars. */
const minimumOf = async ({ storage, options }: Services, code: string): Promise<string> => {
  const found = await storage.read.promotions.findCode(normalCode(code));
  const unit = parseDecimal(options.text("QuotaPerUnit"));
  const from = found?.steps[0]?.from ?? 0;
  return unit ? formatDecimal(simplify(divideDown({ digits: BigInt(from), scale: 0 }, unit, 6))) : "";
};

const isCodeFault = (fault: BeginFault): fault is PromotionFault => fault.startsWith("promotion-");

/**
 * Quotes or begins a purchase with a code. A wrong code counts as a guess, and after too many the caller is told
 * nothing of a right one either. A code that is not the buyer's is answered like one that does not exist.
 * @throws Failure
 */
const tryCode = async <Made extends object>(
  { services, request }: Pick<RouteContext<"user", unknown>, "services" | "request">,
  code: string,
  make: () => Promise<Made | { fault: BeginFault }>,
): Promise<Exclude<Made, { fault: BeginFault }>> => {
  const { critical } = services.rateLimits;
  const address = services.addresses.subscriberOf(request.raw);
  if (code !== "") takeCall(critical, address);
  let isGuess = false;
  try {
    const made = await make();
    if (!("fault" in made)) return made as Exclude<Made, { fault: BeginFault }>;
    isGuess = made.fault === "promotion-not-valid";
    throw await refuseQuote(services, made.fault, code);
  } finally {
    if (code !== "" && !isGuess) critical.giveBack(address);
  }
};

const refuseQuote = async (services: Services, fault: BeginFault, code: string): Promise<Failure> => {
  if (!isCodeFault(fault)) return refusal(services, fault);
  const minimum = fault === "promotion-below-minimum" ? await minimumOf(services, code) : "";
  return new Failure(fault, { minimum }).at("code");
};

const refusal = (services: Services, fault: Exclude<BeginFault, PromotionFault>): Failure => {
  if (fault === "below-minimum")
    return new Failure("order-below-minimum", { minimum: services.options.text("PaymentMinimum") });
  return new Failure(fault === "plan-often-enough" ? fault : `order-${fault}`);
};

/** Reads the product of a body or a query. @throws Failure for a plan that is not on sale, and for both or neither. */
const readProduct = async (
  services: Services,
  usd: string | undefined,
  planId: number | undefined,
): Promise<Product> => {
  if ((usd === undefined) === (planId === undefined)) throw new Failure("order-product");
  if (planId === undefined) return { usd: usd ?? "" };
  const plan = services.options.isOn("PlansEnabled")
    ? await services.storage.read.plans.find(planId)
    : undefined;
  if (!plan?.isEnabled) throw new Failure("plan-not-offered");
  return { plan };
};

/** A product with its promotion code. */
const readWanted = async (
  services: Services,
  asked: { usd: string | undefined; planId: number | undefined; code: string | undefined },
): Promise<Wanted> => ({
  ...(await readProduct(services, asked.usd, asked.planId)),
  code: (asked.code ?? "").slice(0, MAX_TYPED_CODE),
});

const checkIsOn = (services: Services): void => {
  if (!services.options.isOn("PaymentEnabled")) throw new Failure("order-off");
};

const find = async (
  services: Services,
  number: string | undefined,
  userId?: number,
): Promise<OrderRecord> => {
  const order = await services.storage.read.orders.find(number ?? "");
  if (!order || (userId !== undefined && order.userId !== userId)) throw new Failure("record-not-found");
  return order;
};

const buyerOf = ({ userId, username }: OrderRecord) => ({ id: userId, username });

/** An order whose money the caller may manage; any administrator may manage a deleted user's. */
const findManaged = async (
  services: Services,
  caller: User,
  number: string | undefined,
): Promise<OrderRecord> => {
  const order = await find(services, number);
  const buyer = services.accounts.users.find(order.userId);
  if (buyer) checkFavour(caller, buyer);
  return order;
};

/** A refund ends the plan of its order before storage sees the inviter's commission. @throws Failure */
const checkInviter = async (
  services: Services,
  caller: User,
  { userId, subscriptionId }: OrderRecord,
): Promise<void> => {
  if (subscriptionId === 0) return;
  const buyer = await services.storage.read.users.find(userId);
  const inviter = buyer && services.accounts.users.find(buyer.inviterId);
  if (inviter) checkFavour(caller, inviter);
};

const page = async (
  services: Services,
  filter: OrderFilter,
  query: Record<string, string>,
  sorts: readonly OrderSort[],
): Promise<OrderRecord[]> => services.storage.read.orders.page(filter, ...readListPage(query, sorts));

/** Orders of quota, and payments (docs/guides/payments.md); not part of the contract. */
export const orderRoutes: Route[] = [
  implement(getOrderTerms, async ({ services, caller }): Promise<OrderTermsWire> => {
    checkIsOn(services);
    const terms = paymentTerms(services.options);
    return {
      currency: terms.currency,
      unit_price: formatDecimal(terms.unitPrice),
      minimum: formatDecimal(terms.minimum),
      packages: terms.offers.packages.flatMap(({ usd }) => {
        const quote = quoteFor(formatDecimal(usd), caller.groups, terms);
        return "fault" in quote ? [] : [quote];
      }),
      discounts: terms.offers.discounts.map(({ from, factor }) => ({
        from: formatDecimal(from),
        factor: formatDecimal(factor),
      })),
      activities: (await services.orders.activities(caller)).map(
        ({ id, name, effect, unit, steps, maxEffect, products, isFirstOnly, endsAt }) => ({
          ...{ id, name, effect, unit, steps: [...steps] },
          max_effect: maxEffect,
          products: products.join(","),
          is_first_only: isFirstOnly,
          ends_at: endsAt,
        }),
      ),
      providers: offeredProviders(services.options).map(({ provider: { name, title }, methods }) => ({
        name,
        title,
        methods,
      })),
    };
  }),
  implement(quoteOrder, async (context) => {
    const { services, caller, query } = context;
    checkIsOn(services);
    const planId = query.plan_id === undefined ? undefined : readInteger(query.plan_id);
    const wanted = await readWanted(services, { usd: query.usd, planId, code: query.code });
    const quote = await tryCode(context, wanted.code ?? "", () => services.orders.quote(caller, wanted));
    const { promotionBonus: _, promotions, ...rest } = quote;
    const code = normalCode(wanted.code ?? "");
    return {
      ...rest,
      promotions: promotions.map((promotion) => ({ ...promotion })),
      is_code_unused: code !== "" && !promotions.some((promotion) => promotion.code === code),
    };
  }),
  implement(createOrder, async (context) => {
    const { services, caller, body, request } = context;
    checkIsOn(services);
    await checkTermsAccepted(services, caller);
    const { provider, method = "", usd, plan_id: planId, code } = body;
    const wanted = { provider, method, ...(await readWanted(services, { usd, planId, code })) };
    const seen = { amount: body.expected_amount, quota: body.expected_quota };
    const address = services.addresses.of(request.raw);
    const begun = await tryCode(context, wanted.code ?? "", () =>
      services.orders.begin(caller, wanted, address, seen),
    );
    return ownOrder(begun, services.now());
  }),
  implement(listOwnOrders, async ({ services, caller, query }) => {
    const { state } = readOrderFilter(query);
    const found = await page(services, { userId: caller.id, state }, query, OWN_ORDER_SORTS);
    return found.map((order) => ownOrder(order, services.now()));
  }),
  implement(getOwnOrder, async ({ services, caller, params }) => {
    return ownOrder(await find(services, params.number, caller.id), services.now());
  }),
  implement(cancelOrder, async ({ services, caller, params }) => {
    const cancelled = await services.orders.cancel(await find(services, params.number, caller.id));
    if (!cancelled) throw new Failure("order-not-open");
    return ownOrder(cancelled, services.now());
  }),
  implement(listOrders, async ({ services, query }) => {
    return (await page(services, readOrderFilter(query), query, ORDER_SORTS)).map(shownOrder);
  }),
  implement(sumOrders, ({ services, query }) => services.storage.read.orders.totals(readOrderFilter(query))),
  implement(getOrder, async ({ services, params }) => {
    const order = await find(services, params.number);
    return {
      order: shownOrder(order),
      words: order.words,
      refunds: [...(await services.storage.read.orders.refunds(order.id))],
      faults: [...(await services.storage.read.orders.faults(order.id, MAX_FAULTS))],
    };
  }),
  implement(listPaymentFaults, async ({ services }) => {
    return [...(await services.storage.read.orders.faults(undefined, MAX_FAULTS))];
  }),
  implement(askProvider, async ({ services, params }) => {
    const order = await services.orders.ask(await find(services, params.number));
    if (!order) throw new Failure("order-provider-not-offered");
    return shownOrder(order);
  }),
  implement(completeOrder, async (context) => {
    const { caller, params, body } = context;
    const order = await findManaged(context.services, caller, params.number);
    const outcome = await context.services.orders.complete(order, caller, body.reason);
    if (outcome?.kind !== "changed")
      throw new Failure(
        outcome?.kind === "refused" && outcome.fault === "account-full"
          ? "order-account-full"
          : "order-not-open",
      );
    const detail = { reason: body.reason, quota: order.quota };
    await audit(context.services, context, "order.complete", order.number, detail, buyerOf(order));
    return shownOrder(outcome.order);
  }),
  implement(refundOrder, async (context) => {
    const { caller, params, body } = context;
    const order = await findManaged(context.services, caller, params.number);
    await checkInviter(context.services, caller, order);
    // Before the plan of the order is ended; storage looks again.
    if ((await context.services.storage.read.invoices.issuedFor(order.number)) !== undefined)
      throw new Failure("order-invoice-issued");
    const result = await context.services.orders.refund(order, caller, body.reason);
    if (result === undefined || result.kind === "nothing") throw new Failure("order-nothing-to-refund");
    if (result.kind === "refused")
      throw new Failure(result.fault === "invoice-issued" ? "order-invoice-issued" : "order-not-paid");
    if (result.kind === "undone") throw new Failure("order-refund-refused", { detail: result.detail });
    const { amount, taken, missing } = result.refund;
    const { currency } = order;
    const detail = { reason: body.reason, amount, currency, taken, missing, result: result.kind };
    await audit(context.services, context, "order.refund", order.number, detail, buyerOf(order));
    return { result: result.kind, amount, currency, taken, missing };
  }),
  implement(settleRefund, async (context) => {
    const { caller, params, body } = context;
    const order = await findManaged(context.services, caller, params.number);
    const id = params.id;
    const isSent = body.outcome === "sent";
    const settled = await context.services.orders.settleRefund(order, id, isSent, caller, body.reason);
    if (!settled) throw new Failure("order-refund-not-open");
    const { refund, givenBack, isNew } = settled;
    const detail = {
      reason: body.reason,
      outcome: body.outcome,
      refund: refund.reference,
      amount: refund.amount,
      currency: order.currency,
      given_back: givenBack,
    };
    if (isNew)
      await audit(context.services, context, "order.settle-refund", order.number, detail, buyerOf(order));
    return refund;
  }),
];
