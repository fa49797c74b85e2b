import { listLedger, listOwnLedger } from "@tollgate/contract/api/ledger";
import { endpointPages, endpointQueried } from "../../lib/endpoint-lists";
import { type LedgerOf, type LedgerSearch, ledgerQuery } from "./ledger-search";

const endpointOf = (isAdmin: boolean) => (isAdmin ? listLedger : listOwnLedger);

/** All users' entries for administrators, one's own otherwise. */
export const ledgerPages = (search: LedgerSearch, of: LedgerOf, isAdmin: boolean) =>
  endpointPages(endpointOf(isAdmin), { query: ledgerQuery(search, of, isAdmin) }, { isExtra: true });

/** The entries, sorted by the server. */
export const queriedLedger = (search: LedgerSearch, of: LedgerOf, isAdmin: boolean) =>
  endpointQueried(endpointOf(isAdmin), { query: ledgerQuery(search, of, isAdmin) }, { isExtra: true });
