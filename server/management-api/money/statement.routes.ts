import { getOwnStatement, getStatement, type StatementWire } from "@tollgate/contract/api/statements";
import { statementCurrency } from "../../state/display-currency";
import { Failure } from "../failure";
import { readOffsetMinutes } from "../logs/usage-query";
import { implement, readInteger } from "../route";
import type { Services } from "../services";
import { type MonthClock, makeStatement } from "./statement";

type Query = Readonly<Record<string, string | undefined>>;

/** The clock of a requested statement. @throws Failure for an impossible one. */
export const readMonthClock = (query: Query): MonthClock => {
  const begin = readOffsetMinutes(query);
  const { end_offset_minutes: end = "" } = query;
  return { begin, end: end === "" ? begin : readOffsetMinutes({ offset_minutes: end }) };
};

/** @throws Failure when the user does not exist. */
export const readStatementUser = (
  { accounts }: Pick<Services, "accounts">,
  { username = "", user_id: id = "" }: Query,
  caller: { id: number; username: string },
): { id: number; username: string } => {
  if (username === "" && id === "") return caller;
  const { users } = accounts;
  const found = id === "" ? users.findByName(username) : users.find(readInteger(id));
  if (!found) throw new Failure("user-not-found").at(id === "" ? "username" : "user_id");
  return found;
};

/** The title that a statement is printed with. */
const titleOf = async (
  { storage, options }: Services,
  userId: number,
): Promise<Pick<StatementWire, "title">> => {
  if (!options.isOn("InvoicesEnabled")) return {};
  const [title] = await storage.read.invoices.titles(userId);
  return title ? { title: { name: title.name, tax_number: title.taxNumber } } : {};
};

/** A statement with the currency in which people see it, and the title that it is printed with. */
export const statementOf = async (
  services: Services,
  user: { id: number; username: string },
  query: Query,
): Promise<StatementWire> => {
  const { storage, options, now } = services;
  const { month = "" } = query;
  const made = await makeStatement(storage.read, { user, month, clock: readMonthClock(query) });
  return { ...made, ...statementCurrency(options, month, now()), ...(await titleOf(services, user.id)) };
};

/** Users' balance, credits and usage in a month; beyond the contract. */
export const statementRoutes = [
  implement(getStatement, ({ services, query, caller }) =>
    statementOf(services, readStatementUser(services, query, caller), query),
  ),

  implement(getOwnStatement, ({ services, query, caller }) => statementOf(services, caller, query)),
];
