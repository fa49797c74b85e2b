import { queryOptions } from "@tanstack/react-query";
import { type QuoteWire, readQuote } from "@tollgate/contract/management/order";
import { callApi, UnreadableError } from "../../../lib/api-client";

const readAnswer = (data: unknown): QuoteWire => {
  const quote = readQuote(data);
  if (!quote) throw new UnreadableError("no quote in the answer");
  return quote;
};

/** GET /api/order/quote: what a plan costs in money. */
export const planQuoteQuery = (planId: number) =>
  queryOptions({
    queryKey: ["order-quote", "plan", planId],
    retry: false,
    meta: { silent: true },
    queryFn: async ({ signal }): Promise<QuoteWire> =>
      readAnswer((await callApi("GET", "/api/order/quote", { query: { plan_id: planId }, signal })).data),
  });

/** GET /api/order/quote: what an amount costs. Its refusal is shown at the field. @param usd US dollars of quota, as typed. */
export const quoteQuery = (usd: string) =>
  queryOptions({
    queryKey: ["order-quote", usd],
    enabled: usd !== "",
    retry: false,
    meta: { silent: true },
    queryFn: async ({ signal }): Promise<QuoteWire> =>
      readAnswer((await callApi("GET", "/api/order/quote", { query: { usd }, signal })).data),
  });
