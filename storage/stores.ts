import type { AccountChanges, AccountQueries } from "./accounts/ports";
import type { StoredBodies } from "./bodies/ports";
import type { LogMaintenance, LogQueries } from "./log/ports";

/**
 * Periodic jobs beside requests, each on one process at a time. A new one is added at the end: the lock of a job is numbered
 * by its place, which nodes of two releases must share.
 */
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
  "watching-spending",
  "watching-typed-balances",
  "advancing-plans",
  "asking-for-orders",
  "noting-networks",
  "closing-tickets",
  "noting-sessions",
  "forgetting-audit",
] as const;
export type JobName = (typeof JOB_NAMES)[number];

/** Periodic work of an engine. */
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
  /** Texts of requests and answers. */
  bodies: StoredBodies;
  /**
   * Runs a job, unless another process is running it: then this one may run it the next time. A process that loses its
   * connection meanwhile still finishes, so a job must do no harm when two run at once.
   */
  exclusively(job: JobName, step: () => Promise<void>): Promise<void>;
  /** Further periodic jobs. */
  readonly upkeep: readonly Upkeep[];
  /** Closes the stores after all calls have ended. */
  close(): Promise<void>;
}
