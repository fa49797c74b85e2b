/**
 * Spendable quota of a user or a key, in memory: the truth while the process runs.
 *
 * Storage follows it with the same steps in the same order, so that what is stored is never below what is here:
 * deductions are made here first and stored after, additions are stored first and made here after.
 */
export interface Account {
  readonly id: number;
  /** Settled balance; never negative. */
  quota: number;
  /** Sum of the open holds on it. */
  held: number;
  /** A key without a limit of its own: only its use is counted. */
  isUnlimited: boolean;
}

/** Quota set aside for one attempt. Every hold is ended exactly once, by `settle` or by `release`. */
export interface Hold {
  readonly user: Account;
  readonly key: Account;
  readonly quota: number;
  isOpen: boolean;
}

/** The outcome of a settlement. */
export interface Settlement {
  /** What the user is charged; at most what the price asks. */
  charged: number;
  /** What the price asked for and no balance could cover. */
  shortfall: number;
}

export type HoldRefusal = "user-quota-exceeded" | "token-quota-exceeded";

const spendable = (account: Account): number => Math.max(0, account.quota - account.held);

/**
 * Sets quota aside on the user and, unless it is unlimited, on the key; on both or on neither.
 * @param quota what the answer may cost at worst. Even a hold of 0 needs a balance: an empty account gets nothing
 * that costs.
 */
export const hold = (user: Account, key: Account, quota: number, isFree: boolean): Hold | HoldRefusal => {
  if (!isFree) {
    const least = Math.max(1, quota);
    if (spendable(user) < least) return "user-quota-exceeded";
    if (!key.isUnlimited && spendable(key) < least) return "token-quota-exceeded";
  }
  user.held += quota;
  key.held += quota;
  return { user, key, quota, isOpen: true };
};

const close = (open: Hold): void => {
  if (!open.isOpen) throw new Error("a hold was ended twice");
  open.isOpen = false;
  open.user.held -= open.quota;
  open.key.held -= open.quota;
};

/**
 * What a settlement may take at most: the hold itself, and beyond it only what no other hold counts on.
 * To be called after the hold was closed.
 */
const ceiling = (account: Account, held: number): number =>
  Math.min(account.quota, Math.max(held, account.quota - account.held));

/**
 * Ends a hold with a charge. When the price is above what the balances can cover, they stop at zero and the rest is
 * reported as the shortfall.
 */
export const settle = (open: Hold, price: number): Settlement => {
  close(open);
  const { user, key } = open;
  let charged = Math.min(price, ceiling(user, open.quota));
  if (!key.isUnlimited) charged = Math.min(charged, ceiling(key, open.quota));
  user.quota -= charged;
  if (!key.isUnlimited) key.quota -= charged;
  return { charged, shortfall: price - charged };
};

/** Ends a hold without a charge. */
export const release = (open: Hold): void => close(open);
