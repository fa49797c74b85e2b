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

/* What nodes that share a database ask of it. */

/** What the log says of a request; what was charged for it is added where that is known. */
export type ChargeEntry = Omit<RequestEntry, "requestId" | "userId" | "quota" | "count">;

/** A batch with all that is written beside it: texts, which a thread is sent fastest. */
export interface PreparedBatch extends ChargeBatch {
  /** What is booked of it, which the two texts are about, unless something else is found. */
  readonly expected: readonly BookedCharge[];
  /** What changes, and what the log will say, as encodeCharges gives them. */
  readonly changes: string;
  readonly entries: string;
}

/** Rows that batches of charges change, by their ids. */
export interface ChargedRows {
  readonly users: readonly number[];
  readonly tokens: readonly number[];
  readonly channels: readonly number[];
}

/** Books batches, of which each knows beforehand what it will come to. */
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
 * What several nodes ask of the accounts that they share (docs/decisions/0013-leases.md). Each is done or not at all, may be asked at the
 * same time as others, and again by a node that got no answer.
 */
export interface Leases {
  /**
   * Begins the time of a node, where the database answers wishes and charges, too.
   * @param about what it tells of itself, until it tells something else.
   */
  join(about: NodeReport): Promise<NodeJoined>;
  /**
   * Makes a node's time longer, counted from when the database heard of it. Rejects where wishes or charges find no connection: the
   * node must not admit what it cannot charge.
   */
  renew(epoch: number, about: NodeReport): Promise<NodeRenewed | EpochOver>;
  /** Ends the time of nodes that were silent for too long: their leases go back. @returns their epochs. */
  expire(): Promise<number[]>;
  /** Ends the time of a node that stops. */
  leave(epoch: number): Promise<void>;
  /** Takes of an account into a node's lease what a wish is granted. */
  acquire(wish: LeaseWish): Promise<LeaseGrant | EpochOver>;
  /** @returns undefined when it was given back, now or before. */
  giveBack(change: LeaseReturn): Promise<EpochOver | undefined>;
  /**
   * Books charges of answered requests, each once, with what is added up of them and their lines of the log. Where their epoch
   * is over, all of it is taken straight from the accounts, as far as they go.
   * @param entryOf what the log says of a charge, as it was booked; it may be asked more than once.
   * @param remindBelow balances that fall below it, or to nothing, are named in the answer.
   */
  book(
    batch: ChargeBatch,
    entryOf: (booked: BookedCharge) => ChargeEntry,
    remindBelow?: number,
  ): Promise<BatchBooked>;
  /**
   * Takes a charge back, once, of which nothing was delivered; one that is not known changes nothing.
   * @param entryOf what the log says of it. Its quota there is less than 0.
   */
  refund(requestId: string, entryOf: (booked: BookedCharge) => ChargeEntry): Promise<void>;
  /**
   * Sets a balance.
   * @param linesOf what the log says of it, where it was moved: what there was before, and after, leased or not.
   * @param movement what the ledger says of it.
   * @throws StorageConflict for a balance that would be too large.
   */
  edit(
    edit: BalanceEdit,
    linesOf: (before: number, after: number) => readonly AccountLine[],
    movement: Movement,
  ): Promise<EditDone>;
  /**
   * Asks the nodes to give back what they lease of an account and do not need. @returns how much they lease of it still.
   */
  recall(account: AccountId): Promise<number>;
}

/** A node that has a row, as the database knows it. */
export interface NodeRow {
  readonly epoch: number;
  /** What it told of itself, as far as this version understands it. */
  readonly about: NodeReport;
  /** When it was last heard of: unix seconds, and milliseconds before the answer, by the database's clock. */
  readonly heardAt: number;
  readonly silentMs: number;
  /** Of how many users and keys it leases something. */
  readonly leasedUsers: number;
  readonly leasedKeys: number;
  /** What it leases of the balances of users; at most the greatest whole number that is exact. */
  readonly leasedQuota: number;
}

/** The nodes that share a database. */
export interface NodeQueries {
  /** All that have a row, in the order in which they joined. */
  all(): Promise<NodeRow[]>;
}

/** Who takes over what other nodes, and this one, have changed (docs/decisions/0016-change-feed.md). */
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

/** How far a node has taken over what was changed. */
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

/** What was changed in a database that several nodes share. Changes are handed over from the opening on. */
export interface ChangeFeed {
  /** Begins to hand over. */
  follow(follower: ChangeFollower): void;
  /**
   * Waits until all that was committed before this call is in memory, or for a second at most: for what a client was given by
   * another node a moment ago. However many wait, they share a look at the database.
   * @param isKnown whether who waits is known here. For others the database is looked at ten times a second at most.
   * @returns false when that was not done in time.
   */
  catchUp(isKnown: boolean): Promise<boolean>;
  state(): FeedState;
  /** False behind a pooler that swallows NOTIFY: changes are then found by looking, and recalls of leases are lost. */
  readonly hearsAtOnce: boolean;
  /** Whether nothing was taken over for so long that what is in memory is no ground to let a request in. */
  isDeaf(): boolean;
  close(): Promise<void>;
}
