import { COMMISSION_SORTS, PAYOUT_SORTS } from "@tollgate/contract/api/invitations";
import type { Payout } from "@tollgate/contract/records/commission-record";
import { type Kysely, sql } from "kysely";
import { fieldsOf } from "../../sql/row-names";
import { readPage, storedColumns, userNameColumn } from "../../sql/sort-rows";
import { wholeSum } from "../../sql/whole-sum";
import type { CommissionQueries } from "../money-ports";
import type { Row, Tables } from "./tables";

/** @param username, actorName "" for users that are gone, or not asked for. */
export const toPayout = (
  { actor_id, ...row }: Row<"payouts"> & { missing?: number | null },
  username: string,
  actorName: string,
): Payout => ({
  ...fieldsOf(row),
  username,
  actorName,
  missing: row.missing ?? 0,
});

const nameOf = (column: "user_id" | "inviter_id" | "actor_id", table: "commissions" | "payouts") =>
  sql<string | null>`(SELECT username FROM users WHERE users.id = ${sql.ref(`${table}.${column}`)})`;

const summary =
  (db: Kysely<Tables>): CommissionQueries["summary"] =>
  async (userId) => {
    const account = await db
      .selectFrom("commission_accounts")
      .selectAll()
      .where("user_id", "=", userId)
      .executeTakeFirst();
    const { invited } = await db
      .selectFrom("users")
      .select((eb) => eb.fn.countAll<number>().as("invited"))
      .where("inviter_id", "=", userId)
      .executeTakeFirstOrThrow();
    const { earned, missing } = await db
      .selectFrom("commissions")
      .select([
        sql<number>`coalesce(${sql.raw(wholeSum("amount - taken_back"))}, 0)`.as("earned"),
        sql<number>`coalesce(${sql.raw(wholeSum("missing"))}, 0)`.as("missing"),
      ])
      .where("inviter_id", "=", userId)
      .executeTakeFirstOrThrow();
    const { gifts } = await db
      .selectFrom("ledger_entries")
      .select(sql<number>`coalesce(${sql.raw(wholeSum("amount"))}, 0)`.as("gifts"))
      .where("user_id", "=", userId)
      .where("cause", "=", "inviter-gift")
      .executeTakeFirstOrThrow();
    return {
      invited: Number(invited),
      earned,
      gifts,
      commission: account?.commission ?? 0,
      payout: account?.payout ?? 0,
      missing,
    };
  };

const invited =
  (db: Kysely<Tables>): CommissionQueries["invited"] =>
  async (userId, offset, limit, sort) => {
    const earned = sql<number>`(SELECT coalesce(${sql.raw(wholeSum("amount - taken_back"))}, 0) FROM commissions
      WHERE commissions.user_id = users.id AND commissions.inviter_id = ${userId})`;
    const found = db
      .selectFrom("users")
      .select(["id", "username", "created_time", earned.as("earned")])
      .where("inviter_id", "=", userId);
    const rows = await readPage(
      found,
      sort,
      { created_time: sql.ref("created_time"), earned },
      { offset, limit },
    );
    return rows.map((row) => ({
      id: row.id,
      username: row.username,
      createdAt: row.created_time,
      earned: Number(row.earned ?? 0),
    }));
  };

const commissions =
  (db: Kysely<Tables>): CommissionQueries["commissions"] =>
  async (offset, limit, sort) => {
    const all = db
      .selectFrom("commissions")
      .selectAll()
      .select([
        nameOf("inviter_id", "commissions").as("inviter"),
        nameOf("user_id", "commissions").as("username"),
      ]);
    const rows = await readPage(
      all,
      sort,
      {
        ...storedColumns(COMMISSION_SORTS),
        created_time: sql.ref("created_at"),
        inviter: userNameColumn("commissions.inviter_id"),
        username: userNameColumn("commissions.user_id"),
      },
      { offset, limit },
    );
    return rows.map((row) => ({
      ...fieldsOf(row),
      inviter: row.inviter ?? "",
      username: row.username ?? "",
    }));
  };

const payouts =
  (db: Kysely<Tables>): CommissionQueries["payouts"] =>
  async ({ userId, state }, offset, limit, sort) => {
    const missing = sql<number>`(SELECT coalesce(${sql.raw(wholeSum("missing"))}, 0) FROM commissions
      WHERE commissions.inviter_id = payouts.user_id)`;
    const found = db
      .selectFrom("payouts")
      .selectAll()
      .select([
        nameOf("user_id", "payouts").as("username"),
        nameOf("actor_id", "payouts").as("actor_name"),
        missing.as("missing"),
      ])
      .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
      .$if(state !== undefined, (query) => query.where("state", "=", state ?? "asked"));
    const rows = await readPage(
      found,
      sort,
      {
        ...storedColumns(PAYOUT_SORTS),
        created_time: sql.ref("created_at"),
        username: userNameColumn("payouts.user_id"),
        missing,
      },
      { offset, limit },
    );
    return rows.map((row) => toPayout(row, row.username ?? "", row.actor_name ?? ""));
  };

export const commissionReads = (db: Kysely<Tables>): CommissionQueries => ({
  summary: summary(db),
  invited: invited(db),
  commissions: commissions(db),
  payouts: payouts(db),
});
