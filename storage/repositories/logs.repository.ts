import type { Log, LogFilter } from "@tollgate/contract/control/log";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Kysely, Selectable, SelectQueryBuilder } from "kysely";
import type { LogsTable, Tables } from "../schema/tables";

export type NewLog = Omit<Log, "id"> & { requestId: string };

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

  /** The quota of all consume logs that the filter leaves (contract section 1.9). */
  async consumedQuota(filter: LogFilter): Promise<number> {
    const row = await narrow(
      db.selectFrom("logs").select((eb) => eb.fn.sum<number | null>("quota").as("quota")),
      { ...filter, type: filter.type ?? LOG_CONSUME },
    ).executeTakeFirst();
    return row?.quota ?? 0;
  },
});

export const logWrites = (db: Kysely<Tables>) => ({
  async add(logs: NewLog[]): Promise<void> {
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
  },
});
