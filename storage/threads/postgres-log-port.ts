import type { DatabaseFault } from "../errors";
import type { LogChanges, LogQueries } from "../log/ports";
import type { ConnectionsNote } from "./serve-calls";

export interface PostgresLogPort extends LogQueries, LogChanges {
  sums: { addUp(): Promise<void> };
}

/** Unrequested messages of the log's thread. */
export type PostgresLogNote =
  /** Something failed where no caller waits. */
  { note: "failure"; failure: string; refusal: DatabaseFault | undefined } | ConnectionsNote;
