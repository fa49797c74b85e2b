import { listLedger, listOwnLedger } from "@tollgate/contract/api/ledger";
import { endpointPages } from "../../lib/endpoint-lists";
import { type LedgerSearch, ledgerQuery } from "./ledger-search";

/** The entries of all for administrators, one's own for everyone else. */
export const ledgerPages = (search: LedgerSearch, isAdmin: boolean) =>
  endpointPages(
    isAdmin ? listLedger : listOwnLedger,
    { query: ledgerQuery(search, isAdmin) },
    { isExtra: true },
  );
