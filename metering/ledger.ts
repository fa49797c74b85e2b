/**
 * Spendable quota of a user or a key, in memory: the truth while the process runs.
 *
 * Storage follows it with the same steps in the same order, so that what is stored is never below what is here:
 * deductions are made here first and stored after, additions are stored first and made here after. Nothing but this file
 * moves a balance.
 */
export interface Account {
  readonly id: number;
  /** Settled balance; never negative. */
  readonly quota: number;
  /** Sum of the open holds on it. */
  readonly held: number;
  /** A key without a limit of its own: only its use is counted. */
  isUnlimited: boolean;
  /** It is what one node leases of a balance: that there is nothing in it says nothing of the balance. */
  readonly isLease?: true;
  /**
   * What is to be taken back as soon as no hold needs it: no new hold counts on it, so that no user keeps it by placing one after
   * another.
   */
  readonly due?: number;
}

/** An account as this file may change it. */
type Movable = { -readonly [Name in keyof Account]: Account[Name] };

/** Quota set aside for one attempt. Every hold is ended exactly once, by `settle` or by `release`. */
export interface Hold {
  readonly user: Account;
  readonly key: Account;
  /** What is set aside of the user's balance. */
  readonly quota: number;
  /** What is set aside of the key's; the key may have less than the user. */
  readonly keyQuota: number;
  isOpen: boolean;
}

/** The outcome of a settlement. */
export interface Settlement {
  /** What the user is charged; at most what the price asks. */
  charged: number;
  /** What the price asked for and the user's balance could not cover. */
  shortfall: number;
  /** What was taken from the key; 0 for one without a limit of its own. */
  takenFromKey: number;
  /** What the user was charged and the key could not cover; 0 for a key without a limit of its own. */
  keyShortfall: number;
}

/** "…-held": the balance would do, but requests under way count on it. */
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
 * @param quota what is added; less than 0 for what is taken, which must be there.
 */
export const move = (account: Movable, quota: number): void => {
  account.quota += quota;
};

/** What of a balance no hold counts on. */
export const spendable = ({ quota, held, due }: Account): number => Math.max(0, quota - held - (due ?? 0));

/**
 * Takes what no hold needs, at most so much.
 * @param isDue it is what is to be taken back; anything else leaves that alone. @returns how much it was.
 */
export const takeSpare = (account: Movable, most: number, isDue: boolean): number => {
  const taken = Math.min(most, isDue ? Math.max(0, account.quota - account.held) : spendable(account));
  move(account, -taken);
  if (isDue && account.due !== undefined) account.due = Math.max(0, account.due - taken);
  return taken;
};

/** Says what is to be taken back as soon as no hold needs it. */
export const setDue = (account: Movable, quota: number): void => {
  account.due = quota;
};

/**
 * Sets quota aside on the user and on the key; on both or on neither.
 * @param least what must be there. Even a hold of 0 needs a balance: an empty account gets nothing that costs.
 * @param most what the answer may cost at worst. As much of it as is there is set aside, so that a user who has less than
 * the worst case runs one request at a time, and no number of them can cost more than one balance cannot cover.
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
 * Ends a hold with a charge: the price, as far as the user's balance goes. Neither the key nor other holds make it less:
 * a key's owner may change the key at any time, and a hold may end without a charge, so what they kept back would be
 * given away. The key gives what it has.
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

/** Takes a settlement back whose charge could not be stored. */
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
