import type { AccountChanges, AccountQueries } from "./accounts/ports";
import type { StoredBodies } from "./bodies/ports";
import type { LogMaintenance, LogQueries } from "./log/ports";

/** The three stores, as the server has them on every engine. */
export interface Stores {
  /** Queries; a slow one delays no change. */
  read: AccountQueries & LogQueries;
  /** Changes of the accounts, done and answered in the order of the calls. */
  write: AccountChanges;
  /** Changes of the log. */
  log: LogMaintenance;
  /** What requests and answers said. */
  bodies: StoredBodies;
  /** Ends what the stores hold open once all that was called is done. */
  close(): Promise<void>;
}
