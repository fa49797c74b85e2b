/** Asks something of the accounts of some engine. */
export type Ask = (query: string) => Promise<readonly Record<string, unknown>[]>;

const entered = (account: string, user: string): string =>
  `(SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE account = '${account}' AND user_id = ${user})`;

const booked = (where: string): string =>
  `(SELECT coalesce(sum(amount), 0) FROM ledger_entries WHERE ${where})`;

const times = (where: string): string => `(SELECT count(*) FROM ledger_entries WHERE ${where})`;

const PERIOD = "CAST(subscription_id AS TEXT) || '/' || CAST(number AS TEXT)";
const REFUND = "CAST(order_refunds.id AS TEXT)";
/** The subscription that an order began; as of no order's, where it began none. */
const SUBSCRIPTION = "CAST(orders.subscription_id AS TEXT)";

/** What may never be found, at no commit; each a query of the rows that break it. */
const faultQueries = (hasLeases: boolean): Readonly<Record<string, string>> => {
  const leased = (table: string, of: string): string =>
    hasLeases ? `(SELECT coalesce(sum(quota), 0) FROM ${table} WHERE ${of})` : "0";
  const ofUser = leased("user_leases", "user_id = users.id");
  const ofKey = leased("token_leases", "token_id = tokens.id");
  return {
    "a user below zero": "SELECT id FROM users WHERE quota < 0",
    "a balance that is not what was granted less what was settled": `SELECT id, quota, used_quota, granted_quota FROM users
       WHERE quota + ${ofUser} <> granted_quota - used_quota`,
    "a balance that its entries do not explain": `SELECT id, granted_quota FROM users WHERE granted_quota <> ${entered("balance", "users.id")}`,
    "a key below zero": "SELECT id FROM tokens WHERE remain_quota < 0",
    "a key that is not what was granted less what was taken": `SELECT id FROM tokens WHERE remain_quota + ${ofKey} <> granted_quota - taken_quota`,
    "a key that its entries do not explain": `SELECT id FROM tokens WHERE granted_quota <> ${booked("account = 'key' AND key_id = tokens.id")}`,
    "a cause that was booked twice": `SELECT cause, reference, account FROM ledger_entries WHERE reference IS NOT NULL
       GROUP BY cause, reference, account HAVING count(*) > 1`,
    "a movement that nobody explains": "SELECT id FROM ledger_entries WHERE cause = 'unexplained'",
    "a period that is not granted = spent + left + taken back": `SELECT * FROM plan_periods
       WHERE granted <> spent + unspent + withdrawn + taken OR unspent < 0 OR spent < 0 OR withdrawn < 0 OR taken < 0`,
    "a period that the ledger does not explain": `SELECT * FROM plan_periods WHERE user_id IN (SELECT id FROM users) AND (
       granted <> ${booked(`cause = 'plan-grant' AND reference = ${PERIOD}`)}
       OR taken <> 0 - ${booked(`cause = 'plan-expiry' AND (reference = ${PERIOD} OR reference LIKE ${PERIOD} || '/%')`)})`,
    "two open periods of a subscription": `SELECT subscription_id FROM plan_periods WHERE state = 'open'
       GROUP BY subscription_id HAVING count(*) > 1`,
    "two subscriptions after one": `SELECT follows FROM subscriptions WHERE follows IS NOT NULL GROUP BY follows HAVING count(*) > 1`,
    "money put aside that its entries do not explain": `SELECT * FROM plan_accounts
       WHERE parked < 0 OR parked <> ${entered("parked", "plan_accounts.user_id")}`,
    "a commission account that its entries do not explain": `SELECT * FROM commission_accounts
       WHERE commission < 0 OR payout < 0 OR commission <> ${entered("commission", "commission_accounts.user_id")}
         OR payout <> ${entered("payout", "commission_accounts.user_id")}`,
    "a request to be paid out that is not put aside": `SELECT user_id FROM commission_accounts WHERE payout <>
       (SELECT coalesce(sum(amount), 0) FROM payouts WHERE payouts.user_id = commission_accounts.user_id AND state = 'asked')`,
    "a commission that is more, or taken back more, than it is": `SELECT * FROM commissions WHERE missing < 0 OR taken_back < 0
       OR taken_back + missing > amount OR amount > base
       OR amount <> ${booked("cause = 'commission' AND reference = CAST(commissions.order_id AS TEXT)")}`,
    "commissions taken back that the ledger does not explain": `SELECT inviter_id FROM commissions GROUP BY inviter_id
       HAVING sum(taken_back) <> 0 - ${booked("cause = 'commission-taken-back' AND user_id = commissions.inviter_id")}`,
    "an order that is not given once when it was paid": `SELECT * FROM orders WHERE
       (paid_at > 0) <> (${times("cause = 'payment' AND reference = CAST(orders.id AS TEXT)")} = 1)
       OR (paid_at > 0) <> (state IN ('paid', 'partly-refunded', 'refunded'))
       OR (paid_at > 0 AND quota <> ${booked("cause = 'payment' AND reference = CAST(orders.id AS TEXT)")})`,
    "an order of which more went back, or was taken, than there was": `SELECT * FROM orders
       WHERE taken < 0 OR taken > quota OR refunded < 0 OR disputed < 0 OR refunded > amount OR disputed > amount`,
    "an order of which was taken what no refund says": `SELECT * FROM orders WHERE taken <> 0 - (SELECT coalesce(sum(entry.amount), 0)
       FROM order_refunds JOIN ledger_entries AS entry ON entry.cause = 'payment-refund'
         AND entry.account IN ('balance', 'parked') AND entry.reference IN (${REFUND}, ${REFUND} || '/plan', ${REFUND} || '/undone')
       WHERE order_refunds.order_id = orders.id)`,
    "a refund that took what the ledger does not say": `SELECT * FROM order_refunds WHERE taken <>
       0 - ${booked(`cause = 'payment-refund' AND reference IN (${REFUND}, ${REFUND} || '/plan')`)}`,
    "an order of whose plan came back what the ledger does not say": `SELECT * FROM orders WHERE plan_back > quota OR plan_back <>
       ${booked(`cause = 'plan-refund' AND (reference = ${SUBSCRIPTION} OR reference LIKE ${SUBSCRIPTION} || '/%')`)}`,
    "an order of a plan that is paid, and neither began it nor says why": `SELECT * FROM orders WHERE plan_id > 0 AND paid_at > 0 AND
       (subscription_id > 0) = (plan_fault <> '')`,
    "an order that does not name the one subscription that it began": `SELECT * FROM orders WHERE subscription_id > 0
       AND EXISTS (SELECT 1 FROM subscriptions WHERE user_id = orders.user_id AND reference = 'order:' || CAST(orders.id AS TEXT)
         AND subscriptions.id <> subscription_id)`,
    "a code that gave more often than it was used": `SELECT id FROM redemptions WHERE used_count <>
       ${times("cause = 'redeemed' AND reference LIKE CAST(redemptions.id AS TEXT) || '/%'")}`,
  };
};

/**
 * Everything that does not add up in what is stored of money: balances, entries of the ledger, plans, orders, commissions and codes. It
 * holds at every commit, on every engine.
 * @param hasLeases whether several nodes may lease some of it. @returns what is wrong, in words, with the rows.
 */
export const moneyFaults = async (ask: Ask, hasLeases: boolean): Promise<string[]> => {
  const faults: string[] = [];
  for (const [what, query] of Object.entries(faultQueries(hasLeases)))
    for (const row of await ask(query)) faults.push(`${what}: ${JSON.stringify(row)}`);
  return faults;
};
