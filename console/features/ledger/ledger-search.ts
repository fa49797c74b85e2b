import { readText } from "../../lib/address-values";
import { type ListSearch, readListSearch } from "../../lib/list-search";
import { readWrittenSpan, spanParameters, type WrittenSpan } from "../../lib/written-span";

/** The ledger page's state in the address: the list's, and its filters. Times are written as shown. */
export interface LedgerSearch extends Omit<ListSearch, "q">, WrittenSpan {
  account?: string;
  cause?: string;
  username?: string;
}

/** Reads the page's state from the address; invalid values are left out. */
export const readLedgerSearch = (search: Record<string, unknown>): LedgerSearch => {
  const { page, size, sort } = readListSearch(search);
  return {
    page,
    size,
    sort,
    account: readText(search.account),
    cause: readText(search.cause),
    username: readText(search.username),
    ...readWrittenSpan(search),
  };
};

/** The state without filters. */
export const NO_FILTER: LedgerSearch = {
  account: undefined,
  cause: undefined,
  username: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
};

/** The record whose page shows the ledger as a part. */
export interface LedgerOf {
  order?: string;
  token_id?: number;
}

/** @param fixed filters of the surrounding page. Not from the address, which must not filter a list invisibly. */
export const readLedgerOf = (fixed: Readonly<Record<string, unknown>> = {}): LedgerOf => ({
  ...(typeof fixed.order === "string" ? { order: fixed.order } : {}),
  ...(typeof fixed.tokenId === "number" ? { token_id: fixed.tokenId } : {}),
});

/** The query parameters of the list and its file. */
export const ledgerQuery = (search: LedgerSearch, of: LedgerOf, isAdmin: boolean) => ({
  ...of,
  account: search.account ?? "",
  cause: search.cause ?? "",
  ...spanParameters(search),
  ...(isAdmin ? { username: search.username ?? "" } : {}),
});
