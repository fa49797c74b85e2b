import { queryOptions } from "@tanstack/react-query";
import { lossSchema } from "@tollgate/contract/management/buying-price";
import * as z from "zod/mini";
import { callApi } from "./api-client";

/** GET /api/profit/losses */
export const lossesQuery = queryOptions({
  queryKey: ["losses"],
  queryFn: async ({ signal }) =>
    z.array(lossSchema).parse((await callApi("GET", "/api/profit/losses", { signal })).data),
  meta: { silent: true },
});
