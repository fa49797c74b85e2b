import { BUCKET_SECONDS, WEEK_SECONDS } from "../hours";

export type BlockKey = "payer_id" | "model_id" | "channel_id";

/** A table of the payers' sums over blocks of whole hours. */
export interface BlockTable {
  table: string;
  /** The column that names the begin of the block, in unix seconds. */
  block: "bucket" | "week";
  seconds: number;
  /** Columns of the key, in the order of the primary key. */
  keys: readonly BlockKey[];
  /** The table that it adds up. */
  from: string;
}

const buckets = (table: string, from: string, ...keys: BlockKey[]): BlockTable => ({
  table,
  block: "bucket",
  seconds: BUCKET_SECONDS,
  keys,
  from,
});

const weeks = (table: string, from: string, ...keys: BlockKey[]): BlockTable => ({
  table,
  block: "week",
  seconds: WEEK_SECONDS,
  keys,
  from,
});

/**
 * Sums by the bucket of eight hours for charts by the day, by the week for totals of long ranges. Payers come last, so
 * that all users' use of one model lies together. A table stands above those that are added up from it.
 */
export const BLOCK_TABLES: readonly BlockTable[] = [
  buckets("payer_buckets", "payer_hours", "payer_id"),
  buckets("payer_model_buckets", "detail_hours", "model_id", "payer_id"),
  buckets("payer_channel_buckets", "detail_hours", "channel_id", "payer_id"),
  weeks("payer_weeks", "payer_buckets", "payer_id"),
  weeks("payer_model_weeks", "payer_model_buckets", "model_id", "payer_id"),
  weeks("payer_channel_weeks", "payer_channel_buckets", "channel_id", "payer_id"),
  weeks("detail_weeks", "detail_hours", "model_id", "channel_id", "payer_id"),
];

/** The begin of the block in which a moment lies; both in unix seconds. */
export const blockOf = (seconds: number, blockSeconds: number): number =>
  Math.floor(seconds / blockSeconds) * blockSeconds;
