import { isLimitsText } from "@tollgate/contract/management/limits";
import { paidQuota } from "@tollgate/contract/payments/promotions";
import { commissionOf } from "@tollgate/contract/records/commission-record";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { wholeSum } from "../sql/whole-sum";
import { beginsWith, booked, bookedFor, compare, isThere, type MoneyRule, text } from "./money-rule";
import { ORDER_RULES } from "./order-rules";

/*
 * Invariants of all stored money, at every commit, on every engine: of balances, keys, the ledger, orders and refunds,
 * plans, commissions and codes. The doctor checks data by them (check-money.ts), and the property tests any history of
 * movements.
 *
 * Each rule is one query, so that it sees one state, and nearly linear in its rows: row by row look-ups use an index,
 * everything else is grouped and joined.
 */

/**
 * Users and keys: each balance with its leases equals the granted less the settled quota, and the granted quota is in
 * the ledger.
 */
const balanceRules = (hasLeases: boolean): readonly MoneyRule[] => {
  const withLeases = (table: string, leases: string, owner: string): string =>
    hasLeases
      ? `${table} LEFT JOIN (SELECT ${owner}, sum(quota) AS leased FROM ${leases} GROUP BY ${owner}) AS leases ON leases.${owner} = ${table}.id`
      : `${table} CROSS JOIN (SELECT 0 AS leased) AS leases`;
  return [
    {
      code: "user-below-zero",
      query: `SELECT id AS "user", username, quota AS balance FROM users WHERE quota < 0`,
    },
    {
      code: "user-balance",
      query: `SELECT * FROM (SELECT id AS "user", username, quota + coalesce(leased, 0) AS balance, granted_quota AS granted,
          used_quota AS used, granted_quota - used_quota AS due FROM ${withLeases("users", "user_leases", "user_id")}) AS held
        WHERE balance <> due`,
    },
    {
      code: "user-ledger",
      query: `SELECT id AS "user", username, granted_quota AS granted, coalesce(entered, 0) AS entered FROM users
        LEFT JOIN (SELECT user_id, ${wholeSum("amount")} AS entered FROM ledger_entries WHERE account = 'balance' GROUP BY user_id)
          AS sums ON sums.user_id = users.id
        WHERE granted_quota <> coalesce(entered, 0)`,
    },
    {
      code: "key-below-zero",
      query: `SELECT id AS "key", name, user_id AS "user", remain_quota AS balance FROM tokens WHERE remain_quota < 0`,
    },
    {
      code: "key-balance",
      query: `SELECT * FROM (SELECT id AS "key", name, user_id AS "user", remain_quota + coalesce(leased, 0) AS balance,
          granted_quota AS granted, taken_quota AS taken, granted_quota - taken_quota AS due
          FROM ${withLeases("tokens", "token_leases", "token_id")}) AS held
        WHERE balance <> due`,
    },
    {
      code: "key-ledger",
      query: `SELECT id AS "key", name, tokens.user_id AS "user", granted_quota AS granted, coalesce(entered, 0) AS entered FROM tokens
        LEFT JOIN (SELECT user_id, key_id, ${wholeSum("amount")} AS entered FROM ledger_entries WHERE account = 'key'
          GROUP BY user_id, key_id) AS sums ON sums.key_id = tokens.id AND sums.user_id = tokens.user_id
        WHERE granted_quota <> coalesce(entered, 0)`,
    },
    {
      code: "key-overtaken",
      query: `SELECT id AS "key", name, user_id AS "user" FROM tokens WHERE untaken_quota < 0`,
    },
    {
      code: "key-use",
      query: `SELECT id AS "key", name, user_id AS "user", used_quota AS used, taken_quota AS taken, untaken_quota AS untaken,
          taken_quota + untaken_quota AS due FROM tokens
        WHERE untaken_quota >= 0 AND used_quota <> taken_quota + untaken_quota`,
    },
  ];
};

