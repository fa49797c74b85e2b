import type { LogFilter } from "@tollgate/contract/management/log";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { Connection } from "../../sqlite/connection";
import { NO_TOKEN } from "./line-writer";
import { readState } from "./log-state";

/** A filter in the log file's own numbers. */
export interface ResolvedFilter {
  userId: number | undefined;
  /** Those whose names fit; undefined when no name is asked for. */
  payerIds: number[] | undefined;
  modelId: number | undefined;
  channelId: number | undefined;
  type: number | undefined;
  /** Unix seconds, both inclusive. */
  from: number;
  to: number;
}

/** A part of a WHERE clause with its parameters. */
export interface Conditions {
  sql: string;
  parameters: (number | string)[];
}

/** Later than everything. */
export const END_OF_TIME = 9_000_000_000_000;

/** Above this many payers it costs less to look at everything than to look each of them up. */
export const MANY_PAYERS = 200;

const findPayers = (connection: Connection, filter: LogFilter): number[] => {
  const conditions: string[] = [];
  const parameters: (number | string)[] = [];
  const add = (column: string, value: number | string | undefined): void => {
    if (value === undefined) return;
    conditions.push(`${column} = ?`);
    parameters.push(value);
  };
  add("user_id", filter.userId);
  add("username", filter.username);
  add("token_name", filter.tokenName);
  if (filter.type === LOG_CONSUME) conditions.push(`token_id <> ${NO_TOKEN}`);
  const rows = connection
    .prepare(`SELECT id FROM payers WHERE ${conditions.join(" AND ")} ORDER BY id`)
    .all(...parameters) as { id: number }[];
  return rows.map(({ id }) => id);
};

/**
 * Looks the filter's names up.
 * @param isAboutLines lines of before the last clearing are gone, their sums are not.
 * @returns undefined when there is a name that no line ever had: nothing can be found.
 */
export const resolveFilter = (
  connection: Connection,
  filter: LogFilter,
  isAboutLines: boolean,
): ResolvedFilter | undefined => {
  let modelId: number | undefined;
  if (filter.modelName !== undefined) {
    const row = connection.prepare("SELECT id FROM models WHERE name = ?").get(filter.modelName);
    if (row === undefined) return undefined;
    modelId = (row as { id: number }).id;
  }
  let payerIds: number[] | undefined;
  let { userId } = filter;
  if (userId !== undefined || filter.username !== undefined || filter.tokenName !== undefined) {
    payerIds = findPayers(connection, filter);
    if (payerIds.length === 0) return undefined;
    if (userId === undefined) {
      const users = connection
        .prepare(
          "SELECT DISTINCT user_id AS id FROM payers WHERE id IN (SELECT value FROM json_each(?)) LIMIT 2",
        )
        .all(JSON.stringify(payerIds)) as { id: number }[];
      // One user's lines have an index of their own.
      if (users.length === 1) userId = users[0]?.id;
    }
  }
  return {
    userId,
    payerIds,
    modelId,
    channelId: filter.channelId,
    type: filter.type,
    from: Math.max(filter.startTimestamp ?? 0, isAboutLines ? readState(connection, "cleared-before") : 0),
    to: filter.endTimestamp ?? END_OF_TIME,
  };
};

/** Whether the filter asks for a model or a channel, by which the payers' own sums are not told apart. */
export const hasSubject = ({ modelId, channelId }: ResolvedFilter): boolean =>
  modelId !== undefined || channelId !== undefined;

/** The smallest table of everybody's sums by the hour that tells models and channels apart as far as is asked for. */
export const siteTable = (hasModel: boolean, hasChannel: boolean): string => {
  if (hasModel) return hasChannel ? "site_hours" : "model_hours";
  return "channel_hours";
};

/** Model and channel, which lines, receipts and sums all have. */
export const subjectConditions = ({ modelId, channelId }: ResolvedFilter): Conditions => {
  let sql = "";
  const parameters: number[] = [];
  if (modelId !== undefined) {
    sql += " AND model_id = ?";
    parameters.push(modelId);
  }
  if (channelId !== undefined) {
    sql += " AND channel_id = ?";
    parameters.push(channelId);
  }
  return { sql, parameters };
};

/** Everything but the time, for lines. */
export const lineConditions = (resolved: ResolvedFilter): Conditions => {
  const { userId, payerIds, type } = resolved;
  const subject = subjectConditions(resolved);
  let { sql } = subject;
  const parameters: (number | string)[] = [...subject.parameters];
  if (userId !== undefined) {
    sql += " AND user_id = ?";
    parameters.push(userId);
  }
  if (payerIds !== undefined) {
    sql += " AND payer_id IN (SELECT value FROM json_each(?))";
    parameters.push(JSON.stringify(payerIds));
  }
  if (type !== undefined) {
    sql += " AND type = ?";
    parameters.push(type);
  }
  return { sql, parameters };
};
