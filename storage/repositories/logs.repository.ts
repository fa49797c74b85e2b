import type { Log, LogFilter } from "@tollgate/contract/control/log";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Kysely, Selectable, SelectQueryBuilder } from "kysely";
import { sql } from "kysely";
import type { LogsTable, Tables } from "../schema/tables";
import { likePrefix } from "./like-prefix";

export type NewLog = Omit<Log, "id"> & { requestId: string };

/** A log line about an account rather than a request. */
export const accountLog = (
  type: number,
  userId: number,
  username: string,
  content: string,
  createdAt: number,
): NewLog => ({
  userId,
  createdAt,
  type,
  content,
  username,
  tokenName: "",
  modelName: "",
  quota: 0,
  promptTokens: 0,
  completionTokens: 0,
  channelId: 0,
  requestId: "",
});

const toLog = (row: Selectable<LogsTable>): Log => ({
  id: row.id,
  userId: row.user_id,
  createdAt: row.created_at,
  type: row.type,
  content: row.content,
  username: row.username,
  tokenName: row.token_name,
  modelName: row.model_name,
  quota: row.quota,
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  channelId: row.channel_id,
});

const narrow = <O>(query: SelectQueryBuilder<Tables, "logs", O>, filter: LogFilter) => {
  let narrowed = query;
  if (filter.userId !== undefined) narrowed = narrowed.where("user_id", "=", filter.userId);
  if (filter.type !== undefined) narrowed = narrowed.where("type", "=", filter.type);
  if (filter.username !== undefined) narrowed = narrowed.where("username", "=", filter.username);
  if (filter.tokenName !== undefined) narrowed = narrowed.where("token_name", "=", filter.tokenName);
  if (filter.modelName !== undefined) narrowed = narrowed.where("model_name", "=", filter.modelName);
  if (filter.channelId !== undefined) narrowed = narrowed.where("channel_id", "=", filter.channelId);
  if (filter.startTimestamp !== undefined)
    narrowed = narrowed.where("created_at", ">=", filter.startTimestamp);
  if (filter.endTimestamp !== undefined) narrowed = narrowed.where("created_at", "<=", filter.endTimestamp);
  return narrowed;
};

export const logReads = (db: Kysely<Tables>) => ({
  /** One page, the newest first. */
  async page(filter: LogFilter, offset: number, limit: number): Promise<Log[]> {
    const rows = await narrow(db.selectFrom("logs").selectAll(), filter)
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map(toLog);
  },

  /** The newest lines whose type is `keyword` or whose text begins with it (contract section 1.9). */
  async search(keyword: string, userId: number | undefined, limit: number): Promise<Log[]> {
    const type = /^\d{1,9}$/.test(keyword) ? Number(keyword) : -1;
    let query = db.selectFrom("logs").selectAll();
    if (userId === undefined) {
      query = query.where((eb) =>
        eb.or([eb("type", "=", type), sql<boolean>`content LIKE ${likePrefix(keyword)} ESCAPE '\\'`]),
      );
    } else {
      query = query.where("user_id", "=", userId).where("type", "=", type);
    }
    return (await query.orderBy("id", "desc").limit(limit).execute()).map(toLog);
  },

  /** The quota of all consume logs that the filter leaves (contract section 1.9). */
  async consumedQuota(filter: LogFilter): Promise<number> {
    const row = await narrow(
      db.selectFrom("logs").select((eb) => eb.fn.sum<number | null>("quota").as("quota")),
      { ...filter, type: filter.type ?? LOG_CONSUME },
    ).executeTakeFirst();
    return row?.quota ?? 0;
  },
});

/** Adds log lines in their order, within the caller's transaction. */
export const insertLogs = async (db: Kysely<Tables>, logs: NewLog[]): Promise<void> => {
  for (const log of logs) {
    await db
      .insertInto("logs")
      .values({
        user_id: log.userId,
        created_at: log.createdAt,
        type: log.type,
        content: log.content,
        username: log.username,
        token_name: log.tokenName,
        model_name: log.modelName,
        quota: log.quota,
        prompt_tokens: log.promptTokens,
        completion_tokens: log.completionTokens,
        channel_id: log.channelId,
        request_id: log.requestId,
      })
      .execute();
  }
};

export const logWrites = (db: Kysely<Tables>) => ({
  async add(logs: NewLog[]): Promise<void> {
    await db.transaction().execute((transaction) => insertLogs(transaction, logs));
  },

  /** Deletes what is older than a moment (unix seconds). @returns how many lines. */
  async clearBefore(timestamp: number): Promise<number> {
    const result = await db.deleteFrom("logs").where("created_at", "<", timestamp).executeTakeFirst();
    return Number(result.numDeletedRows);
  },
});
