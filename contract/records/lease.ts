/*
 * What the nodes of one installation and its database tell each other about money. A balance is split: what no node
 * leased stands in the account, and what a node alone may spend stands in that node's lease. Commands may be lost, come
 * twice, late and in any order; each says enough to be done once.
 */

/** A balance: a user's, or that of an API key with a limit of its own. */
export type AccountId = `user:${number}` | `key:${number}`;

export const userAccount = (id: number): AccountId => `user:${id}`;

export const keyAccount = (id: number): AccountId => `key:${id}`;

/** The number of the user, or of the key, whose account it is. */
export const accountNumber = (account: AccountId): number => Number(account.slice(account.indexOf(":") + 1));

/** The epoch that is named is over: what the node leased was given back to the accounts. */
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
  readonly place: number;
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
  /** What all holds that wait would set aside. */
  readonly total: number;
  /** What the account will probably spend soon; taken only while it is a small part of what is left. */
  readonly ahead: number;
  /** Other nodes were asked to give back and had their time: take what is there, if it is as much as `least`. */
  readonly isLast: boolean;
}

/** The answer to a wish. */
export interface LeaseGrant {
  /** What the lease has more than before. */
  readonly granted: number;
  /** What is left in the account. */
  readonly left: number;
  /** What other nodes lease of it. */
  readonly elsewhere: number;
}

/** Gives a part of a lease back. */
export interface LeaseReturn extends LeaseChange {
  readonly quota: number;
}

/** What an answer costs. */
export interface LeaseCharge {
  readonly requestId: string;
  readonly user: AccountId;
  /** The part of the price that the node took from the user's lease. */
  readonly quota: number;
  /** The part of the price that the lease could not cover; the account is asked for it. */
  readonly shortfall: number;
  /** The key, where it has a limit of its own. */
  readonly key: AccountId | undefined;
  /** What the node took from the key's lease. */
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
  /** What was taken from the user, all in all. */
  readonly charged: number;
  /** What the price asked for and nothing could cover; it stands on the receipt. */
  readonly shortfall: number;
  readonly takenFromKey: number;
  readonly keyShortfall: number;
}

/** A user's balance that charges took below the reminder, or to nothing. */
export interface LowBalance {
  readonly user: AccountId;
  /** What is left, leased or not. */
  readonly left: number;
}

/** A charge that breaks a rule of the data, however often it is sent. */
export interface RefusedCharge {
  readonly requestId: string;
  /** What the database said. */
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
 * Sets a balance. It says what the balance is to become, not the difference: of two edits that two nodes ask for at once the
 * second begins where the first has ended.
 */
export interface BalanceEdit {
  /** One that was done is answered again, not done again. */
  readonly id: string;
  readonly account: AccountId;
  /** What there is to be then, leased or not. */
  readonly wanted: number;
  /** The nodes were asked to give back and had their time: take what is there. */
  readonly isLast: boolean;
}

/** The answer to an edit. */
export interface EditDone {
  /** By how much the balance was moved; undefined when nodes lease too much of it, and were asked to give back. */
  readonly moved: number | undefined;
  /** What there is now, leased or not. */
  readonly balance: number;
}

/** Told to all nodes: they give back of an account what no hold needs. */
export interface LeaseRecall {
  readonly account: AccountId;
  /** The epoch of the node that needs it; undefined where an edit does. */
  readonly epoch: number | undefined;
}
