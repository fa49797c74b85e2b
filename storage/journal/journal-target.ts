import type { JournalRecord } from "./journal-record";

type Maybe<T> = T | Promise<T>;

/** The store that takes over the journal's batches, on this thread or on another. */
export interface JournalTarget {
  /** The newest batch that is stored there. */
  newestBatch(): Maybe<number>;
  /** Whether both files of the journal were made with free space behind their records. */
  hasReservedJournal(): Maybe<boolean>;
  /** Notes that they were: from now on a file without free space is known to lack something. */
  noteReservedJournal(): Maybe<void>;
  /**
   * Stores batches and their numbers in one transaction. Batches already stored are skipped: a commit may have
   * succeeded although its caller got an error.
   * @throws Error when they do not follow the stored ones: none may be missing in between.
   */
  commitJournal(records: readonly JournalRecord[]): Maybe<void>;
  /** Lets the journal go on behind this batch: those before it are lost, or the store is an older copy. */
  skipTo(batch: number): Maybe<void>;
}
