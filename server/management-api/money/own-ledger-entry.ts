import type { LedgerEntry } from "@tollgate/contract/api/ledger";
import type { LedgerCause } from "@tollgate/contract/records/ledger-entry";

/** Of these administrators say why to each other: an order does not tell its buyer, either. */
const OF_ORDERS: ReadonlySet<LedgerCause> = new Set(["payment", "payment-refund"]);

/**
 * An entry as its user sees it, without the administrator who did something and what one noted on an order. A code stands there as
 * redeemed by its user, not under its maker.
 */
export const ownLedgerEntry = (entry: LedgerEntry): LedgerEntry => {
  if (entry.actorId === entry.userId) return entry;
  if (entry.cause === "redeemed") return { ...entry, actorId: entry.userId, actorName: entry.username };
  return { ...entry, actorId: 0, actorName: "", reason: OF_ORDERS.has(entry.cause) ? "" : entry.reason };
};
