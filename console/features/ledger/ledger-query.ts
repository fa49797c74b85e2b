import { listLedger, listOwnLedger } from "@tollgate/contract/api/ledger";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { type LedgerOf, type LedgerSearch, ledgerQuery } from "./ledger-search";

const endpointOf = (isAdmin: boolean) => (isAdmin ? listLedger : listOwnLedger);

/** The entries of all for administrators, one's own for everyone else. */
export const ledgerPages = (search: LedgerSearch, of: LedgerOf, isAdmin: boolean) =>
  endpointPages(endpointOf(isAdmin), { query: ledgerQuery(search, of, isAdmin) }, { isExtra: true });

/** The same, sorted by the server. */
export const queriedLedger = (search: LedgerSearch, of: LedgerOf, isAdmin: boolean) =>
  endpointQueried(endpointOf(isAdmin), { query: ledgerQuery(search, of, isAdmin) }, { isExtra: true });
