import { statementWireSchema } from "@tollgate/contract/management/statement";
import { Failure } from "../failure";
import { readOffsetMinutes } from "../logs/usage-query";
import { type Route, readInteger, route } from "../route";
import type { Services } from "../services";
import { type MonthClock, makeStatement } from "./statement";

/** What the parameters of a statement mean. */
export const STATEMENT_PARAMETERS = {
  month: "YYYY-MM.",
  offset_minutes: "Of the clock from UTC by which the month begins.",
  end_offset_minutes: "Of the same clock when the month ends; `offset_minutes` without it.",
};

/** By which clock a statement is asked for. @throws Failure for one that there is not. */
export const readMonthClock = (query: Record<string, string>): MonthClock => {
  const begin = readOffsetMinutes(query);
  const { end_offset_minutes: end = "" } = query;
  return { begin, end: end === "" ? begin : readOffsetMinutes({ offset_minutes: end }) };
};

/** Whose statement an administrator asks for. */
export const STATEMENT_OF = {
  username: "Whose; without it and without an id one's own.",
  user_id: "The same, by its id.",
};

type Query = Readonly<Record<string, string | undefined>>;

/** @throws Failure where there is no such user. */
export const readStatementUser = (
  { accounts }: Pick<Services, "accounts">,
  { username = "", user_id: id = "" }: Query,
  caller: { id: number; username: string },
): { id: number; username: string } => {
  if (username === "" && id === "") return caller;
  const { users } = accounts;
  const found = id === "" ? users.findByName(username) : users.find(readInteger(id));
  if (!found) throw new Failure("user-not-found");
  return found;
};

/** What users had, got and used in a month; beyond the contract. */
export const statementRoutes = (services: Services): Route[] => {
  const { ledger, usage } = services.storage.read;
  const statementOf = (user: { id: number; username: string }, query: Record<string, string>) =>
    makeStatement({ ledger, usage }, { user, month: query.month ?? "", clock: readMonthClock(query) });
  return [
    route({
      method: "GET",
      path: "/api/statement",
      guard: "admin",
      summary: "What a user had at the beginning of a month, got and used in it, and has at its end",
      query: { ...STATEMENT_PARAMETERS, ...STATEMENT_OF },
      data: statementWireSchema,
      answer: ({ query, caller }) => statementOf(readStatementUser(services, query, caller), query),
    }),
    route({
      method: "GET",
      path: "/api/statement/self",
      guard: "user",
      summary: "The same of oneself",
      query: STATEMENT_PARAMETERS,
      data: statementWireSchema,
      answer: ({ query, caller }) => statementOf(caller, query),
    }),
  ];
};
