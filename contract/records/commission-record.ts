/* Earnings of inviters by the payments of the users they invited (docs/money.md#invitations). */

/** "asked": an administrator has to decide. */
export const PAYOUT_STATES = ["asked", "paid", "declined"] as const;

export type PayoutState = (typeof PAYOUT_STATES)[number];

/** Payments that may earn a commission: quota for money, a plan's own order, a redeemed code. */
export const COMMISSION_SOURCES = ["top-up", "plan", "code"] as const;
export type CommissionSource = (typeof COMMISSION_SOURCES)[number];

/** Sources of a rule that names none. */
const USUAL_SOURCES: readonly CommissionSource[] = ["top-up", "plan"];

/** Commission of a payment for the payer's inviter. */
export interface CommissionRule {
  /** Hundredths of a percent of the quota that was paid for: 1 to 10,000. */
  readonly basisPoints: number;
  /** Of each payment; else of a user's first one alone. */
  readonly isOfEach: boolean;
  /** Payments that earn it; undefined for top-ups and plans. */
  readonly sources?: readonly CommissionSource[] | undefined;
  /** Whether the bonus of an order counts as well; else only the quota that money paid for. */
  readonly isOfBonus?: boolean | undefined;
}

export const sourcesOf = ({ sources = USUAL_SOURCES }: Pick<CommissionRule, "sources">) => sources;

/** The part of a payment that is the inviter's, in whole quota, never more than its share. */
export const commissionOf = (quota: number, { basisPoints }: CommissionRule): number =>
  Number((BigInt(quota) * BigInt(basisPoints)) / 10_000n);

/** An inviter's balance and earnings. */
export interface CommissionSummary {
  /** How many users it invited. */
  readonly invited: number;
  /** Total commission of their payments, less the part taken back. */
  readonly earned: number;
  /** Total quota for invitations themselves. */
  readonly gifts: number;
  /** Quota that it can turn into balance, or request. */
  readonly commission: number;
  /** Requested quota that no administrator has decided yet. */
  readonly payout: number;
  /** Claimed back after refunds, but already spent: it is taken from the next earnings. */
  readonly missing: number;
}

/** A user that a person invited, as the inviter sees it. */
export interface InvitedUser {
  readonly id: number;
  readonly username: string;
  readonly createdAt: number;
  /** The inviter's earnings by it. */
  readonly earned: number;
}

/** A commission as administrators see it. */
export interface Commission {
  readonly id: number;
  readonly inviterId: number;
  readonly inviter: string;
  readonly userId: number;
  readonly username: string;
  /** The order; below 0 for a redeemed code: the id of its entry in the ledger, negated. */
  readonly orderId: number;
  readonly base: number;
  readonly basisPoints: number;
  readonly amount: number;
  readonly takenBack: number;
  readonly missing: number;
  readonly createdAt: number;
}

/** A request to be paid out. */
export interface Payout {
  readonly id: number;
  readonly userId: number;
  readonly username: string;
  readonly amount: number;
  readonly state: PayoutState;
  readonly note: string;
  readonly createdAt: number;
  readonly decidedAt: number;
  readonly actorName: string;
  readonly reason: string;
  /** Quota still claimed back of the caller, now. */
  readonly missing: number;
}
