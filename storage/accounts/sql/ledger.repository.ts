import type { LedgerEntry, LedgerFilter } from "@tollgate/contract/management/ledger";
import { type Kysely, sql } from "kysely";
import { wholeSum } from "../../sql/whole-sum";
import type { LedgerBeginning, LedgerQueries, MovedQuota } from "../ports";
import type { Tables } from "./tables";

/** Entries that a filter leaves, with the names that users and keys have now. */
const entries = (db: Kysely<Tables>, { userId, account, cause, from, to }: LedgerFilter) =>
  db
    .selectFrom("ledger_entries")
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom("users")
        .select("username")
        .whereRef("users.id", "=", "ledger_entries.user_id")
        .as("username"),
      eb
        .selectFrom("users")
        .select("username")
        .whereRef("users.id", "=", "ledger_entries.actor_id")
        .as("actor_name"),
      eb
        .selectFrom("tokens")
        .select("name")
        .whereRef("tokens.id", "=", "ledger_entries.key_id")
        .as("key_name"),
    ])
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
    .$if(account !== undefined, (query) => query.where("account", "=", account ?? "balance"))
    .$if(cause !== undefined, (query) => query.where("cause", "=", cause ?? "opening"))
    .$if(from !== undefined, (query) => query.where("created_at", ">=", from ?? 0))
    .$if(to !== undefined, (query) => query.where("created_at", "<=", to ?? 0))
    .orderBy("id", "desc");

type Row = Awaited<ReturnType<ReturnType<typeof entries>["execute"]>>[number];

const toEntry = (row: Row): LedgerEntry => ({
  id: row.id,
  createdAt: row.created_at,
  userId: row.user_id,
  username: row.username ?? "",
  account: row.account,
  keyId: row.key_id,
  keyName: row.key_name ?? "",
  amount: row.amount,
  cause: row.cause,
  reference: row.reference ?? "",
  actorId: row.actor_id,
  actorName: row.actor_name ?? "",
  reason: row.reason,
});

export const ledgerReads = (db: Kysely<Tables>): LedgerQueries => ({
  async page(filter: LedgerFilter, offset: number, limit: number): Promise<LedgerEntry[]> {
    return (await entries(db, filter).offset(offset).limit(limit).execute()).map(toEntry);
  },

  async moved(userId: number, from: number, end?: number): Promise<MovedQuota[]> {
    return await db
      .selectFrom("ledger_entries")
      .select((eb) => [
        "cause",
        eb.fn.countAll<number>().as("entries"),
        sql<number>`${sql.raw(wholeSum("amount"))}`.as("quota"),
      ])
      .where("user_id", "=", userId)
      .where("account", "=", "balance")
      .where("created_at", ">=", from)
      .$if(end !== undefined, (query) => query.where("created_at", "<", end ?? 0))
      .groupBy("cause")
      .orderBy("cause")
      .execute();
  },

  async total(userId: number, from: number, end?: number): Promise<number> {
    const row = await db
      .selectFrom("ledger_entries")
      .select(sql<number | null>`${sql.raw(wholeSum("amount"))}`.as("quota"))
      .where("user_id", "=", userId)
      .where("account", "=", "balance")
      .where("created_at", ">=", from)
      .$if(end !== undefined, (query) => query.where("created_at", "<", end ?? 0))
      .executeTakeFirstOrThrow();
    return row.quota ?? 0;
  },

  async beginning(userId: number): Promise<LedgerBeginning | undefined> {
    const user = await db
      .selectFrom("users")
      .select("unlogged_quota")
      .where("id", "=", userId)
      .executeTakeFirst();
    if (!user) return undefined;
    const moves = db
      .selectFrom("ledger_entries")
      .where("user_id", "=", userId)
      .where("account", "=", "balance");
    const brought = await moves
      .select("created_at")
      .where("cause", "in", ["opening", "imported"])
      .executeTakeFirst();
    const first = await moves.select("created_at").orderBy("created_at").limit(1).executeTakeFirst();
    return { at: brought?.created_at, first: first?.created_at, unlogged: user.unlogged_quota };
  },

  async before(filter: LedgerFilter, id: number, limit: number): Promise<LedgerEntry[]> {
    return (await entries(db, filter).where("id", "<", id).limit(limit).execute()).map(toEntry);
  },
});
