import type { DataFault } from "../errors";
import { wholeSum } from "../sql/whole-sum";

/** A rule, and the rows that break it. */
export interface MoneyRule {
  /** Fault of each row found; its columns are the fault's values. */
  readonly code: DataFault["code"];
  readonly query: string;
  /** Of rules that are no matter of SQL: whether a row breaks it. Its columns may be texts, where they are whole numbers. */
  isBroken?(row: Readonly<Record<string, unknown>>): boolean;
  /** It is for the operator to know, and no fault of the data. */
  readonly isNote?: true;
}

export const booked = (where: string): string =>
  `(SELECT coalesce(${wholeSum("entry.amount")}, 0) FROM ledger_entries AS entry WHERE ${where})`;

/** The entry of a cause and a reference; each kind of account has one. */
export const bookedFor = (cause: string, reference: string, more: string): string =>
  booked(`entry.cause = '${cause}' AND entry.reference = ${reference} AND ${more}`);

/** A reference, and those that continue it after a slash: "0" is the byte after the slash. */
export const beginsWith = (reference: string): string =>
  `entry.reference >= ${reference} AND entry.reference < ${reference} || '0'`;

export const text = (column: string): string => `CAST(${column} AS TEXT)`;

export const isThere = (user: string): string => `EXISTS (SELECT 1 FROM users WHERE users.id = ${user})`;

/** Sums of two sides, which must be the same for each of some keys. */
export const compare = (keys: string, one: string, other: string, parts: readonly string[]): string =>
  `${keys}, ${wholeSum(one)} AS ${one}, ${wholeSum(other)} AS ${other} FROM (${parts.join(" UNION ALL ")}) AS parts`;

export const PAID = "('paid', 'partly-refunded', 'refunded')";
