import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  encodeLedgerEntry,
  type LedgerFilter,
  ledgerEntryWireSchema,
} from "@tollgate/contract/management/ledger";
import { PAGE_PARAMETER } from "@tollgate/contract/resource/endpoint";
import { z } from "zod/mini";
import { type Route, readPage, route } from "../route";
import type { Services } from "../services";
import { EVERYBODYS_LEDGER, LEDGER_PARAMETERS, readLedgerFilter, readOwnLedgerFilter } from "./ledger-filter";
import { ownLedgerEntry } from "./own-ledger-entry";

/** Movements of money that are no charges; beyond the contract. */
export const ledgerRoutes = ({ storage, accounts }: Services): Route[] => {
  const page = (filter: LedgerFilter, query: Record<string, string>) =>
    storage.read.ledger.page(filter, readPage(query) * PAGE_SIZE, PAGE_SIZE);
  return [
    route({
      method: "GET",
      path: "/api/ledger",
      guard: "admin",
      summary: "A page of the ledger: movements of money that are no charges, the newest first",
      query: { ...PAGE_PARAMETER, ...LEDGER_PARAMETERS, ...EVERYBODYS_LEDGER },
      data: z.array(ledgerEntryWireSchema),
      answer: async ({ query }) =>
        (await page(readLedgerFilter(query, accounts.users), query)).map(encodeLedgerEntry),
    }),
    route({
      method: "GET",
      path: "/api/ledger/self",
      guard: "user",
      summary: "A page of one's own entries in the ledger, the newest first",
      query: { ...PAGE_PARAMETER, ...LEDGER_PARAMETERS },
      data: z.array(ledgerEntryWireSchema),
      answer: async ({ query, caller }) => {
        const entries = await page(readOwnLedgerFilter(query, caller.id), query);
        return entries.map((entry) => encodeLedgerEntry(ownLedgerEntry(entry)));
      },
    }),
  ];
};