/** Entries whose row always exists, by cause: a missing one was deleted. `rows`: the rows that the references name. */
const ORIGINS: readonly { cause: string; rows: string; where?: string }[] = [
  { cause: "payment", rows: `SELECT ${text("id")} FROM orders WHERE paid_at > 0` },
  {
    cause: "payment-refund",
    rows: `SELECT ${text("id")} FROM order_refunds UNION ALL SELECT ${text("id")} || '/plan' FROM order_refunds
      UNION ALL SELECT ${text("id")} || '/undone' FROM order_refunds
      UNION ALL SELECT ${text("id")} || '/discount' FROM order_refunds
      UNION ALL SELECT entry.reference FROM order_refunds JOIN ledger_entries AS entry ON entry.cause = 'payment-refund'
        AND ${beginsWith(`${text("order_refunds.id")} || '/held'`)}`,
  },
  { cause: "commission", rows: `SELECT ${text("order_id")} FROM commissions` },
  { cause: "request-refund", rows: "SELECT request_id FROM request_refunds" },
  { cause: "payout-requested", rows: `SELECT ${text("id")} FROM payouts` },
  { cause: "payout-declined", rows: `SELECT ${text("id")} FROM payouts WHERE state = 'declined'` },
  { cause: "paid-out", rows: `SELECT ${text("id")} FROM payouts WHERE state = 'paid'` },
  // Subscriptions are deleted with their user.
  { cause: "plan-purchase", rows: `SELECT ${text("id")} FROM subscriptions`, where: isThere("user_id") },
  {
    cause: "plan-grant",
    rows: `SELECT ${text("subscription_id")} || '/' || ${text("number")} FROM plan_periods`,
    where: isThere("user_id"),
  },
];

/** The ledger itself. */
const LEDGER_RULES: readonly MoneyRule[] = [
  {
    code: "ledger-below-zero",
    query: `SELECT user_id AS "user", account, ${wholeSum("amount")} AS balance FROM ledger_entries
      WHERE account NOT IN ('balance', 'key') GROUP BY user_id, account HAVING sum(amount) < 0`,
  },
  {
    code: "entry-twice",
    query: `SELECT cause, reference, account, count(*) AS times FROM ledger_entries WHERE reference IS NOT NULL
      GROUP BY cause, reference, account HAVING count(*) > 1`,
  },
  {
    code: "transfer-uneven",
    query: `SELECT user_id AS "user", cause, ${wholeSum("amount")} AS sum FROM ledger_entries
      WHERE cause IN ('commission-transfer', 'plan-parked', 'plan-unparked', 'payout-requested', 'payout-declined')
      GROUP BY user_id, cause HAVING sum(amount) <> 0`,
  },
  ...ORIGINS.map(({ cause, rows, where = "true" }): MoneyRule => {
    const of = `FROM ledger_entries WHERE cause = '${cause}'`;
    return {
      code: "entry-of-nothing",
      query: `SELECT id AS entry, user_id AS "user", cause, reference, amount ${of} AND ${where}
        AND reference IN (SELECT reference ${of} EXCEPT SELECT * FROM (${rows}) AS origins)`,
    };
  }),
  {
    code: "movement-unexplained",
    query: `SELECT id AS entry, user_id AS "user", account, amount FROM ledger_entries WHERE cause = 'unexplained'`,
    isNote: true,
  },
];

const SUBSCRIPTION = text("subscriptions.id");
const PERIOD = `${text("subscription_id")} || '/' || ${text("number")}`;

