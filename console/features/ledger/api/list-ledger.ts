import { type ReadLedgerEntry, readLedgerEntries } from "@tollgate/contract/management/ledger";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";
import { type LedgerSearch, ledgerFilter, ledgerQuery } from "../ledger-search";

/** GET /api/ledger for administrators, GET /api/ledger/self for everyone else. */
export const ledgerPages = (search: LedgerSearch, isAdmin: boolean) =>
  growingList<ReadLedgerEntry>(
    ["ledger", isAdmin, ledgerFilter(search)],
    async (page, signal) =>
      readLedgerEntries(
        (
          await callApi("GET", isAdmin ? "/api/ledger" : "/api/ledger/self", {
            query: { p: page, ...ledgerQuery(search, isAdmin) },
            signal,
          })
        ).data,
      ),
    { isExtra: true },
  );
