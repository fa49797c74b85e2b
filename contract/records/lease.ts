/*
 * Messages about money between the nodes of one installation and its database. A balance is split: unleased quota is in
 * the account, and quota that a node alone may spend is in that node's lease. Commands may be lost, arrive twice, late
 * and in any order; each has enough data to be applied once.
 */

/** A balance: a user's, or that of an API key with a limit of its own. */
export type AccountId = `user:${number}` | `key:${number}`;

export const userAccount = (id: number): AccountId => `user:${id}`;

export const keyAccount = (id: number): AccountId => `key:${id}`;

/** The number of the user, or of the key, whose account it is. */
export const accountNumber = (account: AccountId): number => Number(account.slice(account.indexOf(":") + 1));

/** The named epoch is over: the node's leases were returned to the accounts. */
export type EpochOver = "epoch-over";

/** A node's time with the database began. */
export interface NodeJoined {
  /** Never given twice; greater than all before. */
  readonly epoch: number;
}

/** A node's time was made longer. */
export interface NodeRenewed {
  /** How many nodes have a row. */
  readonly liveNodes: number;
  /** How many of them joined before it. */
  readonly rank: number;
}

/** One change of one lease. A node has one under way for each lease, so that a repeated or late one is known by its number. */
interface LeaseChange {
  readonly epoch: number;
  readonly account: AccountId;
  /** Greater than those of all changes of this lease before. */
  readonly number: number;
}

/** Asks for more of an account, for all holds of a node that wait for it. All amounts are quota. */
export interface LeaseWish extends LeaseChange {
  /** Without so much the first hold that waits cannot be placed. */
  readonly least: number;
  /** With so much it is placed as it would be if there were only one node. */
  readonly most: number;
  /** Total quota of all waiting holds. */
  readonly total: number;
  /** Quota that the account will probably spend soon; taken only while it is a small part of the rest. */
  readonly ahead: number;
  /**
   * Other nodes were asked to release quota and had their time: take the available quota, if it is at least `least`.
   */
  readonly isLast: boolean;
}

/** The answer to a wish. */
export interface LeaseGrant {
  /** Quota added to the lease. */
  readonly granted: number;
  /** Rest of the account. */
  readonly left: number;
  /** Quota of it that other nodes lease. */
  readonly elsewhere: number;
}

/** Gives a part of a lease back. */
export interface LeaseReturn extends LeaseChange {
  readonly quota: number;
}

/** Charge of an answer. */
export interface LeaseCharge {
  readonly requestId: string;
  readonly user: AccountId;
  /** The part of the price that the node took from the user's lease. */
  readonly quota: number;
  /** The part of the price that the lease could not cover; it is taken from the account. */
  readonly shortfall: number;
  /** The key, where it has a limit of its own. */
  readonly key: AccountId | undefined;
  /** Quota that the node took from the key's lease. */
  readonly keyQuota: number;
}

/** Charges of one epoch that are committed together, all or none. */
export interface ChargeBatch {
  readonly epoch: number;
  readonly charges: readonly LeaseCharge[];
}

/** A charge as it was committed; a charge that is sent again is answered with the same. */
export interface BookedCharge {
  readonly requestId: string;
  /** Quota taken from the user, in all. */
  readonly charged: number;
  /** The part of the price that nothing could cover; shown on the receipt. */
  readonly shortfall: number;
  readonly takenFromKey: number;
  readonly keyShortfall: number;
}

/** A user's balance that charges took below the reminder, or to nothing. */
export interface LowBalance {
  readonly user: AccountId;
  /** Rest of the balance, leased quota included. */
  readonly left: number;
}

/** A charge that breaks a rule of the data, however often it is sent. */
export interface RefusedCharge {
  readonly requestId: string;
  /** The database's message. */
  readonly reason: string;
}

/** The answer to a batch. */
export interface BatchBooked {
  /** In the order of the batch. */
  readonly booked: readonly BookedCharge[];
  /** Those that are not booked and never will be; nothing was taken for them. */
  readonly refused?: readonly RefusedCharge[];
  /**
   * Requests whose charges were not booked, because another transaction keeps a row of theirs locked; nothing was taken for them. They are to
   * be sent again.
   */
  readonly heldUp?: readonly string[];
  /** Balances that this batch took across the reminder: each is told to one node. Nothing unless it was asked for. */
  readonly low?: readonly LowBalance[];
  /** The epoch was over: everything was taken straight from the accounts, as far as they went. */
  readonly isLate: boolean;
}

/**
 * Sets a balance. It holds the new balance, not the difference: of two concurrent edits by two nodes the second starts
 * from the result of the first.
 */
export interface BalanceEdit {
  /** One that was done is answered again, not done again. */
  readonly id: string;
  readonly account: AccountId;
  /** The new balance, leased quota included. */
  readonly wanted: number;
  /** The nodes were asked to release quota and had their time: take the available quota. */
  readonly isLast: boolean;
}

/** The answer to an edit. */
export interface EditDone {
  /** By how much the balance was moved; undefined when nodes lease too much of it, and were asked to give back. */
  readonly moved: number | undefined;
  /** The balance now, leased quota included. */
  readonly balance: number;
}

/** Message to all nodes: they release the quota of an account that no hold needs. */
export interface LeaseRecall {
  readonly account: AccountId;
  /** The epoch of the node that needs it; undefined where an edit does. */
  readonly epoch: number | undefined;
}
