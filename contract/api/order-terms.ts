import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { tolerant } from "../resource/tolerant";
import { appliedPromotionWire, promotionStepWire } from "./promotion-parts";

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

/** Price of an order, with its promotions. */
const promotedQuoteWireSchema = z.extend(quoteWireSchema, {
  /** Minor units that promotions lowered the price by; `amount` is without them. */
  discount: z.int(),
  promotions: z.array(appliedPromotionWire),
  /** Whether a code was sent that gives less than an activity, and stays unused. */
  is_code_unused: z.boolean(),
});
export type PromotedQuoteWire = z.infer<typeof promotedQuoteWireSchema>;

/** Offers, and their payment methods. */
const orderTermsWireSchema = z.object({
  currency: z.string(),
  /** Of one US dollar of quota. */
  unit_price: z.string(),
  /** US dollars. */
  minimum: z.string(),
  packages: z.array(quoteWireSchema),
  discounts: z.array(z.object({ from: z.string(), factor: z.string() })),
  /** Activities that the user can use, each with its steps in quota and its end; 0 without one. */
  activities: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      effect: z.string(),
      unit: z.string(),
      steps: z.array(promotionStepWire),
      max_effect: z.int(),
      products: z.string(),
      is_first_only: z.boolean(),
      ends_at: z.int(),
    }),
  ),
  providers: z.array(z.object({ name: z.string(), title: z.string(), methods: z.array(z.string()) })),
});
export type OrderTermsWire = z.infer<typeof orderTermsWireSchema>;
export type ActivityWire = OrderTermsWire["activities"][number];

const CODE_PARAMETER = "A promotion code to check with it. The order reserves it.";

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
  query: {
    usd: "US dollars of quota.",
    plan_id: "A plan that is offered, in place of an amount.",
    code: CODE_PARAMETER,
  },
  data: tolerant(promotedQuoteWireSchema),
  reads: "order-quotes",
});
