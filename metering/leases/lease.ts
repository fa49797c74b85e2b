import type { AccountId, LeaseGrant, LeaseReturn, LeaseWish } from "@tollgate/contract/records/lease";
import { type Account, move } from "../ledger";

/** A node looks so often at what it leases: what was not needed for so long is given back. */
export const WINDOW_MS = 4000;

/** A hold that waits for more to be leased. Amounts are quota, times monotonic milliseconds. */
export interface WaitingHold {
  readonly user: Lease;
  readonly key: Lease;
  /** What must be there. */
  readonly least: number;
  /** What is set aside where it is there; not less than `least`. */
  readonly most: number;
  /** Until then other nodes have time to give back what they do not need. */
  readonly recallUntil: number;
  /** Then it is over, whatever was answered. */
  readonly giveUpAt: number;
  /** The newest change of each lease when the wait began: only what is asked after it counts for this hold. */
  readonly userNumber: number;
  readonly keyNumber: number;
}

/**
 * What one node may spend of an account: to the ledger it is the account. Its `quota` is never more than what the
 * database has for this node, less the charges that are on their way there: additions are made there first and here
 * after, deductions here first and there after.
 */
export interface Lease extends Account {
  readonly isLease: true;
  /** The account in the database. */
  readonly account: AccountId;
  /** The number of the newest change. */
  number: number;
  /** The change that is under way: there is one at a time, which all holds that wait for this lease share. */
  change: LeaseWish | LeaseReturn | undefined;
  /** When the change was sent last, for changes under way. */
  sentAt: number;
  /** When that change was sent first: what it is answered with is not older. */
  askedAt: number;
  /** Holds that wait for more, in their order. */
  readonly waiting: WaitingHold[];
  /** Not before then is more asked for again. */
  nextTryAt: number;
  /** Until then what was given back is left to those who asked for it. */
  yieldsUntil: number;
  /** The answer to the newest wish, while it says how things are. */
  answer: { readonly number: number; readonly askedAt: number; readonly grant: LeaseGrant } | undefined;
  /**
   * Others need it: what no hold needs goes back as soon as no change is under way. The epoch of the oldest node that asks,
   * 0 for an edit; undefined where none does.
   */
  recalledBy: number | undefined;
  /** When others needed it last. */
  recalledAt: number;
  /** Begin of the window that `lowest` and `spent` are of. */
  windowSince: number;
  /** The least that no hold needed at any moment of this window. */
  lowest: number;
  /** What was charged in this window, and in the one before. */
  spent: number;
  spentBefore: number;
}

/** A lease of nothing, as the account of a user or a key on a node that just started. */
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

/** Whether the newest answer says that nothing of the account is left, here or elsewhere. */
export const isKnownEmpty = ({ quota, answer }: Lease): boolean =>
  answer !== undefined && quota + answer.grant.left + answer.grant.elsewhere === 0;

/** What no hold needs. */
export const spareOf = ({ quota, held }: Account): number => Math.max(0, quota - held);

/** Whether a hold may be placed on it as if there were no other node. */
export const covers = (lease: Lease, most: number): boolean =>
  lease.isUnlimited || spareOf(lease) >= Math.max(1, most);

/**
 * What is asked of the database for the holds that wait: what they need, or what was spent lately, whichever is more. An
 * account that other nodes needed lately is not leased ahead of need.
 * @param now monotonic milliseconds. @returns undefined when all that wait are covered.
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

/** Takes out of the lease what is to be given back; it is gone here before it is there again. */
export const planReturn = (lease: Lease, epoch: number, quota: number): LeaseReturn => {
  move(lease, -quota);
  lease.lowest = Math.min(lease.lowest, spareOf(lease));
  // What it says of the sum is no longer so.
  lease.answer = undefined;
  return { epoch, account: lease.account, number: lease.number + 1, quota };
};

/** Notes a hold or a charge, for what may be given back and what is asked for next. @param charged quota, 0 for a hold. */
export const noteUse = (lease: Lease, charged: number): void => {
  lease.spent += charged;
  lease.lowest = Math.min(lease.lowest, spareOf(lease));
};

/**
 * Ends the window, where it is over.
 * @returns what can be given back: what no hold needed during all of it, less what was spent in it.
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

/** The epoch is over: what was leased was given back to the account. Holds stay; they are not backed any more. */
export const forget = (lease: Lease): void => {
  move(lease, -lease.quota);
  lease.change = undefined;
  lease.answer = undefined;
  lease.recalledBy = undefined;
  lease.lowest = 0;
};
