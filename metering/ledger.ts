/**
 * Spendable quota of a user or a key, in memory: the truth while the process runs.
 *
 * Storage applies the same steps in the same order, so that the stored balance is never below this one: deductions are
 * made here first and stored after, additions are stored first and made here after. Only this file moves a balance.
 */
export interface Account {
  readonly id: number;
  /** Settled balance; never negative. */
  readonly quota: number;
  /** Sum of the open holds on it. */
  readonly held: number;
  /** A key without its own limit: only its use is counted. */
  isUnlimited: boolean;
  /** It is one node's lease of a balance: an empty lease does not mean an empty balance. */
  readonly isLease?: true;
  /**
   * Quota to reclaim once holds release it: no new hold counts on it, so that no user keeps it by placing one hold
   * after another.
   */
  readonly due?: number;
}

/** An account as this file may change it. */
type Movable = { -readonly [Name in keyof Account]: Account[Name] };

/** Quota set aside for one attempt. Every hold is ended exactly once, by `settle` or by `release`. */
export interface Hold {
  readonly user: Account;
  readonly key: Account;
  /** Quota reserved of the user's balance. */
  readonly quota: number;
  /** Quota reserved of the key's balance; the key may have less than the user. */
  readonly keyQuota: number;
  isOpen: boolean;
}

/** The outcome of a settlement. */
export interface Settlement {
  /** The user's charge; at most the price. */
  charged: number;
  /** The part of the price that the user's balance could not cover. */
  shortfall: number;
  /** Quota taken from the key; 0 for one without its own limit. */
  takenFromKey: number;
  /** The part of the user's charge that the key could not cover; 0 for a key without its own limit. */
  keyShortfall: number;
}

/** "…-held": the balance would be enough, but running requests hold it. */
export type HoldRefusal =
  | "user-quota-exceeded"
  | "user-quota-held"
  | "token-quota-exceeded"
  | "token-quota-held";

/** Whether a balance is known to be used up. */
export const isUsedUp = ({ isUnlimited, isLease, quota }: Account): boolean =>
  !isUnlimited && quota <= 0 && !isLease;

const setAside = (account: Movable, quota: number): void => {
  account.held += quota;
};

/**
 * Adds to a balance, or takes from it.
 * @param quota the added quota; negative for a deduction, which the balance must cover.
 */
export const move = (account: Movable, quota: number): void => {
  account.quota += quota;
};

/** Balance not covered by holds. */
export const spendable = ({ quota, held, due }: Account): number => Math.max(0, quota - held - (due ?? 0));

/**
 * Takes quota not needed by holds, up to `most`.
 * @param isDue takes quota that is to be reclaimed; otherwise that part is left. @returns the taken quota.
 */
export const takeSpare = (account: Movable, most: number, isDue: boolean): number => {
  const taken = Math.min(most, isDue ? Math.max(0, account.quota - account.held) : spendable(account));
  move(account, -taken);
  if (isDue && account.due !== undefined) account.due = Math.max(0, account.due - taken);
  return taken;
};

/** Marks quota to reclaim once holds release it. */
export const setDue = (account: Movable, quota: number): void => {
  account.due = quota;
};

/**
 * Reserves quota on the user and on the key; on both or on neither.
 * @param least the required minimum. Even a hold of 0 needs a balance: an empty account gets nothing that has a price.
 * @param most the worst-case cost. The reservation is limited by the available balance, so that a user who has less
 * than the worst case runs one request at a time, and any number of requests can together cost at most one uncovered
 * amount.
 */
export const hold = (
  user: Account,
  key: Account,
  least: number,
  isFree: boolean,
  most: number = least,
): Hold | HoldRefusal => {
  if (!isFree) {
    const needed = Math.max(1, least);
    if (spendable(user) < needed) return user.quota < needed ? "user-quota-exceeded" : "user-quota-held";
    if (!key.isUnlimited && spendable(key) < needed)
      return key.quota < needed ? "token-quota-exceeded" : "token-quota-held";
  }
  const quota = Math.min(most, spendable(user));
  const keyQuota = key.isUnlimited ? quota : Math.min(most, spendable(key));
  setAside(user, quota);
  setAside(key, keyQuota);
  return { user, key, quota, keyQuota, isOpen: true };
};

const close = (open: Hold): void => {
  if (!open.isOpen) throw new Error("a hold was ended twice");
  open.isOpen = false;
  setAside(open.user, -open.quota);
  setAside(open.key, -open.keyQuota);
};

/**
 * Ends a hold with a charge: the price, limited by the user's balance. Neither the key nor other holds reduce it: a
 * key's owner may change the key at any time, and a hold may end without a charge, so the amount they kept back would
 * be free. The key pays as much as it has.
 */
export const settle = (open: Hold, price: number): Settlement => {
  close(open);
  const { user, key } = open;
  const charged = Math.min(price, user.quota);
  const takenFromKey = key.isUnlimited ? 0 : Math.min(charged, key.quota);
  move(user, -charged);
  move(key, -takenFromKey);
  return {
    charged,
    shortfall: price - charged,
    takenFromKey,
    keyShortfall: key.isUnlimited ? 0 : charged - takenFromKey,
  };
};

/** Reverses a settlement whose charge could not be stored. */
export const refund = (
  user: Account,
  key: Account,
  { charged, takenFromKey }: Pick<Settlement, "charged" | "takenFromKey">,
): void => {
  move(user, charged);
  move(key, takenFromKey);
};

/** Ends a hold without a charge. */
export const release = (open: Hold): void => close(open);
