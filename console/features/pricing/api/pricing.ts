import { queryOptions } from "@tanstack/react-query";
import { type PricingAnswer, pricingAnswerSchema } from "@tollgate/contract/management/pricing";
import { callApi, UnreadableError } from "../../../lib/api-client";

export const PRICING = ["pricing"] as const;

/** GET /api/pricing: what models cost the reader. */
export const pricingQuery = queryOptions({
  queryKey: PRICING,
  queryFn: async ({ signal }): Promise<PricingAnswer> => {
    const read = pricingAnswerSchema.safeParse(await callApi("GET", "/api/pricing", { signal }));
    if (!read.success) throw new UnreadableError("no prices in the answer");
    return read.data;
  },
  meta: { isExtra: true },
});
