import {
  balanceMovementSchema,
  billColumnsBodySchema,
  billColumnsSchema,
  MAX_BILL_BYTES,
  reconcileBalanceBodySchema,
  reconcileBodySchema,
  reconciliationSchema,
  reconciliationSummarySchema,
  upstreamTopUpBodySchema,
} from "../management/reconciliation";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { FORMAT_PARAMETER } from "../resource/file-parameters";
import { listOf, plain } from "../resource/resource";

/* Bills of upstreams compared with expected costs; beyond the contract. */

/** A file travels in base64, beside the other fields. */
const BODY_LIMIT_BYTES = Math.ceil((MAX_BILL_BYTES * 4) / 3) + 16_384;

/** Sortable columns of reconciliations: all other fields are in their content. */
export const RECONCILIATION_SORTS = ["created_at"] as const;
export type ReconciliationSort = (typeof RECONCILIATION_SORTS)[number];

export const listReconciliations = endpoint({
  method: "GET",
  path: "/api/reconciliation",
  guard: "admin",
  area: "profit",
  summary: "A page of the comparisons of bills with the expected amounts, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER },
  sorts: RECONCILIATION_SORTS,
  data: listOf(plain(reconciliationSummarySchema)),
  reads: "reconciliations",
});

export const getReconciliation = endpoint({
  method: "GET",
  path: "/api/reconciliation/:id",
  guard: "admin",
  area: "profit",
  summary: "One stored comparison",
  data: plain(reconciliationSchema),
  reads: "reconciliations",
});

export const deleteReconciliation = endpoint({
  method: "DELETE",
  path: "/api/reconciliation/:id",
  guard: "admin",
  area: "profit",
  summary: "Deletes a comparison",
  changes: ["reconciliations"],
});

export const readBillColumns = endpoint({
  method: "POST",
  path: "/api/reconciliation/columns",
  guard: "admin",
  area: "profit",
  summary: "The columns of a bill, and its likely format; stores nothing",
  body: billColumnsBodySchema,
  data: plain(billColumnsSchema),
  bodyLimitBytes: BODY_LIMIT_BYTES,
});

export const reconcileBill = endpoint({
  method: "POST",
  path: "/api/reconciliation",
  guard: "admin",
  area: "profit",
  summary: "Compares a bill with a channel's expected amounts by day and model, and stores the comparison",
  body: reconcileBodySchema,
  data: plain(reconciliationSchema),
  bodyLimitBytes: BODY_LIMIT_BYTES,
  changes: ["reconciliations"],
});

export const reconcileBalance = endpoint({
  method: "POST",
  path: "/api/reconciliation/balance",
  guard: "admin",
  area: "profit",
  summary: "Compares the movement of a channel's balance with the expected amount, and stores the comparison",
  body: reconcileBalanceBodySchema,
  data: plain(reconciliationSchema),
  changes: ["reconciliations"],
});

export const listBalanceMovements = endpoint({
  method: "GET",
  path: "/api/reconciliation/movements",
  guard: "admin",
  area: "profit",
  summary: "The readings of a channel's balance, and the payments to its upstream",
  query: {
    channel: "Its id.",
    start_timestamp: "Unix seconds, inclusive.",
    end_timestamp: "Unix seconds, inclusive.",
  },
  data: listOf(plain(balanceMovementSchema)),
  reads: "reconciliations",
});

export const addUpstreamTopUp = endpoint({
  method: "POST",
  path: "/api/reconciliation/top_up",
  guard: "admin",
  area: "profit",
  summary: "Records a payment to a channel's upstream, so that comparisons of its balance include it",
  body: upstreamTopUpBodySchema,
  changes: ["reconciliations"],
});

export const exportReconciliation = endpoint({
  method: "GET",
  path: "/api/reconciliation/export",
  guard: "admin",
  area: "profit",
  summary: "A comparison of a bill with the expected amounts, as a file",
  query: { ...FORMAT_PARAMETER, id: "Which one." },
  isFile: true,
});
