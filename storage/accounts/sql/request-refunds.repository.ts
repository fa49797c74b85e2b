import type {
  NewRequestRefund,
  RefundedBy,
  RequestRefund,
} from "@tollgate/contract/records/request-refund-record";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { type Kysely, sql } from "kysely";
import { REFUNDED } from "../../outbox/log-content";
import type { SqlDialect } from "../../sql/dialect";
import { fieldsOf } from "../../sql/row-names";
import { wholeSum } from "../../sql/whole-sum";
import type { RequestRefundChanges, RequestRefundQueries } from "../money-ports";
import { insertRequestLine } from "./account-lines";
import { moveBalance } from "./move-balance";
import { returnToPlans } from "./plan-money";
import type { Row, Tables } from "./tables";

const toRefund = ({ token_id, channel_id, model_name, ...row }: Row<"request_refunds">): RequestRefund =>
  fieldsOf(row);

const find = async (db: Kysely<Tables>, requestId: string): Promise<RequestRefund | undefined> => {
  const row = await db
    .selectFrom("request_refunds")
    .selectAll()
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  return row && toRefund(row);
};

/** Hours as the log sums them up. */
const HOUR_SECONDS = 3600;

const SUM = sql<number>`${sql.raw(wholeSum("quota"))}`;

export const requestRefundReads = (db: Kysely<Tables>): RequestRefundQueries => ({
  find: (requestId) => find(db, requestId),

  async ofUser(userId, from, end) {
    const earlier = await db
      .selectFrom("request_refunds")
      .select(SUM.as("quota"))
      .where("user_id", "=", userId)
      .where("created_at", "<", from)
      .executeTakeFirst();
    const rows = await db
      .selectFrom("request_refunds")
      .select(["model_name", "token_id", SUM.as("quota")])
      .where("user_id", "=", userId)
      .where("created_at", ">=", from)
      .where("created_at", "<", end)
      .groupBy(["model_name", "token_id"])
      .execute();
    const by = (key: (row: (typeof rows)[number]) => string): RefundedBy[] => {
      const sums = new Map<string, number>();
      for (const row of rows) sums.set(key(row), (sums.get(key(row)) ?? 0) + row.quota);
      return [...sums].map(([each, quota]) => ({ key: each, quota }));
    };
    return {
      before: earlier?.quota ?? 0,
      models: by(({ model_name: model }) => model),
      tokens: by(({ token_id: id }) => String(id)),
    };
  },

  async since(moment) {
    const hour = sql<number>`created_at - created_at % ${sql.raw(String(HOUR_SECONDS))}`;
    const rows = await db
      .selectFrom("request_refunds")
      .select(["user_id", "token_id", hour.as("from"), SUM.as("quota")])
      .where("created_at", ">=", moment - (moment % HOUR_SECONDS))
      .groupBy(["user_id", "token_id", hour])
      .execute();
    return rows.map((row) => fieldsOf(row));
  },
});

/**
 * Returns quota to a key as the reversal of a charge does: its use falls, and what it had taken from the key's own limit
 * is there again. The limit itself stays.
 * @returns the quota that the limit has back.
 */
const returnToKey = async (
  db: Kysely<Tables>,
  { keyId, userId, quota, mostOfKey }: NewRequestRefund,
): Promise<number> => {
  const key = await db
    .updateTable("tokens")
    .set((eb) => ({ remain_quota: eb.ref("remain_quota") }))
    .where("id", "=", keyId)
    .where("user_id", "=", userId)
    .returning(["unlimited_quota", "taken_quota", "untaken_quota"])
    .executeTakeFirst();
  if (!key) return 0;
  // Storage does not know whether a key had its limit at the time of the charge. Use that no limit paid for stays so.
  const wanted = key.unlimited_quota === 1 ? 0 : Math.min(quota, mostOfKey);
  const back = Math.min(quota, key.taken_quota, Math.max(wanted, quota - key.untaken_quota));
  await db
    .updateTable("tokens")
    .set((eb) => ({
      remain_quota: eb("remain_quota", "+", back),
      taken_quota: eb("taken_quota", "-", back),
      untaken_quota: eb("untaken_quota", "-", quota - back),
      used_quota: eb("used_quota", "-", quota),
    }))
    .where("id", "=", keyId)
    .execute();
  return back;
};

