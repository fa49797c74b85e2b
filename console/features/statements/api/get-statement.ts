import { queryOptions } from "@tanstack/react-query";
import { readStatement, type StatementWire } from "@tollgate/contract/management/statement";
import { callApi, HttpError } from "../../../lib/api-client";
import { monthAfter, offsetAtBegin, type StatementSearch } from "../statement-search";

/** What a statement and its file are asked with. */
export const statementQuery = (month: string, { username }: StatementSearch, isAdmin: boolean) => ({
  month,
  offset_minutes: offsetAtBegin(month),
  end_offset_minutes: offsetAtBegin(monthAfter(month, 1)),
  ...(isAdmin ? { username: username ?? "" } : {}),
});

/** The statement is undefined where the server gives none. */
interface StatementAnswer {
  statement: StatementWire | undefined;
}

/** GET /api/statement for administrators, GET /api/statement/self for everyone else. */
export const getStatement = (month: string, search: StatementSearch, isAdmin: boolean) =>
  queryOptions({
    queryKey: ["statement", isAdmin, month, search.username ?? ""],
    queryFn: async ({ signal }): Promise<StatementAnswer> => {
      try {
        const { data } = await callApi("GET", isAdmin ? "/api/statement" : "/api/statement/self", {
          query: statementQuery(month, search, isAdmin),
          signal,
        });
        return { statement: readStatement(data) };
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return { statement: undefined };
        throw error;
      }
    },
    staleTime: 0,
    meta: { silent: true },
  });
