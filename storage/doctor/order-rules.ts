import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { wholeSum } from "../sql/whole-sum";
import { beginsWith, booked, bookedFor, isThere, type MoneyRule, PAID, text } from "./money-rule";

/** The ordered terms of a plan equal those of the subscription, and cost the order's quota. */
const areTermsBroken = ({
  terms,
  quota,
  undiscounted,
  began,
  price,
  included,
}: Readonly<Record<string, unknown>>): boolean => {
  const ordered = tryParseJson(String(terms));
  if (ordered === undefined) return true;
  if (typeof ordered !== "object" || ordered === null || !("price" in ordered) || !("quota" in ordered))
    return true;
  // Paid without its discount, which was over, it gave the quota of the money.
  if (Number(undiscounted) > 0 ? Number(ordered.price) < Number(quota) : ordered.price !== Number(quota))
    return true;
  return Number(began) > 0 && (ordered.price !== Number(price) || ordered.quota !== Number(included));
};

const REFUND = text("order_refunds.id");

/** Money of an order that did not go back. */
const STILL_PAID = `CASE WHEN orders.refunded + orders.disputed >= orders.amount THEN 0
  ELSE orders.amount - orders.refunded - orders.disputed END`;

const OF_BUYER = "entry.account = 'balance' AND entry.user_id = orders.user_id";

