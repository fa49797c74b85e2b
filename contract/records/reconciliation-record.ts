import type { BalanceMovement, ReconciliationContent } from "../management/reconciliation";

/** A comparison that was stored. */
export interface ReconciliationRecord {
  id: number;
  channelId: number;
  /** Unix seconds. */
  createdAt: number;
  createdBy: string;
  content: ReconciliationContent;
}

export type NewReconciliation = Omit<ReconciliationRecord, "id">;

export interface NewBalanceMovement extends Omit<BalanceMovement, "id"> {
  channelId: number;
}
