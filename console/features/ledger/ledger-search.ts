import { toUnixSeconds } from "@tollgate/contract/values/time";
import { parseDate } from "../../lib/format";
import { type ListSearch, readListSearch } from "../../lib/list-search";

/** The ledger page's state in the address: the list's, and what it is narrowed by. Times are written as shown. */
export interface LedgerSearch extends Omit<ListSearch, "q"> {
  account?: string;
  cause?: string;
  username?: string;
  from?: string;
  to?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const SECONDS_A_DAY = 86_400;

/** Reads the page's state from the address. Which causes there are is not looked up here: every page loads this. */
export const readLedgerSearch = (search: Record<string, unknown>): LedgerSearch => {
  const { page, size, sort } = readListSearch(search);
  return {
    page,
    size,
    sort,
    account: text(search.account),
    cause: text(search.cause),
    username: text(search.username),
    from: text(search.from),
    to: text(search.to),
  };
};

/** What of the address narrows the list: its cache key, without page and order. */
export const ledgerFilter = ({ page: _page, size: _size, sort: _sort, ...filter }: LedgerSearch) => filter;

/** Takes every filter back. */
export const NO_FILTER: LedgerSearch = {
  account: undefined,
  cause: undefined,
  username: undefined,
  from: undefined,
  to: undefined,
};

const seconds = (written: string | undefined): number => {
  const date = parseDate(written ?? "");
  return date ? toUnixSeconds(date.getTime()) : 0;
};

/** The query parameters of the list and its file. A day without a time is meant to its end. */
export const ledgerQuery = (search: LedgerSearch, isAdmin: boolean) => {
  const to = seconds(search.to);
  return {
    account: search.account ?? "",
    cause: search.cause ?? "",
    start_timestamp: seconds(search.from),
    end_timestamp: to > 0 && !/:/.test(search.to ?? "") ? to + SECONDS_A_DAY - 1 : to,
    ...(isAdmin ? { username: search.username ?? "" } : {}),
  };
};