/** Orders and refunds: a payment grants quota once, and quota taken for refunded money is in the ledger. */
export const ORDER_RULES: readonly MoneyRule[] = [
  {
    code: "order-given",
    query: `SELECT * FROM (SELECT number AS "order", user_id AS "user", state, quota, promotion_bonus, paid_at,
        ${bookedFor("payment", text("orders.id"), OF_BUYER)} AS entered,
        ${bookedFor("promotion", text("orders.id"), OF_BUYER)} AS promoted
        FROM orders) AS given
      WHERE (paid_at > 0) <> (state IN ${PAID})
        OR entered <> CASE WHEN paid_at > 0 THEN quota - promotion_bonus ELSE 0 END
        OR promoted <> CASE WHEN paid_at > 0 THEN promotion_bonus ELSE 0 END`,
  },
  {
    code: "order-state",
    query: `SELECT number AS "order", user_id AS "user", state, amount, refunded, disputed, quota, taken FROM orders
      WHERE refunded < 0 OR disputed < 0 OR refunded > amount OR disputed > amount OR taken < 0 OR taken > quota
        OR plan_back < 0 OR plan_back > quota OR bonus < 0 OR bonus > quota
        OR discount < 0 OR promotion_bonus < 0 OR promotion_bonus > bonus OR plan_id > 0 AND bonus <> 0
        OR state NOT IN ${PAID} AND (refunded + disputed > 0 OR taken > 0 OR plan_back > 0)
        OR state = 'paid' AND refunded + disputed > 0
        OR state = 'partly-refunded' AND (refunded + disputed = 0 OR refunded + disputed >= amount)
        OR state = 'refunded' AND refunded + disputed < amount`,
  },
  {
    code: "order-back",
    query: `SELECT number AS "order", user_id AS "user", orders.refunded, orders.disputed, coalesce(back.refunded, 0) AS sent,
        coalesce(back.disputed, 0) AS claimed
      FROM orders LEFT JOIN (SELECT order_id, ${wholeSum("CASE WHEN kind = 'dispute' THEN 0 ELSE amount END")} AS refunded,
          ${wholeSum("CASE WHEN kind = 'dispute' THEN amount ELSE 0 END")} AS disputed
          FROM order_refunds WHERE state NOT IN ('failed', 'returned') GROUP BY order_id) AS back ON back.order_id = orders.id
      WHERE orders.refunded <> coalesce(back.refunded, 0) OR orders.disputed <> coalesce(back.disputed, 0)`,
  },
  {
    code: "order-taken",
    query: `SELECT number AS "order", user_id AS "user", orders.taken, coalesce(parts.entered, 0) AS entered
      FROM orders LEFT JOIN (SELECT order_id, 0 - ${wholeSum("entry.amount")} AS entered FROM order_refunds
          JOIN ledger_entries AS entry ON entry.cause = 'payment-refund' AND entry.account IN ('balance', 'parked')
            AND ${beginsWith(REFUND)}
          GROUP BY order_id) AS parts ON parts.order_id = orders.id
      WHERE orders.taken <> coalesce(parts.entered, 0)`,
  },
  {
    code: "refund-ledger",
    query: `SELECT * FROM (SELECT coalesce(orders.number, '#' || ${text("order_id")}) AS "order", coalesce(orders.user_id, 0) AS "user",
        order_refunds.id AS refund, order_refunds.taken, order_refunds.missing, coalesce(orders.quota, -1) AS quota,
        0 - ${booked(`entry.cause = 'payment-refund' AND ${beginsWith(REFUND)} AND entry.reference <> ${REFUND} || '/undone'
          AND entry.user_id = orders.user_id`)}
          AS entered
        FROM order_refunds LEFT JOIN orders ON orders.id = order_refunds.order_id) AS refunds
      WHERE taken <> entered OR missing < 0 OR taken + missing > quota`,
  },
  {
    code: "order-plan",
    query: `SELECT number AS "order", user_id AS "user" FROM orders
      WHERE plan_id > 0 AND paid_at > 0 AND (subscription_id > 0) = (plan_fault <> '')
        OR (plan_id = 0 OR paid_at = 0) AND (subscription_id > 0 OR plan_fault <> '')`,
  },
  {
    code: "order-terms",
    query: `SELECT number AS "order", orders.user_id AS "user", orders.quota, plan_terms AS terms, coalesce(began.id, 0) AS began,
        began.price, began.quota AS included, (SELECT count(*) FROM promotion_uses AS uses
          WHERE uses.order_id = orders.id AND uses.state = 'returned' AND plan_fault <> '') AS undiscounted
      FROM orders LEFT JOIN subscriptions AS began ON began.id = orders.subscription_id WHERE orders.plan_id > 0`,
    isBroken: areTermsBroken,
  },
  {
    code: "order-subscription",
    query: `SELECT number AS "order", orders.user_id AS "user", subscription_id AS named, coalesce(began.id, 0) AS began
      FROM orders LEFT JOIN subscriptions AS began ON began.reference = 'order:' || ${text("orders.id")} AND began.source = 'payment'
      WHERE subscription_id <> coalesce(began.id, 0) AND ${isThere("orders.user_id")}`,
  },
  {
    // A promotion counts its uses and their effects, within its bounds; a bound may be lowered later.
    code: "promotion-uses",
    query: `SELECT * FROM (SELECT promotions.id AS promotion, used_count, used_total, count(uses.id) AS uses,
          coalesce(${wholeSum("uses.quota")}, 0) AS total
        FROM promotions LEFT JOIN promotion_uses AS uses ON uses.promotion_id = promotions.id AND uses.state <> 'returned'
        GROUP BY promotions.id, used_count, used_total) AS counted
      WHERE used_count <> uses OR used_total <> total`,
  },
  {
    // A reservation lasts as long as its order is open; a paid order uses its promotions, or has none. Those with uses stay.
    code: "promotion-orders",
    query: `SELECT uses.id AS use, uses.promotion_id AS promotion, coalesce(orders.number, '') AS "order", uses.state AS used,
        coalesce(orders.state, '') AS state
      FROM promotion_uses AS uses LEFT JOIN orders ON orders.id = uses.order_id
      WHERE uses.order_id > 0 AND (orders.id IS NULL OR (uses.state = 'reserved') <> (orders.state = 'pending')
          OR (uses.state = 'used') <> (orders.paid_at > 0 AND orders.promotions <> ''))
        OR NOT EXISTS (SELECT 1 FROM promotions WHERE promotions.id = uses.promotion_id)
        OR uses.order_id = 0 AND (uses.state <> 'used' OR uses.quota <>
          ${bookedFor("promotion", `'use/' || ${text("uses.id")}`, "entry.account = 'balance' AND entry.user_id = uses.user_id")})`,
  },
  {
    code: "order-plan-back",
    query: `SELECT * FROM (SELECT number AS "order", user_id AS "user", plan_back AS back,
        ${booked(`entry.cause = 'plan-refund' AND entry.user_id = orders.user_id AND ${beginsWith(text("orders.subscription_id"))}`)}
          AS entered
        FROM orders WHERE subscription_id > 0 OR plan_back <> 0) AS ended
      WHERE back <> entered`,
  },
  {
    // The amount of an application is that of its orders; an issued invoice over more than was paid is marked.
    code: "invoice-orders",
    query: `SELECT * FROM (SELECT invoices.id AS invoice, invoices.user_id AS "user", invoices.state, invoices.amount,
          needs_reversal, count(part.id) AS orders, count(part.live_order_id) AS live,
          coalesce(${wholeSum("part.amount")}, 0) AS parts,
          coalesce(${wholeSum(STILL_PAID)}, 0) AS paid
        FROM invoices LEFT JOIN invoice_orders AS part ON part.invoice_id = invoices.id
          LEFT JOIN orders ON orders.id = part.order_id
        GROUP BY invoices.id, invoices.user_id, invoices.state, invoices.amount, needs_reversal) AS applications
      WHERE orders = 0 OR amount <> parts OR live <> CASE WHEN state IN ('open', 'issued') THEN orders ELSE 0 END
        OR state = 'open' AND amount <> paid
        OR needs_reversal <> CASE WHEN state = 'issued' AND paid < amount THEN 1 ELSE 0 END`,
  },
];
