import type { Completion, Consistency, Each } from "../consistency";
import type { DatabaseFault } from "../errors";
import { LOG_CHANGES, LOG_QUERIES, type LogChanges, type LogQueries } from "../log/ports";
import type { ConnectionsNote } from "./serve-calls";

/** What the thread of the log does when it is called. */
export interface PostgresLogPort extends LogQueries, LogChanges {
  sums: { addUp(): Promise<void> };
}

export const POSTGRES_LOG: Each<PostgresLogPort, Consistency | Completion> = {
  ...LOG_QUERIES,
  ...LOG_CHANGES,
  sums: { addUp: "stored" },
};

/** What the thread of the log says without being asked. */
export type PostgresLogNote =
  /** Something failed where no caller waits. */
  { note: "failure"; failure: string; refusal: DatabaseFault | undefined } | ConnectionsNote;
