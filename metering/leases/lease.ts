import type { AccountId, LeaseGrant, LeaseReturn, LeaseWish } from "@tollgate/contract/records/lease";
import { type Account, move } from "../ledger";

/** Interval at which a node checks its leases: quota unused for this long is returned. */
export const WINDOW_MS = 4000;

/** Time for other nodes to return unneeded quota, before a hold is refused. */
export const RECALL_FOR_MS = 300;

/** Retry interval while other nodes return quota. */
export const RETRY_MS = 30;

/** A hold that waits for more to be leased. Amounts are quota, times monotonic milliseconds. */
export interface WaitingHold {
  readonly user: Lease;
  readonly key: Lease;
  /** The required minimum. */
  readonly least: number;
  /** The desired quota, limited by the available balance; not less than `least`. */
  readonly most: number;
  /** Deadline for other nodes to return what they do not need. */
  readonly recallUntil: number;
  /** Then it is over, whatever was answered. */
  readonly giveUpAt: number;
  /** The newest change of each lease when the wait started: only later answers count for this hold. */
  readonly userNumber: number;
  readonly keyNumber: number;
}

/**
 * One node's lease of an account; to the ledger it is the account. Its `quota` is never more than the database has for
 * this node, minus unacknowledged charges: additions are made there first and here after, deductions here first and
 * there after.
 */
export interface Lease extends Account {
  readonly isLease: true;
  /** The account in the database. */
  readonly account: AccountId;
  /** The number of the newest change. */
  number: number;
  /** The current change: at most one, shared by all holds that wait for this lease. */
  change: LeaseWish | LeaseReturn | undefined;
  /** Time of the last attempt to send it. */
  sentAt: number;
  /** Time of its first attempt: the answer is not older. */
  askedAt: number;
  /** Holds that wait for more, in their order. */
  readonly waiting: WaitingHold[];
  /** Earliest time to ask for more again. */
  nextTryAt: number;
  /** Until then returned quota is left to the nodes that asked for it. */
  yieldsUntil: number;
  /** The answer to the newest wish, while it is up to date. */
  answer: { readonly number: number; readonly askedAt: number; readonly grant: LeaseGrant } | undefined;
  /**
   * Other nodes need it: quota not needed by holds is returned as soon as no change is in progress. Holds the epoch of
   * the oldest asking node, 0 for an edit; undefined without a recall.
   */
  recalledBy: number | undefined;
  /** Time of the last recall. */
  recalledAt: number;
  /** Start of the window for `lowest` and `spent`. */
  windowSince: number;
  /** The least that no hold needed at any moment of this window. */
  lowest: number;
  /** Charges in this window and in the previous one. */
  spent: number;
  spentBefore: number;
}

/** An empty lease, for the account of a user or a key on a node that just started. */
export const createLease = (account: AccountId, id: number, isUnlimited: boolean): Lease => ({
  id,
  quota: 0,
  held: 0,
  isUnlimited,
  isLease: true,
  account,
  number: 0,
  change: undefined,
  sentAt: 0,
  askedAt: 0,
  waiting: [],
  nextTryAt: 0,
  yieldsUntil: 0,
  answer: undefined,
  recalledBy: undefined,
  recalledAt: Number.NEGATIVE_INFINITY,
  windowSince: 0,
  lowest: 0,
  spent: 0,
  spentBefore: 0,
});

export const isLease = (account: Account): account is Lease => account.isLease === true;

/** The account as the lease that it is. @throws for a balance that no node leases. */
export const leaseOf = (account: Account): Lease => {
  if (!isLease(account)) throw new Error(`account ${account.id} is no lease`);
  return account;
};

/** Whether the newest answer reports that the account has no quota left, on any node. */
export const isKnownEmpty = ({ quota, answer }: Lease): boolean =>
  answer !== undefined && quota + answer.grant.left + answer.grant.elsewhere === 0;

/** Quota not needed by holds. */
export const spareOf = ({ quota, held }: Account): number => Math.max(0, quota - held);

/** Whether the lease alone can cover a hold. */
export const covers = (lease: Lease, most: number): boolean =>
  lease.isUnlimited || spareOf(lease) >= Math.max(1, most);

/**
 * The quota to request from the database for the waiting holds: their need, or recent spending, whichever is more. An
 * account recently needed by other nodes is not leased in advance.
 * @param now monotonic milliseconds. @returns undefined when all waiting holds are covered.
 */
export const planWish = (lease: Lease, epoch: number, now: number): LeaseWish | undefined => {
  let total = lease.held - lease.quota;
  let first: WaitingHold | undefined;
  let least = 0;
  let most = 0;
  for (const hold of lease.waiting) {
    const needed = Math.max(1, hold.most);
    if (!first && total + needed > 0) {
      first = hold;
      least = Math.max(0, total + Math.max(1, hold.least));
      most = total + needed;
    }
    total += needed;
  }
  if (!first) return undefined;
  const isContended = now - lease.recalledAt < WINDOW_MS;
  return {
    epoch,
    account: lease.account,
    number: lease.number + 1,
    least,
    most,
    total,
    ahead: isContended ? 0 : Math.max(lease.spent, lease.spentBefore),
    isLast: now >= first.recallUntil,
  };
};

/** Takes the answer to a wish into the lease. */
export const addGrant = (lease: Lease, { number }: LeaseWish, grant: LeaseGrant): void => {
  move(lease, grant.granted);
  lease.answer = { number, askedAt: lease.askedAt, grant };
};

/** Deducts the quota to return; it is removed here before it is added there. */
export const planReturn = (lease: Lease, epoch: number, quota: number): LeaseReturn => {
  move(lease, -quota);
  lease.lowest = Math.min(lease.lowest, spareOf(lease));
  // Its report about the total is outdated now.
  lease.answer = undefined;
  return { epoch, account: lease.account, number: lease.number + 1, quota };
};

/** Notes a hold or a charge, for deciding about returns and the next request. @param charged quota, 0 for a hold. */
export const noteUse = (lease: Lease, charged: number): void => {
  lease.spent += charged;
  lease.lowest = Math.min(lease.lowest, spareOf(lease));
};

/**
 * Ends the window, if it is over.
 * @returns the quota to return: unused by holds during the whole window, minus its spending.
 */
export const endWindow = (lease: Lease, now: number): number => {
  if (now - lease.windowSince < WINDOW_MS) return 0;
  const idle = Math.min(lease.lowest, spareOf(lease)) - lease.spent;
  lease.spentBefore = lease.spent;
  lease.spent = 0;
  lease.windowSince = now;
  lease.lowest = spareOf(lease);
  return Math.max(0, idle);
};

/** The epoch is over: the leased quota was returned to the account. Holds stay, without backing. */
export const forget = (lease: Lease): void => {
  move(lease, -lease.quota);
  lease.change = undefined;
  lease.answer = undefined;
  lease.recalledBy = undefined;
  lease.lowest = 0;
};

/** The sum of a node's current leases. */
export interface LeasedSum {
  readonly accounts: number;
  /** Of the balances of users: quota, and the held part of it. */
  readonly quota: number;
  readonly held: number;
}

export const sumLeases = (leases: Iterable<Lease>): LeasedSum => {
  let accounts = 0;
  let quota = 0;
  let held = 0;
  for (const lease of leases) {
    if (lease.quota === 0 && lease.held === 0) continue;
    accounts += 1;
    if (!lease.account.startsWith("user:")) continue;
    quota += lease.quota;
    held += lease.held;
  }
  return { accounts, quota, held };
};
