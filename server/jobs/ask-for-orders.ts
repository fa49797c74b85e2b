import type { Orders } from "../payments/orders";
import type { Job } from "./start-job";

/** How often is looked whether a provider is to be asked. */
const EVERY_MS = 15_000;

/** Callbacks are lost, or late: providers are asked about open orders, and those whose time is over end. */
export const askingForOrders = (orders: Pick<Orders, "round">): Job => ({
  name: "asking-for-orders",
  everyMs: EVERY_MS,
  run: (isStopped) => orders.round(isStopped),
});
