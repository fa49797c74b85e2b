/*
 * The ledger (docs/money.md): every movement of money that is not a charge is an entry, stored with the movement itself. A charge
 * has its line of the log and its receipt.
 */

/**
 * Accounts of money. `balance` is a user's, `key` an API key's own limit. `commission` is earned by users that the user
 * invited, and `payout` the part of that requested to be paid out. `parked` is the part of a user's own quota put aside
 * while a plan of theirs stops at its end (docs/reference/plans.md).
 */
export const LEDGER_ACCOUNTS = ["balance", "key", "commission", "payout", "parked"] as const;

export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** Why money moved. The console and exports have a text for each. */
export const LEDGER_CAUSES = [
  /** Quota granted to an account before the ledger, in all. */
  "opening",
  /** Opening balance of an account of another gateway. */
  "imported",
  "new-user-gift",
  "invitee-gift",
  /** Reference: the id of the user that was invited. */
  "inviter-gift",
  /** Reference: the code's id, and behind a slash which of its uses it was. */
  "redeemed",
  /** An administrator set the balance. */
  "quota-changed",
  /** A key's own limit when it was created. */
  "key-created",
  /** The owner set a key's own limit. */
  "key-quota-changed",
  /** Reference: the order's id. */
  "payment",
  /**
   * Bonus of a promotion. Reference: the order's id; of a registration `use/` and the id of the use. The discount of a
   * plan's price that comes back unspent is taken: behind the order's id and a slash the refund.
   */
  "promotion",
  /** Reference: the refund's id; behind a slash the part that is a separate entry. */
  "payment-refund",
  /** Reference: the subscription's id, and behind a slash which of its periods it was. */
  "plan-grant",
  /** Reference: as of the grant; of further parts, behind a slash the quota taken back before. */
  "plan-expiry",
  /** The price of a plan. Reference: the subscription's id, as of the next two. */
  "plan-purchase",
  /**
   * Unspent price of a plan that was paid by its own order, and ended for a refund. Reference: as of the purchase; of
   * further parts, behind a slash the quota that came back before.
   */
  "plan-refund",
  /** From a user's balance to the quota put aside: an entry on each. */
  "plan-parked",
  /** Back, with the end of the last plan that stops: an entry on each. */
  "plan-unparked",
  /** A part of a payment of a person who was invited. Reference: the order's id. */
  "commission",
  /** An administrator refunded a charged request, whole or in part. Reference: the request's id. */
  "request-refund",
  /** The payment was refunded. Reference: the refund's id. */
  "commission-taken-back",
  /** From a user's commission to its balance: an entry on each. */
  "commission-transfer",
  /** From a user's commission to its payout: an entry on each. Reference: the request's id, as of the next two. */
  "payout-requested",
  "payout-declined",
  "paid-out",
  /** A process of an older version moved it, which keeps no ledger. */
  "unexplained",
] as const;

export type LedgerCause = (typeof LEDGER_CAUSES)[number];

/**
 * The decider of a movement. "person": always a person. "person-or-gateway": a person, or the gateway (actor 0) after a payment.
 * "owner": the user, about money that is already theirs. "rule": a setting of root.
 */
type DecidedBy = "person" | "person-or-gateway" | "owner" | "rule";

/** Total on purpose: a new cause does not compile until it has an answer. */
export const DECIDED_BY: Readonly<Record<LedgerCause, DecidedBy>> = {
  opening: "rule",
  imported: "rule",
  "new-user-gift": "rule",
  "invitee-gift": "rule",
  "inviter-gift": "rule",
  redeemed: "person",
  "quota-changed": "person",
  "key-created": "owner",
  "key-quota-changed": "owner",
  payment: "person-or-gateway",
  promotion: "person-or-gateway",
  "payment-refund": "person-or-gateway",
  "plan-grant": "rule",
  "plan-expiry": "rule",
  "plan-purchase": "owner",
  "plan-refund": "person-or-gateway",
  "plan-parked": "rule",
  "plan-unparked": "rule",
  "request-refund": "person",
  commission: "person-or-gateway",
  "commission-taken-back": "person-or-gateway",
  "commission-transfer": "owner",
  "payout-requested": "owner",
  "payout-declined": "person",
  "paid-out": "person",
  unexplained: "rule",
};

/** Content of an entry other than its account and amount. */
export interface Movement {
  readonly cause: LedgerCause;
  /**
   * Origin of the movement. Each kind of account has one entry per cause and reference: a repeated booking changes
   * nothing. Undefined where a movement is its own cause, as an edit.
   */
  readonly reference?: string | undefined;
  /** The user who decided it: the maker of a redeemed code. 0 for the gateway itself. */
  readonly actorId: number;
  /** Unix seconds. */
  readonly at: number;
  /** The reason that a person gave. */
  readonly reason?: string | undefined;
}

/** A balance that is moved by a difference, and why. */
export interface QuotaMove {
  /** Less than 0 for a deduction. */
  readonly difference: number;
  readonly movement: Movement;
}
