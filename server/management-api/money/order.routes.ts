import type { User } from "@tollgate/accounts/users";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  createOrderBodySchema,
  encodeOrder,
  encodeOrderDetail,
  encodeOwnOrder,
  encodePaymentFault,
  encodeRefund,
  type OrderTermsWire,
  orderDetailWireSchema,
  orderReasonBodySchema,
  orderTermsWireSchema,
  orderWireSchema,
  paymentFaultWireSchema,
  quoteWireSchema,
  refundResultWireSchema,
  refundWireSchema,
  settleRefundBodySchema,
} from "@tollgate/contract/management/order";
import { ORDER_STATES } from "@tollgate/contract/payments/order-machine";
import { quoteFor } from "@tollgate/contract/payments/payment-offers";
import { PAYMENT_PROVIDERS } from "@tollgate/contract/payments/providers";
import type { OrderFilter, OrderRecord } from "@tollgate/contract/records/order-record";
import { formatDecimal } from "@tollgate/contract/values/decimal";
import { z } from "zod/mini";
import type { BeginFault, Product } from "../../payments/orders";
import { offeredProviders, paymentTerms } from "../../payments/payment-terms";
import { audit } from "../audit";
import { Failure } from "../failure";
import { readMaybeChoice } from "../read-choice";
import { type Route, readInteger, readPage, route } from "../route";
import type { Services } from "../services";
import { checkFavour } from "../sign-in/account-rules";

/** How many faults are shown. */
const MOST_FAULTS = 100;

const FILTER = {
  p: "The page, from 0.",
  state: `Only orders in this state: ${ORDER_STATES.join(", ")}.`,
  provider: "Only orders of this provider.",
  keyword:
    "Only the order with this number or this number of the provider, or those of the user with this name.",
};

const PROVIDER_NAMES = PAYMENT_PROVIDERS.map(({ name }) => name);

/** Of a query, which orders are asked for. @throws Failure for a state or a provider that there is not. */
export const readOrderFilter = (query: Record<string, string>): OrderFilter => {
  const keyword = (query.keyword ?? "").trim();
  return {
    state: readMaybeChoice(ORDER_STATES, query.state),
    provider: readMaybeChoice(PROVIDER_NAMES, query.provider),
    keyword: keyword === "" ? undefined : keyword,
  };
};

