/*
 * Whose money of one balance is whose: what plans include, and what is the user's own (docs/reference/plans.md). A user has one
 * balance, which requests are charged against; nothing here is asked while one is. What was used since the last look follows from
 * the sum of all that was ever settled, and nothing else.
 */

/** What is left of what a plan includes, for one of its periods. */
export interface PlanShare {
  /** The subscription. */
  readonly id: number;
  /** Unix seconds at which the period ends. */
  readonly endsAt: number;
  /** The period is over, and what requests under way hold of it could not be taken back yet. */
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
  /** What was charged against the user's own money since there were shares: a charge that is taken back goes there first. */
  readonly ownSpent: number;
  readonly shares: readonly Share[];
}

/**
 * The order in which shares are spent: the one whose period ends first, of those that end at once the older subscription. Those that
 * are over come last: what is used after the end of a period is the next one's.
 */
export const inSpendingOrder = <Share extends PlanShare>(shares: readonly Share[]): Share[] =>
  [...shares].sort(
    (one, other) =>
      Number(one.isOver) - Number(other.isOver) || one.endsAt - other.endsAt || one.id - other.id,
  );

/** Takes quota of shares in their order. @returns what is left of it. */
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

/** Gives back what charges had taken of shares, those that are spent last first. */
const giveBack = (shares: { left: number; spent: number }[], quota: number): void => {
  let rest = quota;
  for (const share of shares.toReversed()) {
    const part = Math.min(share.spent, rest);
    share.left += part;
    share.spent -= part;
    rest -= part;
  }
};

/** What a person took of the balance is taken of shares only where the user's own money did not do; of those that end last first. */
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
 * Counts what was used since the last look: against the shares in their order, then against the user's own money. Where charges were
 * taken back meanwhile, and more of them than were made, what they had taken goes back to the user's own money first, as far as it was
 * charged, and then to the shares. All amounts are quota.
 * @param settled all that was ever settled on the account, and `balance`, what there is of it, both as of one moment.
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

/** What of a balance is the user's own. @param money as it is after `attributeUse` of this balance. */
export const ownOf = ({ shares }: PlanMoney, balance: number): number => balance - sumLeft(shares);
