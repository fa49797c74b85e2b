import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { tolerant } from "../resource/tolerant";

/* Prices and payment methods of orders, before an order begins. */

/** Price of an amount. */
const quoteWireSchema = z.object({
  usd: z.string(),
  amount: z.int(),
  currency: z.string(),
  quota: z.int(),
  bonus: z.int(),
  factor: z.string(),
});
export type QuoteWire = z.infer<typeof quoteWireSchema>;

/** Offers, and their payment methods. */
const orderTermsWireSchema = z.object({
  currency: z.string(),
  /** Of one US dollar of quota. */
  unit_price: z.string(),
  /** US dollars. */
  minimum: z.string(),
  packages: z.array(quoteWireSchema),
  discounts: z.array(z.object({ from: z.string(), factor: z.string() })),
  providers: z.array(z.object({ name: z.string(), title: z.string(), methods: z.array(z.string()) })),
});
export type OrderTermsWire = z.infer<typeof orderTermsWireSchema>;

export const getOrderTerms = endpoint({
  method: "GET",
  path: "/api/order/terms",
  guard: "user",
  summary: "One's price of quota, and the payment providers",
  data: tolerant(orderTermsWireSchema),
  reads: "order-terms",
});

export const quoteOrder = endpoint({
  method: "GET",
  path: "/api/order/quote",
  guard: "user",
  summary: "One's price of an amount of quota, or of a plan",
  query: { usd: "US dollars of quota.", plan_id: "A plan that is offered, in place of an amount." },
  data: tolerant(quoteWireSchema),
  reads: "order-quotes",
});