/** Orders of quota, and payments (docs/guides/payments.md); not part of the contract. */
export const orderRoutes = (services: Services): Route[] => {
  const { accounts, storage, orders, options, addresses } = services;

  const refusal = (fault: BeginFault): Failure => {
    if (fault === "below-minimum")
      return new Failure("order-below-minimum", { minimum: options.text("PaymentMinimum") });
    return new Failure(fault === "plan-often-enough" ? fault : `order-${fault}`);
  };

  /** What a body or a query asks for. @throws Failure for a plan that nobody can buy now, and for both or neither. */
  const readProduct = async (usd: string | undefined, planId: number | undefined): Promise<Product> => {
    if ((usd === undefined) === (planId === undefined)) throw new Failure("order-product");
    if (planId === undefined) return { usd: usd ?? "" };
    const plan = options.isOn("PlansEnabled") ? await storage.read.plans.find(planId) : undefined;
    if (!plan?.isEnabled) throw new Failure("plan-not-offered");
    return { plan };
  };

  const checkIsOn = (): void => {
    if (!options.isOn("PaymentEnabled")) throw new Failure("order-off");
  };

  const find = async (number: string | undefined, userId?: number): Promise<OrderRecord> => {
    const order = await storage.read.orders.find(number ?? "");
    if (!order || (userId !== undefined && order.userId !== userId)) throw new Failure("record-not-found");
    return order;
  };

  const buyerOf = ({ userId, username }: OrderRecord) => ({ id: userId, username });

  /** An order whose money the caller decides about; that of a deleted user is any administrator's. */
  const findManaged = async (caller: User, number: string | undefined): Promise<OrderRecord> => {
    const order = await find(number);
    const buyer = accounts.users.find(order.userId);
    if (buyer) checkFavour(caller, buyer);
    return order;
  };

  /** A refund ends the plan of its order before storage sees the inviter's commission. @throws Failure */
  const checkInviter = async (caller: User, { userId, subscriptionId }: OrderRecord): Promise<void> => {
    if (subscriptionId === 0) return;
    const buyer = await storage.read.users.find(userId);
    const inviter = buyer && accounts.users.find(buyer.inviterId);
    if (inviter) checkFavour(caller, inviter);
  };

  const page = async (filter: OrderFilter, query: Record<string, string>): Promise<OrderRecord[]> =>
    storage.read.orders.page(filter, readPage(query) * PAGE_SIZE, PAGE_SIZE);

  return [
    route({
      method: "GET",
      path: "/api/order/terms",
      guard: "user",
      summary: "What quota costs oneself, and over which providers it is paid",
      data: orderTermsWireSchema,
      answer({ caller }): OrderTermsWire {
        checkIsOn();
        const terms = paymentTerms(options);
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
          providers: offeredProviders(options).map(({ provider: { name, title }, methods }) => ({
            name,
            title,
            methods,
          })),
        };
      },
    }),
    route({
      method: "GET",
      path: "/api/order/quote",
      guard: "user",
      summary: "What an amount of quota, or a plan, costs oneself",
      query: { usd: "US dollars of quota.", plan_id: "A plan that is offered, in place of an amount." },
      data: quoteWireSchema,
      async answer({ caller, query }) {
        checkIsOn();
        const planId = query.plan_id === undefined ? undefined : readInteger(query.plan_id);
        const quote = await orders.quote(caller, await readProduct(query.usd, planId));
        if ("fault" in quote) throw refusal(quote.fault);
        return quote;
      },
    }),
    route({
      method: "POST",
      path: "/api/order",
      guard: "user",
      summary: "Begins an order of quota or of a plan, and says how it is paid",
      data: orderWireSchema,
      body: createOrderBodySchema,
      async answer({ caller, body, request }) {
        checkIsOn();
        const { provider, method = "", usd, plan_id: planId } = body;
        const wanted = { provider, method, ...(await readProduct(usd, planId)) };
        const begun = await orders.begin(caller, wanted, addresses.of(request.raw));
        if ("fault" in begun) throw refusal(begun.fault);
        return encodeOwnOrder(begun);
      },
    }),
    route({
      method: "GET",
      path: "/api/order",
      guard: "user",
      summary: "A page of one's own orders, the newest first",
      query: { p: FILTER.p, state: FILTER.state },
      data: z.array(orderWireSchema),
      async answer({ caller, query }) {
        const { state } = readOrderFilter(query);
        const found = await page({ userId: caller.id, state }, query);
        return found.map(encodeOwnOrder);
      },
    }),
    route({
      method: "GET",
      path: "/api/order/:number",
      guard: "user",
      summary: "One of one's own orders",
      data: orderWireSchema,
      async answer({ caller, params }) {
        return encodeOwnOrder(await find(params.number, caller.id));
      },
    }),
    route({
      method: "POST",
      path: "/api/order/:number/cancel",
      guard: "user",
      summary: "Ends one of one's own orders that is open; what is paid of it all the same is credited",
      data: orderWireSchema,
      async answer({ caller, params }) {
        const cancelled = await orders.cancel(await find(params.number, caller.id));
        if (!cancelled) throw new Failure("order-not-open");
        return encodeOwnOrder(cancelled);
      },
    }),
    route({
      method: "GET",
      path: "/api/payment/orders",
      guard: "admin",
      summary: "A page of all orders, the newest first",
      query: FILTER,
      data: z.array(orderWireSchema),
      async answer({ query }) {
        return (await page(readOrderFilter(query), query)).map(encodeOrder);
      },
    }),
    route({
      method: "GET",
      path: "/api/payment/orders/:number",
      guard: "admin",
      summary: "An order with its refunds, and with the callbacks about it that were refused",
      data: orderDetailWireSchema,
      async answer({ params }) {
        const order = await find(params.number);
        const refunds = await storage.read.orders.refunds(order.id);
        return encodeOrderDetail(order, refunds, await storage.read.orders.faults(order.id, MOST_FAULTS));
      },
    }),
    route({
      method: "GET",
      path: "/api/payment/faults",
      guard: "admin",
      summary: "The callbacks that were refused, counted, the newest first",
      data: z.array(paymentFaultWireSchema),
      async answer() {
        return (await storage.read.orders.faults(undefined, MOST_FAULTS)).map(encodePaymentFault);
      },
    }),
    route({
      method: "POST",
      path: "/api/payment/orders/:number/ask",
      guard: "admin",
      summary: "Asks the provider what became of an order, and does what it says",
      data: orderWireSchema,
      async answer({ params }) {
        const order = await orders.ask(await find(params.number));
        if (!order) throw new Failure("order-provider-not-offered");
        return encodeOrder(order);
      },
    }),
    route({
      method: "POST",
      path: "/api/payment/orders/:number/complete",
      guard: "admin",
      summary: "Completes an order whose money came otherwise: its quota is given, or its plan begins",
      data: orderWireSchema,
      body: orderReasonBodySchema,
      async answer(context) {
        const { caller, params, body } = context;
        const order = await findManaged(caller, params.number);
        const outcome = await orders.complete(order, caller, body.reason);
        if (outcome?.kind !== "changed")
          throw new Failure(
            outcome?.kind === "refused" && outcome.fault === "account-full"
              ? "order-account-full"
              : "order-not-open",
          );
        const detail = { reason: body.reason, quota: order.quota };
        await audit(services, context, "order.complete", order.number, detail, buyerOf(order));
        return encodeOrder(outcome.order);
      },
    }),
    route({
      method: "POST",
      path: "/api/payment/orders/:number/refund",
      guard: "admin",
      summary: "Takes back what is unspent of an order, ends its plan, and sends back what it stands for",
      data: refundResultWireSchema,
      body: orderReasonBodySchema,
      async answer(context) {
        const { caller, params, body } = context;
        const order = await findManaged(caller, params.number);
        await checkInviter(caller, order);
        const result = await orders.refund(order, caller, body.reason);
        if (result === undefined || result.kind === "nothing") throw new Failure("order-nothing-to-refund");
        if (result.kind === "refused") throw new Failure("order-not-paid");
        if (result.kind === "undone") throw new Failure("order-refund-refused", { detail: result.detail });
        const { amount, taken, missing } = result.refund;
        const detail = { reason: body.reason, amount, taken, missing, result: result.kind };
        await audit(services, context, "order.refund", order.number, detail, buyerOf(order));
        return { result: result.kind, amount, currency: order.currency, taken, missing };
      },
    }),
    route({
      method: "POST",
      path: "/api/payment/orders/:number/refunds/:id/settle",
      guard: "admin",
      summary:
        "Settles a refund by hand of which the provider will tell nothing any more: it was sent otherwise, or was not sent and what was taken is given back",
      data: refundWireSchema,
      body: settleRefundBodySchema,
      async answer(context) {
        const { caller, params, body } = context;
        const order = await findManaged(caller, params.number);
        const id = readInteger(params.id ?? "");
        const isSent = body.outcome === "sent";
        const settled = await orders.settleRefund(order, id, isSent, caller, body.reason);
        if (!settled) throw new Failure("order-refund-not-open");
        const { refund, givenBack, isNew } = settled;
        const detail = {
          reason: body.reason,
          outcome: body.outcome,
          refund: refund.reference,
          amount: refund.amount,
          given_back: givenBack,
        };
        if (isNew)
          await audit(services, context, "order.settle-refund", order.number, detail, buyerOf(order));
        return encodeRefund(refund);
      },
    }),
  ];
};
