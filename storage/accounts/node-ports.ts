import type { NodeReport } from "@tollgate/contract/api/nodes";
import type { AccountLine } from "@tollgate/contract/records/account-line";
import type { Change } from "@tollgate/contract/records/change";
import type {
  AccountId,
  BalanceEdit,
  BatchBooked,
  BookedCharge,
  ChargeBatch,
  EditDone,
  EpochOver,
  LeaseGrant,
  LeaseRecall,
  LeaseReturn,
  LeaseWish,
  NodeJoined,
  NodeRenewed,
} from "@tollgate/contract/records/lease";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import type { RequestEntry } from "../outbox/log-entry";

/* Operations on a database that several nodes share. */

/** The log entry of a request, without the charged quota, which is added where it is known. */
export type ChargeEntry = Omit<RequestEntry, "requestId" | "userId" | "quota" | "count">;

/** A batch with all that is written beside it: texts, which a thread is sent fastest. */
export interface PreparedBatch extends ChargeBatch {
  /** The bookings that `changes` and `entries` describe, unless the database finds others. */
  readonly expected: readonly BookedCharge[];
  /** Changes and log entries, as encodeCharges returns them. */
  readonly changes: string;
  readonly entries: string;
}

/** Rows that batches of charges change, by their ids. */
export interface ChargedRows {
  readonly users: readonly number[];
  readonly tokens: readonly number[];
  readonly channels: readonly number[];
}

/** Books batches whose result is prepared before the transaction. */
export interface Bookings {
  /**
   * Books a batch (see `Leases`).
   * @returns `unlike` where something else than was expected is to be booked, which it says; "held up" where another transaction keeps a row
   * locked: then nothing was written.
   * @throws ChargesRefused
   */
  book(
    batch: PreparedBatch,
    remindBelow?: number,
  ): Promise<BatchBooked | { readonly unlike: readonly BookedCharge[] } | "held up">;
  /** Those of rows that another transaction keeps locked now. It waits for none of them. */
  lockedOf(rows: ChargedRows): Promise<ChargedRows>;
  /** Resolves when the database answers. @throws DatabaseRefused where it does not. */
  reach(): Promise<void>;
}

/**
 * Operations of several nodes on shared accounts (docs/decisions/0013-leases.md). Each is atomic, may run concurrently
 * with others, and may be repeated by a node that got no answer.
 */
export interface Leases {
  /**
   * Starts the epoch of a node, once the database also answers wishes and charges.
   * @param about the node's report of itself, valid until its next one.
   */
  join(about: NodeReport): Promise<NodeJoined>;
  /**
   * Extends a node's epoch, counted from the database's receipt of the call. Rejects when wishes or charges find no
   * connection: the node must not admit requests that it cannot charge.
   */
  renew(epoch: number, about: NodeReport): Promise<NodeRenewed | EpochOver>;
  /** Ends the time of nodes that were silent for too long: their leases go back. @returns their epochs. */
  expire(): Promise<number[]>;
  /** Ends the time of a node that stops. */
  leave(epoch: number): Promise<void>;
  /** Moves the granted part of a wish from an account into a node's lease. */
  acquire(wish: LeaseWish): Promise<LeaseGrant | EpochOver>;
  /** @returns undefined when it was given back, now or before. */
  giveBack(change: LeaseReturn): Promise<EpochOver | undefined>;
  /**
   * Books charges of answered requests, each once, with their sums and log lines. When their epoch is over, the whole
   * quota is taken straight from the accounts, as far as they cover it.
   * @param entryOf returns the log entry of a charge as booked; it may be called more than once.
   * @param remindBelow balances that fall below it, or to nothing, are named in the answer.
   */
  book(
    batch: ChargeBatch,
    entryOf: (booked: BookedCharge) => ChargeEntry,
    remindBelow?: number,
  ): Promise<BatchBooked>;
  /**
   * Reverses a charge, once, of which nothing was delivered; an unknown charge changes nothing.
   * @param entryOf returns the log entry; its quota there is less than 0.
   */
  refund(requestId: string, entryOf: (booked: BookedCharge) => ChargeEntry): Promise<void>;
  /**
   * Sets a balance.
   * @param linesOf returns the log lines of a moved balance, given the balance before and after, leased quota included.
   * @param movement the ledger entry.
   * @throws StorageConflict for a balance that would be too large.
   */
  edit(
    edit: BalanceEdit,
    linesOf: (before: number, after: number) => readonly AccountLine[],
    movement: Movement,
  ): Promise<EditDone>;
  /**
   * Asks the nodes to release the quota that they lease of an account and do not need. @returns the quota still leased.
   */
  recall(account: AccountId): Promise<number>;
}

/** A node that has a row, as the database knows it. */
export interface NodeRow {
  readonly epoch: number;
  /** The node's report of itself, as far as this version understands it. */
  readonly about: NodeReport;
  /** When it was last heard of: unix seconds, and milliseconds before the answer, by the database's clock. */
  readonly heardAt: number;
  readonly silentMs: number;
  /** Of how many users and keys it leases something. */
  readonly leasedUsers: number;
  readonly leasedKeys: number;
  /** Quota that it leases of users' balances; limited to the greatest integer that is exact. */
  readonly leasedQuota: number;
}

/** The nodes that share a database. */
export interface NodeQueries {
  /** All that have a row, in the order in which they joined. */
  all(): Promise<NodeRow[]>;
}

/** Takes over the changes of all nodes, this one included (docs/decisions/0016-change-feed.md). */
export interface ChangeFollower {
  /**
   * Takes changes over, in the order of their commits. They are handed over once each, and the next when this is done; where it
   * fails, the same again.
   */
  onChanges(changes: readonly Change[]): Promise<void>;
  /** Anything may have been changed: this node was away for longer than changes are kept, or another one says so. */
  onEverything(): Promise<void>;
  /** Another node asks that an account's lease be given back. */
  onRecall(recall: LeaseRecall): void;
  /** Told once of each outage. */
  reportError(error: Error): void;
}

/** The position of a node in the feed of changes. */
export interface FeedState {
  /** False while the database does not answer; changes are not heard of then. */
  isConnected: boolean;
  /** The newest change that this node has in memory. */
  number: number;
  /** How long the newest change took from its commit until it was in memory, in milliseconds; undefined before the first. */
  lagMs: number | undefined;
  /** How long ago it was that nothing was left to take over, in milliseconds: below two seconds while all is well. */
  behindMs: number;
}

/** Changes in a database that several nodes share. They are handed over from the opening on. */
export interface ChangeFeed {
  /** Begins to hand over. */
  follow(follower: ChangeFollower): void;
  /**
   * Waits, for a second at most, until all that was committed before this call is in memory: a client may use a thing
   * that another node created a moment ago. Concurrent callers share one look at the database.
   * @param isKnown whether this node knows the caller. For others the database is queried at most ten times a second.
   * @returns false when that was not done in time.
   */
  catchUp(isKnown: boolean): Promise<boolean>;
  state(): FeedState;
  /** False behind a pooler that swallows NOTIFY: changes are then found by looking, and recalls of leases are lost. */
  readonly hearsAtOnce: boolean;
  /** Returns whether no change was taken over for so long that the data in memory must not admit a request. */
  isDeaf(): boolean;
  close(): Promise<void>;
}
