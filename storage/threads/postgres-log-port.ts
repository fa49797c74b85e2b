import type { DatabaseFault } from "../errors";
import type { LogChanges, LogQueries } from "../log/ports";
import type { ConnectionsNote } from "./serve-calls";

/** What the thread of the log does when it is called. */
export interface PostgresLogPort extends LogQueries, LogChanges {
  sums: { addUp(): Promise<void> };
}

/** What the thread of the log says without being asked. */
export type PostgresLogNote =
  /** Something failed where no caller waits. */
  { note: "failure"; failure: string; refusal: DatabaseFault | undefined } | ConnectionsNote;
