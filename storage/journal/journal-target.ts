import type { JournalRecord } from "./journal-record";

type Maybe<T> = T | Promise<T>;

/** What the journal needs of the store that takes it over, on this thread or on another. */
export interface JournalTarget {
  /** The newest batch that is stored there. */
  newestBatch(): Maybe<number>;
  /** Whether both files of the journal were made with free space behind their records. */
  hasReservedJournal(): Maybe<boolean>;
  /** Notes that they were: from now on a file without free space is known to lack something. */
  noteReservedJournal(): Maybe<void>;
  /**
   * Stores batches in one transaction, and that they are stored. What is stored already is left out: a commit may have
   * gone well although its caller was told otherwise.
   * @throws Error when they do not follow on what is stored: none may be missing in between.
   */
  commitJournal(records: readonly JournalRecord[]): Maybe<void>;
  /** Lets the journal go on behind this batch: those before it are lost, or the store is an older copy. */
  skipTo(batch: number): Maybe<void>;
}
