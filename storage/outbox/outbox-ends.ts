/** A row of the outbox, whose text is as log-entry.ts writes it. */
export interface OutboxRow {
  id: number;
  batch: string;
}

/** Where rows of the outbox are read, without changing anything. */
export interface OutboxReader {
  /** Rows behind one, in their order; leaving the loop early reads no further. */
  after(id: number): Iterable<OutboxRow>;
}

/** The store in whose transactions rows come about. */
export interface OutboxSource {
  /** Deletes rows whose lines are in the log. */
  trim(upTo: number): Promise<void>;
  /**
   * Numbers no new row like one that the log knows already: after the accounts were replaced by an older copy, rows with
   * such numbers would be taken for old ones.
   */
  startAfter(row: number): Promise<void>;
}

/** The store that takes rows over. */
export interface OutboxTarget {
  /** The last row whose lines are there. */
  lastBatch(): Promise<number>;
  /**
   * Takes over entries of the outbox, up to a bound; each row once, however often it is found there.
   * @returns the last row whose lines are there.
   */
  ingest(): Promise<number>;
}
