import { type AccountEntry, decodeEntries, type RequestEntry } from "../../outbox/log-entry";
import type { Ask } from "../../testing/money-faults";
import type { Charge } from "../charges";
import type { AccountChanges, AccountQueries } from "../ports";

/** The accounts on some engine, as the tests of all engines use them. */
export interface AccountsUnderTest {
  queries: AccountQueries;
  changes: AccountChanges;
  /** Stores charges in a batch. */
  commit(...charges: Charge[]): Promise<void>;
  /** The same of what `encodeCharges` made of them. */
  commitEncoded(changes: string, entries: string): Promise<void>;
  /** Stores batches of the journal, each with a number. */
  commitJournal(batches: { id: number; charges: Charge[] }[]): Promise<void>;
  /** The newest batch of the journal that is stored. */
  newestBatch(): Promise<number>;
  /** All that is stored, as it stands there. */
  stored(): Promise<Buffer>;
  /** What a query that every engine understands finds, beside what is tested. */
  ask: Ask;
  /** The texts that wait in the outbox, the oldest first. */
  waiting(): Promise<string[]>;
  close(): Promise<void>;
}

/** Changes that an operator makes to the data by hand. */
export interface ByHand {
  readonly ask: Ask;
  run(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** Makes a store, and opens it again with any master key. */
export interface StoreUnderTest {
  open(masterKey: Uint8Array): Promise<AccountsUnderTest>;
  /** A connection beside what is tested, on which everything may be altered: nothing that the engine would refuse is refused. */
  byHand(): Promise<ByHand>;
  /** Alters a column of a row by hand. */
  alter(table: string, column: string, value: string, id: number): Promise<void>;
  remove(): Promise<void>;
}

/** What waits in the outbox, as what it says. */
export const readWaiting = (texts: readonly string[]): (RequestEntry | AccountEntry)[] => {
  const entries: (RequestEntry | AccountEntry)[] = [];
  for (const text of texts)
    decodeEntries(
      text,
      (entry) => entries.push(entry),
      (entry) => entries.push(entry),
    );
  return entries;
};