/** Plans: their prices, grants and take-backs are in the ledger, and so is the quota put aside meanwhile. */
const PLAN_RULES: readonly MoneyRule[] = [
  {
    code: "plan-price",
    query: `SELECT * FROM (SELECT id AS subscription, user_id AS "user", source, price,
        0 - ${bookedFor("plan-purchase", SUBSCRIPTION, "entry.user_id = subscriptions.user_id")} AS entered
        FROM subscriptions) AS bought
      WHERE entered <> CASE WHEN source = 'gift' THEN 0 ELSE price END`,
  },
  {
    code: "plan-without-period",
    query: `SELECT id AS subscription, user_id AS "user" FROM subscriptions WHERE state = 'active'
      AND NOT EXISTS (SELECT 1 FROM plan_periods WHERE plan_periods.subscription_id = subscriptions.id)`,
  },
  {
    code: "plan-followed-twice",
    query: `SELECT follows AS subscription, count(*) AS times FROM subscriptions WHERE follows IS NOT NULL
      GROUP BY follows HAVING count(*) > 1`,
  },
  {
    code: "plan-open-twice",
    query: `SELECT subscription_id AS subscription, count(*) AS times FROM plan_periods WHERE state = 'open'
      GROUP BY subscription_id HAVING count(*) > 1`,
  },
  {
    code: "plan-period-sum",
    query: `SELECT subscription_id AS subscription, number AS period, user_id AS "user", granted, spent, unspent, withdrawn, taken
      FROM plan_periods WHERE granted <> spent + unspent + withdrawn + taken OR unspent < 0 OR spent < 0 OR withdrawn < 0 OR taken < 0
        OR state = 'closed' AND unspent <> 0`,
  },
  {
    code: "plan-ledger",
    query: `SELECT * FROM (SELECT subscription_id AS subscription, number AS period, user_id AS "user", granted, taken,
        ${bookedFor("plan-grant", PERIOD, "entry.user_id = plan_periods.user_id")} AS entered,
        0 - ${booked(`entry.cause = 'plan-expiry' AND entry.user_id = plan_periods.user_id AND ${beginsWith(PERIOD)}`)} AS back
        FROM plan_periods) AS periods
      WHERE granted <> entered OR taken <> back`,
  },
  {
    // A grant is below the plan's quota only where the account could hold no more, which the sum of all its grants
    // proves. The first period of an imported subscription has the quota that another gateway left.
    code: "plan-quota",
    query: `SELECT subscription_id AS subscription, number AS period, plan_periods.user_id AS "user", granted, quota
      FROM plan_periods JOIN subscriptions ON subscriptions.id = subscription_id
      WHERE (granted > quota OR CASE WHEN granted < quota THEN (SELECT coalesce(sum(CAST(entry.amount AS DOUBLE PRECISION)), 0)
        FROM ledger_entries AS entry WHERE entry.user_id = plan_periods.user_id AND entry.account = 'balance' AND entry.amount > 0)
        <= ${MAX_QUOTA} - quota ELSE false END)
        AND NOT (substr(reference, 1, 7) = 'import:' AND NOT EXISTS (SELECT 1 FROM plan_periods AS earlier
          WHERE earlier.subscription_id = plan_periods.subscription_id AND earlier.number < plan_periods.number))`,
  },
  {
    // Ledger entries outlive their user, the quota put aside does not.
    code: "plan-parked",
    query: `SELECT ${compare('user_id AS "user"', "parked", "entered", [
      "SELECT user_id, parked, 0 AS entered FROM plan_accounts",
      "SELECT user_id, 0, amount FROM ledger_entries WHERE account = 'parked' AND user_id IN (SELECT id FROM users)",
    ])} GROUP BY user_id HAVING sum(parked) <> sum(entered) OR sum(parked) < 0`,
  },
];

/** Limits of plans, of purchases and of subscribers; rows without any are left out. */
const LIMIT_RULES: readonly MoneyRule[] = [
  {
    code: "plan-limits",
    query: `SELECT * FROM (SELECT 'plan' AS kind, id, limits FROM plans UNION ALL SELECT 'subscription', id, limits FROM subscriptions
        UNION ALL SELECT 'user', id, plan_limits FROM users) AS limited
      WHERE limits <> ''`,
    isBroken: ({ limits }) => !isLimitsText(String(limits)),
  },
];

/** The bonuses of an order's promotions, as it keeps them. */
const promotionBonuses = (text: unknown): number[] => {
  const promotions = tryParseJson(String(text));
  if (!Array.isArray(promotions)) return [];
  return promotions.flatMap((each: { effect?: unknown; quota?: unknown } | null) =>
    each?.effect === "bonus" ? [Number(each.quota)] : [],
  );
};

/**
 * A commission's base is the paid part of the order, with its bonus if that counted too: without that of promotions
 * whose maker may not favour the inviter.
 */
const isBase = (row: Readonly<Record<string, unknown>>): boolean => {
  const order = {
    amount: Number(row.paid),
    quota: Number(row.quota),
    bonus: Number(row.bonus),
    discount: Number(row.discount),
  };
  const base = Number(row.base);
  let bonuses = [order.bonus];
  for (const bonus of promotionBonuses(row.promotions))
    bonuses = bonuses.flatMap((each) => [each, each - bonus]);
  return [0, ...bonuses].includes(base - paidQuota(order));
};

