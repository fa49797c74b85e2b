/*
 * Owners of the parts of one balance: quota that plans include, and the user's own (docs/reference/plans.md). A user
 * has one balance, which requests are charged against; none of this runs during a request. The use since the last look
 * follows from the sum of all settled charges, and nothing else.
 */

/** Rest of a plan's included quota, for one of its periods. */
export interface PlanShare {
  /** The subscription. */
  readonly id: number;
  /** Unix seconds at which the period ends. */
  readonly endsAt: number;
  /** The period is over, but requests under way still held a part of it that could not be taken back. */
  readonly isOver: boolean;
  /** Quota that is still to be spent, or to be taken back. */
  readonly left: number;
  /** Quota of it that requests were charged. */
  readonly spent: number;
  /** Quota of it that went otherwise: an administrator took more than was the user's own. */
  readonly withdrawn: number;
}

/** How the balance of a user with plans is made up. */
export interface PlanMoney<Share extends PlanShare = PlanShare> {
  /** All that was ever settled on the account, as far as it is told apart here. */
  readonly counted: number;
  /** Charges against the user's own money since there were shares: a reversed charge is returned there first. */
  readonly ownSpent: number;
  readonly shares: readonly Share[];
}

/**
 * The order in which shares are spent: the one whose period ends first, of equals the older subscription. Ended ones
 * come last: use after the end of a period counts against the next.
 */
export const inSpendingOrder = <Share extends PlanShare>(shares: readonly Share[]): Share[] =>
  [...shares].sort(
    (one, other) =>
      Number(one.isOver) - Number(other.isOver) || one.endsAt - other.endsAt || one.id - other.id,
  );

/** Takes quota of shares in their order. @returns the uncovered rest. */
const spend = (shares: { left: number; spent: number }[], quota: number): number => {
  let rest = quota;
  for (const share of shares) {
    const part = Math.min(share.left, rest);
    share.left -= part;
    share.spent += part;
    rest -= part;
  }
  return rest;
};

/** Returns quota of reversed charges to shares, those that are spent last first. */
const giveBack = (shares: { left: number; spent: number }[], quota: number): void => {
  let rest = quota;
  for (const share of shares.toReversed()) {
    const part = Math.min(share.spent, rest);
    share.left += part;
    share.spent -= part;
    rest -= part;
  }
};

/**
 * A deduction by a person takes from shares only the part that the user's own money did not cover; of those that end
 * last first.
 */
const withdraw = (shares: { left: number; withdrawn: number }[], quota: number): void => {
  let rest = quota;
  for (const share of shares.toReversed()) {
    const part = Math.min(share.left, rest);
    share.left -= part;
    share.withdrawn += part;
    rest -= part;
  }
};

const sumLeft = (shares: readonly { left: number }[]): number =>
  shares.reduce((sum, { left }) => sum + left, 0);

/**
 * Attributes the use since the last look: to the shares in their order, then to the user's own money. Where more
 * charges were reversed meanwhile than made, their quota returns to the user's own money first, as far as it was
 * charged, and then to the shares. All amounts are quota.
 * @param settled sum of all settled charges of the account, and `balance`, its current quota, both as of one moment.
 */
export const attributeUse = <Share extends PlanShare>(
  { counted, ownSpent, shares }: PlanMoney<Share>,
  settled: number,
  balance: number,
): PlanMoney<Share> => {
  const next = inSpendingOrder(shares).map((share) => ({ ...share }));
  const used = settled - counted;
  let own = ownSpent;
  if (used >= 0) own += spend(next, used);
  else {
    const back = Math.min(own, -used);
    own -= back;
    giveBack(next, -used - back);
  }
  const missing = sumLeft(next) - balance;
  if (missing > 0) withdraw(next, missing);
  return { counted: settled, ownSpent: next.length === 0 ? 0 : own, shares: next };
};

/**
 * Returns the quota of a refunded charge to where it came from. Shares are spent before the user's own money, so that
 * without the charge less of the own money would have been spent: it comes back first, then the shares, those that are
 * spent last first.
 * @param isPayer whether the charge may have been paid from a share; an ended one gets nothing back.
 * @returns the money, and the quota that belongs to shares again.
 */
export const returnUse = <Share extends PlanShare>(
  { counted, ownSpent, shares }: PlanMoney<Share>,
  quota: number,
  isPayer: (share: Share) => boolean,
): { money: PlanMoney<Share>; returned: number } => {
  const own = Math.min(ownSpent, quota);
  const next = inSpendingOrder(shares).map((share) => ({ ...share }));
  giveBack(
    next.filter((share) => !share.isOver && isPayer(share)),
    quota - own,
  );
  const returned = sumLeft(next) - sumLeft(shares);
  return { money: { counted, ownSpent: ownSpent - own, shares: next }, returned };
};

/** The user's own part of a balance. @param money as it is after `attributeUse` of this balance. */
export const ownOf = ({ shares }: PlanMoney, balance: number): number => balance - sumLeft(shares);
