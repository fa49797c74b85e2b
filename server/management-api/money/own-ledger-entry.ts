import type { LedgerEntry } from "@tollgate/contract/api/ledger";
import type { LedgerCause } from "@tollgate/contract/records/ledger-entry";

/** Reasons on these are for administrators only: an order does not show them to its buyer, either. */
const OF_ORDERS: ReadonlySet<LedgerCause> = new Set(["payment", "payment-refund"]);

/**
 * An entry as its user sees it, without the administrator who acted and their notes on an order. A code is shown as
 * redeemed by its user, not under its maker.
 */
export const ownLedgerEntry = (entry: LedgerEntry): LedgerEntry => {
  if (entry.actorId === entry.userId) return entry;
  if (entry.cause === "redeemed") return { ...entry, actorId: entry.userId, actorName: entry.username };
  // Without an actor the gateway gave it: the promotions of the order.
  const isHidden = OF_ORDERS.has(entry.cause) && entry.actorId !== 0;
  return { ...entry, actorId: 0, actorName: "", reason: isHidden ? "" : entry.reason };
};
