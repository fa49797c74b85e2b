import type { Proof } from "./mapped";
import type { Origin } from "./origin";
import type { SourceTable } from "./source-rows";
import type { ReportedRemark } from "./table-remarks";

export interface TableReport {
  table: SourceTable;
  /** Rows. */
  read: number;
  taken: number;
  leftOut: number;
  changed: number;
  remarks: readonly ReportedRemark[];
}

/** Report of an import: on the terminal, as JSON, and in a file. Never a secret. */
export interface ImportReport {
  /** Where it was read: a file's path, or an engine, host and database. */
  source: string;
  origin: Origin;
  /** Where it was or would be written. */
  target: string;
  /** False for a dry run, which writes nothing. */
  isApplied: boolean;
  tables: readonly TableReport[];
  /** Parts of the source that are unknown here. */
  unknown: {
    tables: readonly { table: string; rows: number }[];
    columns: readonly { table: string; column: string; rows: number }[];
  };
  /** Tables that are known and have nothing to take over: `abilities` … */
  passedOver: readonly { table: string; rows: number }[];
  /**
   * Σ balances of users, in quota: of the source, of the rows left out, added by clamping and other changes, and here.
   */
  quota: { before: string; leftOut: string; changed: string; after: string };
  proof: Proof;
}