/**
 * The commission of a refunded payment is taken back in the same part, or missing; and it equals its share of the
 * order.
 */
const isCommissionBroken = (row: Readonly<Record<string, unknown>>): boolean => {
  const whole = (column: string): bigint => BigInt(String(row[column]));
  const paid = whole("paid");
  const returned = whole("returned");
  const amount = whole("amount");
  const back = whole("taken_back") + whole("missing");
  // The order is missing, or no longer as it was.
  if (paid <= 0n) return true;
  const due = returned >= paid ? amount : (amount * returned) / paid;
  const rule = { basisPoints: Number(row.basis_points), isOfEach: true };
  return (
    whole("entered") !== amount ||
    !isBase(row) ||
    BigInt(commissionOf(Number(row.base), rule)) !== amount ||
    whole("taken_back") < 0n ||
    whole("missing") < 0n ||
    back !== due
  );
};

const PAYOUT = text("payouts.id");
const payoutEntry = (cause: string, account: "commission" | "payout"): string =>
  bookedFor(cause, PAYOUT, `entry.account = '${account}' AND entry.user_id = payouts.user_id`);

/** Commissions that inviters earn, and their payouts. */
const COMMISSION_RULES: readonly MoneyRule[] = [
  {
    code: "commission-ledger",
    query: `SELECT ${compare('user_id AS "user", account', "balance", "entered", [
      "SELECT user_id, 'commission' AS account, commission AS balance, 0 AS entered FROM commission_accounts",
      "SELECT user_id, 'payout', payout, 0 FROM commission_accounts",
      "SELECT user_id, account, 0, amount FROM ledger_entries WHERE account IN ('commission', 'payout')",
    ])} GROUP BY user_id, account HAVING sum(balance) <> sum(entered) OR sum(balance) < 0`,
  },
  {
    code: "commission-share",
    query: `SELECT coalesce(orders.number, '#' || ${text("order_id")}) AS "order", commissions.inviter_id AS "user", base, basis_points,
        commissions.amount, taken_back, missing, coalesce(orders.quota, code.amount, 0) AS quota,
        coalesce(orders.bonus, 0) AS bonus, coalesce(orders.discount, 0) AS discount, coalesce(orders.amount, code.amount, 0) AS paid,
        coalesce(orders.promotions, '') AS promotions,
        coalesce(orders.refunded + orders.disputed, 0) AS returned,
        ${bookedFor("commission", text("commissions.order_id"), "entry.account = 'commission' AND entry.user_id = commissions.inviter_id")}
          AS entered
      FROM commissions LEFT JOIN orders ON orders.id = commissions.order_id
        LEFT JOIN ledger_entries AS code ON code.id = 0 - commissions.order_id AND code.cause = 'redeemed'
          AND code.user_id = commissions.user_id`,
    isBroken: isCommissionBroken,
  },
  {
    code: "commission-back",
    query: `SELECT ${compare('user_id AS "user"', "taken", "entered", [
      "SELECT inviter_id AS user_id, taken_back AS taken, 0 AS entered FROM commissions",
      "SELECT user_id, 0, 0 - amount FROM ledger_entries WHERE cause = 'commission-taken-back'",
    ])} GROUP BY user_id HAVING sum(taken) <> sum(entered)`,
  },
  {
    code: "payout-aside",
    query: `SELECT ${compare('user_id AS "user"', "payout", "asked", [
      "SELECT user_id, payout, 0 AS asked FROM commission_accounts",
      "SELECT user_id, 0, amount FROM payouts WHERE state = 'asked'",
    ])} GROUP BY user_id HAVING sum(payout) <> sum(asked)`,
  },
  {
    code: "payout-ledger",
    query: `SELECT id AS payout, user_id AS "user", amount, state FROM payouts
      WHERE amount <> ${payoutEntry("payout-requested", "payout")} OR amount <> 0 - ${payoutEntry("payout-requested", "commission")}
        OR CASE WHEN state = 'paid' THEN amount ELSE 0 END <> 0 - ${payoutEntry("paid-out", "payout")}
        OR CASE WHEN state = 'declined' THEN amount ELSE 0 END <> 0 - ${payoutEntry("payout-declined", "payout")}
        OR CASE WHEN state = 'declined' THEN amount ELSE 0 END <> ${payoutEntry("payout-declined", "commission")}`,
  },
];

