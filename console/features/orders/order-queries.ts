import { keepPreviousData } from "@tanstack/react-query";
import { getOrderTerms, quoteOrder } from "@tollgate/contract/api/order-terms";
import {
  getOrder,
  getOwnOrder,
  listOrders,
  listOwnOrders,
  type Order,
  type OrderDetail,
  sumOrders,
} from "@tollgate/contract/api/orders";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";
import { type OrderSearch, orderQuery } from "./order-search";

/** One's own orders, newest first. */
export const ownOrderPages = () => endpointPages(listOwnOrders, {}, { isExtra: true });

/** One's own orders, sorted by the server. */
export const queriedOwnOrders = endpointQueried(listOwnOrders, {}, { isExtra: true });

/** All users' orders, newest first. */
export const allOrderPages = (search: OrderSearch) =>
  endpointPages(listOrders, { query: orderQuery(search) }, { isExtra: true });

export const queriedOrders = (search: OrderSearch) =>
  endpointQueried(listOrders, { query: orderQuery(search) }, { isExtra: true });

/** Count and money of all orders by state, regardless of the list's state filter. */
export const orderTotalsQuery = ({ q, provider }: OrderSearch) => ({
  ...endpointQuery(sumOrders, { query: { keyword: q ?? "", provider: provider ?? "" } }),
  placeholderData: keepPreviousData,
  meta: { silent: true },
});

export const ownOrderQuery = (number: string) => ({
  ...endpointQuery(getOwnOrder, { params: { number } }),
  enabled: number !== "",
  meta: { silent: true },
  staleTime: 0,
});

/** One's own order for its page: remarks of providers and administrators are not sent to the buyer. */
export const ownOrderDetailQuery = (number: string) => ({
  ...endpointQuery(getOwnOrder, { params: { number } }),
  select: (order: Order): OrderDetail => ({ order, words: {}, refunds: [], faults: [] }),
  meta: { silent: true },
});

/** An order with its refunds and the rejected callbacks. */
export const orderDetailQuery = (number: string) => ({
  ...endpointQuery(getOrder, { params: { number } }),
  meta: { silent: true },
});

/** Prices of quota, and payment methods. */
export const orderTermsQuery = { ...endpointQuery(getOrderTerms, {}), meta: { isExtra: true } };

/**
 * The price of an amount. A rejection is shown at the field.
 * @param usd US dollars of quota, as typed. @param code a promotion code; "" for none.
 */
export const quoteQuery = (usd: string, code = "") => ({
  ...endpointQuery(quoteOrder, { query: code === "" ? { usd } : { usd, code } }),
  enabled: usd !== "",
  retry: false,
  meta: { silent: true },
});
