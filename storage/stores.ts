import type { AccountChanges, AccountQueries } from "./accounts/ports";
import type { StoredBodies } from "./bodies/ports";
import type { LogMaintenance, LogQueries } from "./log/ports";

/** What is done now and then beside requests, by one process at a time. */
export const JOB_NAMES = [
  "log-retention",
  "body-retention",
  "closing-buckets",
  "forgetting-expired",
  "adding-up",
  "forgetting-sent",
  "forgetting-told",
  "sending-notices",
  "syncing-prices",
  "backing-up",
  "watching-models",
  "watching-margins",
  "publishing-prices",
  "testing-channels",
  "watching-windows",
  "watching-typed-balances",
  "advancing-plans",
  "asking-for-orders",
] as const;
export type JobName = (typeof JOB_NAMES)[number];

/** What an engine needs done now and then. */
export interface Upkeep {
  readonly name: JobName;
  readonly everyMs: number;
  run(): Promise<void>;
}

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
  /**
   * Does a job, unless another process is at it: the next time it may be this one's turn. Who loses its connection meanwhile
   * finishes all the same, so that a job that two do at once must do no harm.
   */
  exclusively(job: JobName, step: () => Promise<void>): Promise<void>;
  /** What is to be done besides. */
  readonly upkeep: readonly Upkeep[];
  /** Ends what the stores hold open once all that was called is done. */
  close(): Promise<void>;
}
