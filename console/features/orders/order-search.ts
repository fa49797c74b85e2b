import { readText } from "../../lib/address-values";
import { type ListSearch, readListSearch } from "../../lib/list-search";

/** The address state of the page of all orders: the list's, and its filters. Only the server knows their values. */
export interface OrderSearch extends ListSearch {
  state?: string;
  provider?: string;
  refund?: string;
}

export const readOrderSearch = (search: Record<string, unknown>): OrderSearch => ({
  ...readListSearch(search),
  state: readText(search.state),
  provider: readText(search.provider),
  refund: readText(search.refund),
});

/** The query parameters of the list and its file. */
export const orderQuery = ({ q, state, provider, refund }: OrderSearch) => ({
  keyword: q ?? "",
  state: state ?? "",
  provider: provider ?? "",
  // Sent only if set: other servers have no such filter.
  ...(refund === undefined ? {} : { refund }),
});

/** The state of the page of one's own orders: the list's, and the open order. */
export interface OwnOrderSearch extends Omit<ListSearch, "q"> {
  number?: string;
}

export const readOwnOrderSearch = (search: Record<string, unknown>): OwnOrderSearch => {
  const { page, size, sort } = readListSearch(search);
  return { page, size, sort, number: readText(search.number) };
};