/** The line of a refund: it lowers what its payer, model and channel have brought, and counts as no request. */
const addLine = (db: Kysely<Tables>, wanted: NewRequestRefund): Promise<void> => {
  const { requestId, createdAt, userId, username, keyId, keyName, channelId, modelName } = wanted;
  return insertRequestLine(db, {
    ...{ requestId, createdAt, userId, username, channelId, modelName },
    tokenId: keyId,
    tokenName: keyName,
    count: "answered",
    isLogged: wanted.isLogged,
    isStream: false,
    durationMs: 0,
    firstByteMs: undefined,
    promptTokens: 0,
    completionTokens: 0,
    quota: 0 - wanted.quota,
    cost: wanted.hasCost ? 0 : undefined,
    content: REFUNDED,
    // The request has its receipt already.
    receipt: "",
    use: wanted.isLogged ? { shape: "", shortfall: 0, values: [] } : undefined,
  });
};

/** Lowers the use that people see of a channel, and remembers by how much: its windows count charges. */
const returnToChannel = async (db: Kysely<Tables>, { channelId, quota }: NewRequestRefund): Promise<void> => {
  const taken = sql<number>`CASE WHEN used_quota > ${quota} THEN ${quota} ELSE used_quota END`;
  await db
    .updateTable("channels")
    .set({
      used_quota: sql<number>`used_quota - ${taken}`,
      refunded_quota: sql<number>`CASE WHEN refunded_quota > ${MAX_QUOTA} - ${taken} THEN ${MAX_QUOTA}
        ELSE refunded_quota + ${taken} END`,
    })
    .where("id", "=", channelId)
    .execute();
};

/** Rows are locked in the order of charges: the user, the key, the channel. */
export const requestRefundWrites = (db: Kysely<Tables>, dialect: SqlDialect): RequestRefundChanges => ({
  refund: (wanted) =>
    db.transaction().execute(async (transaction) => {
      const { requestId, userId, charged, quota, channelId, chargedAt } = wanted;
      const { actorId, actorName, reason, createdAt } = wanted;
      // A write, so that another refund of the request waits here and finds this one.
      await transaction
        .updateTable("users")
        .set((eb) => ({ quota: eb.ref("quota") }))
        .where("id", "=", userId)
        .execute();
      const before = await find(transaction, requestId);
      if (before) return { kind: "before", refund: before };
      const planQuota = await returnToPlans(transaction, dialect, userId, quota, chargedAt, createdAt);
      const movement = {
        cause: "request-refund",
        reference: requestId,
        actorId,
        at: createdAt,
        reason,
      } as const;
      const isMoved = await moveBalance(
        transaction,
        { of: "user", id: userId },
        { difference: quota, movement },
      );
      if (!isMoved) throw new Error(`an entry of the ledger stands already: request ${requestId}`);
      const keyQuota = await returnToKey(transaction, wanted);
      await returnToChannel(transaction, wanted);
      const columns = { request_id: requestId, user_id: userId, charged, quota, reason };
      await transaction
        .insertInto("request_refunds")
        .values({
          ...columns,
          token_id: wanted.keyId,
          channel_id: channelId,
          model_name: wanted.modelName,
          key_quota: keyQuota,
          plan_quota: planQuota,
          actor_id: actorId,
          actor_name: actorName,
          created_at: createdAt,
        })
        .execute();
      await addLine(transaction, wanted);
      const refund = {
        ...{ requestId, userId, charged, quota, keyQuota, planQuota },
        ...{ actorId, actorName, reason, createdAt },
      };
      return { kind: "refunded", refund };
    }),
});
