import type { LedgerEntry } from "@tollgate/contract/management/ledger";
import type { LedgerCause } from "@tollgate/contract/records/ledger-entry";

/** Of these administrators say why to each other: an order does not tell its buyer, either. */
const OF_ORDERS: ReadonlySet<LedgerCause> = new Set(["payment", "payment-refund"]);

/** An entry as its user is told of it: not which administrator did something, nor what one noted on an order. */
export const ownLedgerEntry = (entry: LedgerEntry): LedgerEntry =>
  entry.actorId === entry.userId
    ? entry
    : { ...entry, actorId: 0, actorName: "", reason: OF_ORDERS.has(entry.cause) ? "" : entry.reason };
