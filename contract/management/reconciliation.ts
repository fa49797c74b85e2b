import * as z from "zod/mini";
import { idNumber, maybe } from "./wire";

/*
 * Comparing bills of upstreams with the expected costs of charges: /api/reconciliation. Not part of the one-api
 * contract. Expected and billed amounts are thousandths of quota, like the costs of charges.
 */

/** Of a file, before it is encoded for its way. */
export const MAX_BILL_BYTES = 4 * 1024 * 1024;
export const MAX_BILL_ROWS = 100_000;
const MAX_BASE64 = Math.ceil(MAX_BILL_BYTES / 3) * 4;
const MAX_NAME = 200;
const MAX_NOTE = 200;
const MAX_OFFSET_MINUTES = 14 * 60;
const MAX_AMOUNT = 1e12;

const file = z.string().check(z.minLength(1), z.maxLength(MAX_BASE64));
const columnName = z.string().check(z.minLength(1), z.maxLength(MAX_NAME));
const offset = z.int().check(z.gte(-MAX_OFFSET_MINUTES), z.lte(MAX_OFFSET_MINUTES));
const rate = z.number().check(z.gt(0), z.lte(MAX_AMOUNT));
const moment = z.int().check(z.nonnegative(), z.lte(253_402_300_799));

/** POST /api/reconciliation/columns: the bytes of a file in base64. */
export const billColumnsBodySchema = z.object({ file });

export const billColumnsSchema = z.object({
  columns: z.array(z.string()),
  rows: z.int(),
  /** The first rows. */
  sample: z.array(z.array(z.string())),
  /** The columns of a known kind of bill. */
  preset: z.optional(z.string()),
});
export type BillColumns = z.infer<typeof billColumnsSchema>;

/** POST /api/reconciliation */
export const reconcileBodySchema = z.object({
  channel: idNumber,
  file,
  date: columnName,
  amount: columnName,
  /** Without it all models are one. */
  model: maybe(columnName),
  /** Decimal separator of an amount. */
  decimal: z.enum([".", ","]),
  /** How many of the file's units make a dollar: 1 for dollars, 7.2 for a bill in yuan at that rate. */
  units_per_usd: rate,
  /** Of the clock by which the file's days begin, and of its times that name no zone. */
  offset_minutes: offset,
  /** Difference from which a row is marked, in per cent of the expected cost. */
  threshold_percent: z.number().check(z.minimum(0), z.maximum(1000)),
});

/** POST /api/reconciliation/balance */
export const reconcileBalanceBodySchema = z.object({
  channel: idNumber,
  start_timestamp: moment,
  end_timestamp: moment,
  units_per_usd: rate,
  threshold_percent: z.number().check(z.minimum(0), z.maximum(1000)),
});

const reconciledRowSchema = z.object({
  /** YYYY-MM-DD by the file's clock; "" of a balance. */
  day: z.string(),
  model: z.string(),
  /** Both in thousandths of quota. */
  expected: z.int(),
  billed: z.int(),
  /** Requests whose cost is unknown. */
  unknown_requests: z.int(),
});
export type ReconciledRow = z.infer<typeof reconciledRowSchema>;

export const reconciliationContentSchema = z.object({
  source: z.enum(["csv", "balance"]),
  channel_name: z.string(),
  /** Unix seconds, inclusive. */
  first_at: z.int(),
  last_at: z.int(),
  threshold_percent: z.number(),
  /** Rows of the file that could not be read: they are in no sum. */
  unreadable: z.int(),
  rows: z.array(reconciledRowSchema),
});
export type ReconciliationContent = z.infer<typeof reconciliationContentSchema>;

export const reconciliationSchema = z.extend(reconciliationContentSchema, {
  id: z.int(),
  channel: z.int(),
  created_at: z.int(),
  created_by: z.string(),
});
export type Reconciliation = z.infer<typeof reconciliationSchema>;

/** Fields of a comparison in a list. */
export const reconciliationSummarySchema = z.object({
  id: z.int(),
  channel: z.int(),
  channel_name: z.string(),
  created_at: z.int(),
  created_by: z.string(),
  source: z.enum(["csv", "balance"]),
  first_at: z.int(),
  last_at: z.int(),
  expected: z.int(),
  billed: z.int(),
});
export type ReconciliationSummary = z.infer<typeof reconciliationSummarySchema>;

export const BALANCE_MOVEMENT_KINDS = ["reading", "top-up"] as const;

/** A balance read of a channel, or a payment to its upstream, in the upstream's units. */
export const balanceMovementSchema = z.object({
  id: z.int(),
  at: z.int(),
  kind: z.enum(BALANCE_MOVEMENT_KINDS),
  amount: z.number(),
  note: z.string(),
});
export type BalanceMovement = z.infer<typeof balanceMovementSchema>;

/** POST /api/reconciliation/top_up: a payment to the upstream; negative for a withdrawal. */
export const upstreamTopUpBodySchema = z.object({
  channel: idNumber,
  at: moment,
  amount: z.number().check(z.gte(-MAX_AMOUNT), z.lte(MAX_AMOUNT)),
  note: z.string().check(z.maxLength(MAX_NOTE)),
});

/** Whether a difference is to be looked at. */
export const isMarked = (
  { expected, billed }: Pick<ReconciledRow, "expected" | "billed">,
  percent: number,
) => (expected === 0 ? billed !== 0 : Math.abs(billed - expected) * 100 > Math.abs(expected) * percent);

/** Adds amounts, limited to the exact range: a bill may contain any number, and an inexact one cannot be read again. */
export const addAmounts = (sum: number, more: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(sum + more, Number.MAX_SAFE_INTEGER));

/** The sums of rows. */
export const sumReconciled = (
  rows: readonly ReconciledRow[],
): Pick<ReconciledRow, "expected" | "billed"> => ({
  expected: rows.reduce((sum, row) => addAmounts(sum, row.expected), 0),
  billed: rows.reduce((sum, row) => addAmounts(sum, row.billed), 0),
});
