import { type ReadOrder, readOrders } from "@tollgate/contract/management/order";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";
import { type OrderSearch, orderQuery } from "../order-search";

export const OWN_ORDERS = ["orders", "own"];
const ALL_ORDERS = ["orders", "all"];

/** GET /api/order: one's own, the newest first. */
export const ownOrderPages = () =>
  growingList<ReadOrder>(
    OWN_ORDERS,
    async (page, signal) =>
      readOrders((await callApi("GET", "/api/order", { query: { p: page }, signal })).data),
    { isExtra: true },
  );

/** GET /api/payment/orders: everybody's, the newest first. */
export const allOrderPages = (search: OrderSearch) =>
  growingList<ReadOrder>(
    [...ALL_ORDERS, orderQuery(search)],
    async (page, signal) =>
      readOrders(
        (await callApi("GET", "/api/payment/orders", { query: { p: page, ...orderQuery(search) }, signal }))
          .data,
      ),
    { isExtra: true },
  );
