import { queryOptions } from "@tanstack/react-query";
import { getOwnStatement, getStatement, type StatementWire } from "@tollgate/contract/api/statements";
import { HttpError } from "../../lib/api-client";
import { callEndpoint } from "../../lib/call-endpoint";
import { monthAfter, offsetAtBegin, type StatementSearch } from "./statement-search";

/** Query parameters of a statement and its file. */
export const statementParameters = (month: string, { username }: StatementSearch, isAdmin: boolean) => ({
  month,
  offset_minutes: offsetAtBegin(month),
  end_offset_minutes: offsetAtBegin(monthAfter(month, 1)),
  ...(isAdmin ? { username: username ?? "" } : {}),
});

/** The statement is undefined if the server offers none. */
interface StatementAnswer {
  statement: StatementWire | undefined;
}

/** A statement of any user for administrators, one's own otherwise. */
export const statementQuery = (month: string, search: StatementSearch, isAdmin: boolean) =>
  queryOptions({
    queryKey: [getStatement.reads, isAdmin, month, search.username ?? ""],
    queryFn: async ({ signal }): Promise<StatementAnswer> => {
      const query = statementParameters(month, search, isAdmin);
      try {
        return { statement: await callEndpoint(isAdmin ? getStatement : getOwnStatement, { query }, signal) };
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return { statement: undefined };
        throw error;
      }
    },
    staleTime: 0,
    meta: { silent: true },
  });
