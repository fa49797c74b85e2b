import { queryOptions } from "@tanstack/react-query";
import { readToken, type Token } from "@tollgate/contract/management/token";
import { callApi, UnreadableError } from "../../../lib/api-client";
import { TOKENS } from "./list-tokens";

/** GET /api/token/{id}. Always read anew: its remaining quota moves while the page is open. */
export const tokenQuery = (id: number) =>
  queryOptions({
    queryKey: [...TOKENS, "one", id],
    queryFn: async ({ signal }): Promise<Token> => {
      const token = readToken((await callApi("GET", `/api/token/${id}`, { signal })).data);
      if (!token) throw new UnreadableError("no token in the answer");
      return token;
    },
    staleTime: 0,
    gcTime: 0,
  });