/** Refunds of requests: each is in the ledger, no more than the charge, and known to its channel, whose windows count charges. */
const REQUEST_RULES: readonly MoneyRule[] = [
  {
    code: "request-refund",
    query: `SELECT * FROM (SELECT request_id AS request, user_id AS "user", charged, quota, key_quota, plan_quota,
        ${bookedFor("request-refund", "request_id", "entry.user_id = request_refunds.user_id AND entry.account = 'balance'")} AS entered
        FROM request_refunds) AS refunded
      WHERE quota <> entered OR quota > charged OR quota <= 0 OR key_quota > quota OR key_quota < 0
        OR plan_quota > quota OR plan_quota < 0`,
  },
  {
    code: "channel-refunds",
    query: `SELECT * FROM (SELECT id AS channel, name, refunded_quota AS refunded, coalesce(entered, 0) AS entered FROM channels
        LEFT JOIN (SELECT channel_id, ${wholeSum("quota")} AS entered FROM request_refunds GROUP BY channel_id) AS refunds
          ON refunds.channel_id = channels.id) AS compared
      WHERE refunded <> entered`,
  },
];

const CODE = text("redemptions.id");

/** Codes: used by the users they name, as often as they granted quota, and the granted quota is in the ledger. */
const CODE_RULES: readonly MoneyRule[] = [
  {
    code: "redemption-use",
    query: `SELECT id AS redemption FROM redemptions
        LEFT JOIN (SELECT redemption_id, count(*) AS times FROM redemption_uses GROUP BY redemption_id) AS uses
          ON uses.redemption_id = redemptions.id
      WHERE (status = ${REDEMPTION_USED}) <> (used_count >= most_uses) OR (used_count > 0) <> (redeemed_time > 0)
        OR (redeemed_time > 0) <> (redeemed_by > 0) OR used_count <> coalesce(times, 0)
        OR used_count > 0 AND NOT EXISTS (SELECT 1 FROM redemption_uses AS newest
          WHERE newest.redemption_id = redemptions.id AND newest.user_id = redeemed_by AND newest.used_at = redeemed_time
            AND (status <> ${REDEMPTION_USED} OR newest.quota = redemptions.quota))`,
  },
  {
    code: "redemption-ledger",
    query: `SELECT * FROM (SELECT id AS redemption, used_count AS used,
        (SELECT count(*) FROM ledger_entries AS entry WHERE entry.cause = 'redeemed' AND ${beginsWith(CODE)}) AS times
        FROM redemptions) AS given WHERE times > used`,
  },
  {
    // Uses from before the ledger, or on a node of an older version, are part of their user's opening entry, or
    // unexplained.
    code: "redemption-unbooked",
    query: `SELECT redemption_id AS redemption, user_id AS "user", quota FROM redemption_uses AS one
      WHERE used_at >= (SELECT min(created_at) FROM ledger_entries)
        AND NOT EXISTS (SELECT 1 FROM ledger_entries AS entry WHERE entry.cause = 'redeemed'
          AND ${beginsWith(text("one.redemption_id"))} AND entry.user_id = one.user_id AND entry.amount = one.quota
          AND entry.created_at = one.used_at)
        AND NOT EXISTS (SELECT 1 FROM ledger_entries AS entry
          WHERE entry.user_id = one.user_id AND entry.cause IN ('opening', 'imported', 'unexplained') AND entry.account = 'balance')`,
  },
];

/** All of it. @param hasLeases whether several nodes may lease some of the balances: there are tables of it then. */
export const moneyRules = (hasLeases: boolean): readonly MoneyRule[] => [
  ...balanceRules(hasLeases),
  ...LEDGER_RULES,
  ...ORDER_RULES,
  ...PLAN_RULES,
  ...LIMIT_RULES,
  ...COMMISSION_RULES,
  ...CODE_RULES,
  ...REQUEST_RULES,
];
