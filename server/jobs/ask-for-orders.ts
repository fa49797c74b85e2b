import type { Orders } from "../payments/orders";
import type { Job } from "./start-job";

/** Interval for checking whether a provider is due for a query. */
const EVERY_MS = 15_000;

/** Queries providers about open orders, because callbacks are lost or late, and ends expired orders. */
export const askingForOrders = (orders: Pick<Orders, "round">): Job => ({
  name: "asking-for-orders",
  everyMs: EVERY_MS,
  run: (isStopped) => orders.round(isStopped),
});
