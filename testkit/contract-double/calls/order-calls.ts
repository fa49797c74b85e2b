import { getOrder, orderDetail } from "@tollgate/contract/api/orders";
import { answers, type Calls, done } from "../call";

/** Single orders, which one-api does not have. Their lists stay unknown, as to a server that sells nothing. */
export const orderCalls: Calls = {
  ...answers(getOrder, {
    isUsage: true,
    data: orderDetail.schema,
    answer: ({ world, name }) => {
      const found = world.orders.find(({ order }) => order.number === name);
      return found ? done(orderDetail.encode(found)) : { kind: "unknown" };
    },
  }),
};
