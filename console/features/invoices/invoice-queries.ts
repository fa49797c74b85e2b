import {
  listInvoiceableOrders,
  listInvoices,
  listOwnInvoices,
  listTitles,
} from "@tollgate/contract/api/invoices";
import { readText } from "../../lib/address-values";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";
import { type ListSearch, readListSearch } from "../../lib/list-search";

const EXTRA = { isExtra: true };

export const titlesQuery = { ...endpointQuery(listTitles, {}), meta: { silent: true, isExtra: true } };

/** Orders may have been paid or refunded since. */
export const invoiceableOrdersQuery = {
  ...endpointQuery(listInvoiceableOrders, {}),
  staleTime: 0,
  meta: { silent: true, isExtra: true },
};

export const ownInvoicePages = endpointPages(listOwnInvoices, {}, EXTRA);
export const queriedOwnInvoices = endpointQueried(listOwnInvoices, {}, EXTRA);

/** The address state of the page of all applications. */
export interface InvoiceSearch extends ListSearch {
  state?: string;
}

export const readInvoiceSearch = (search: Record<string, unknown>): InvoiceSearch => ({
  ...readListSearch(search),
  state: readText(search.state),
});

/** The query parameters of the list and its file. */
export const invoiceQuery = ({ q, state }: InvoiceSearch) => ({ keyword: q ?? "", state: state ?? "" });

export const invoicePages = (search: InvoiceSearch) =>
  endpointPages(listInvoices, { query: invoiceQuery(search) }, EXTRA);

export const queriedInvoices = (search: InvoiceSearch) =>
  endpointQueried(listInvoices, { query: invoiceQuery(search) }, EXTRA);
