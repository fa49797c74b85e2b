import { queryOptions } from "@tanstack/react-query";
import { type QuoteWire, readQuote } from "@tollgate/contract/management/order";
import { callApi, UnreadableError } from "../../../lib/api-client";

/** GET /api/order/quote: what an amount costs. Its refusal is shown at the field. @param usd US dollars of quota, as typed. */
export const quoteQuery = (usd: string) =>
  queryOptions({
    queryKey: ["order-quote", usd],
    enabled: usd !== "",
    retry: false,
    meta: { silent: true },
    queryFn: async ({ signal }): Promise<QuoteWire> => {
      const quote = readQuote((await callApi("GET", "/api/order/quote", { query: { usd }, signal })).data);
      if (!quote) throw new UnreadableError("no quote in the answer");
      return quote;
    },
  });
