import { LEDGER_SORTS, type LedgerFilter, listLedger, listOwnLedger } from "@tollgate/contract/api/ledger";
import { implement, readListPage } from "../route";
import type { Services } from "../services";
import { readLedgerFilter, readOwnLedgerFilter } from "./ledger-filter";
import { ownLedgerEntry } from "./own-ledger-entry";

const page = ({ storage }: Services, filter: LedgerFilter, query: { p?: string; sort?: string }) =>
  storage.read.ledger.page(filter, ...readListPage(query, LEDGER_SORTS));

/** Movements of money that are no charges; beyond the contract. */
export const ledgerRoutes = [
  implement(listLedger, ({ services, query }) =>
    page(services, readLedgerFilter(query, services.accounts.users), query),
  ),

  implement(listOwnLedger, async ({ services, query, caller }) =>
    (await page(services, readOwnLedgerFilter(query, caller.id), query)).map(ownLedgerEntry),
  ),
];
