import type { LogFilter, LogOutcome } from "@tollgate/contract/api/logs";
import { LOG_CONSUME, LOG_ERROR } from "@tollgate/contract/values/statuses";
import type { SqlPart, SqlRunner, SqlValue } from "../../sql/sql-runner";
import { HOUR_SECONDS } from "../hours";
import { readState } from "./log-state";
import { NO_TOKEN } from "./no-request";

/** A name that has sums of its own (./key-names.ts). */
export interface SharedName {
  id: number;
  /** Hours of before this moment (unix seconds) are not in them. */
  since: number;
}

/** A filter in the log's own numbers. */
export interface ResolvedFilter {
  userId: number | undefined;
  /** Payers whose names match; undefined without a filter by name. */
  payerIds: number[] | undefined;
  /** Where a key's name is all that payers are asked by, and it has sums of its own. */
  sharedName: SharedName | undefined;
  modelId: number | undefined;
  channelId: number | undefined;
  type: number | undefined;
  /** Whether only interrupted requests are left, or only others; undefined without a filter by outcome. */
  isInterrupted: boolean | undefined;
  /** Whether only answers that named another model are left. */
  isOtherModel: boolean;
  /** Unix seconds, both inclusive. */
  from: number;
  to: number;
}

/** Later than everything. */
export const END_OF_TIME = 9_000_000_000_000;

/** Above this many payers it costs less to look at everything than to look each of them up. */
export const MANY_PAYERS = 200;

const findPayers = async (log: SqlRunner, filter: LogFilter): Promise<number[]> => {
  const conditions: string[] = [];
  const parameters: SqlValue[] = [];
  const add = (column: string, value: number | string | undefined): void => {
    if (value === undefined) return;
    conditions.push(`${column} = ?`);
    parameters.push(value);
  };
  add("user_id", filter.userId);
  add("username", filter.username);
  add("token_id", filter.keyId);
  add("token_name", filter.tokenName);
  if (filter.type === LOG_CONSUME) conditions.push(`token_id <> ${NO_TOKEN}`);
  const rows = await log.all<{ id: number }>(
    `SELECT id FROM payers WHERE ${conditions.join(" AND ")} ORDER BY id`,
    ...parameters,
  );
  return rows.map(({ id }) => id);
};

const findSharedName = async (log: SqlRunner, name: string | undefined): Promise<SharedName | undefined> => {
  if (name === undefined) return undefined;
  const [found] = await log.all<SharedName>("SELECT id, since FROM shared_names WHERE name = ?", name);
  return found;
};

/** The types of the lines of each outcome. */
const TYPES_OF: Readonly<Record<LogOutcome, readonly number[]>> = {
  succeeded: [LOG_CONSUME],
  failed: [LOG_ERROR],
  interrupted: [LOG_CONSUME, LOG_ERROR],
  "other-model": [LOG_CONSUME],
};

/**
 * Adds to a filter by outcome the type that its lines have: interrupted ones are charged or failed.
 * @returns undefined when no line has both the filter's type and its outcome.
 */
export const narrowToOutcome = (filter: LogFilter): LogFilter | undefined => {
  const { type, outcome } = filter;
  if (outcome === undefined) return filter;
  const types = TYPES_OF[outcome];
  if (type === undefined) return types.length === 1 ? { ...filter, type: types[0] } : filter;
  return types.includes(type) ? filter : undefined;
};

/** The marks of lines by which an outcome is found. */
const marksOf = (outcome: LogOutcome | undefined): Pick<ResolvedFilter, "isInterrupted" | "isOtherModel"> => {
  const isOtherModel = outcome === "other-model";
  const hasEnd = outcome !== undefined && !isOtherModel;
  return { isInterrupted: hasEnd ? outcome === "interrupted" : undefined, isOtherModel };
};

/**
 * Looks the filter's names up.
 * @param isAboutLines lines of before the last clearing are gone, their sums are not.
 * @returns undefined when there is a name that no line ever had: nothing can be found.
 */
export const resolveFilter = async (
  log: SqlRunner,
  filter: LogFilter,
  isAboutLines: boolean,
): Promise<ResolvedFilter | undefined> => {
  let modelId: number | undefined;
  if (filter.modelName !== undefined) {
    const [model] = await log.all<{ id: number }>("SELECT id FROM models WHERE name = ?", filter.modelName);
    if (model === undefined) return undefined;
    modelId = model.id;
  }
  let payerIds: number[] | undefined;
  let { userId } = filter;
  if (userId !== undefined || filter.username !== undefined || filter.tokenName !== undefined) {
    payerIds = await findPayers(log, filter);
    if (payerIds.length === 0) return undefined;
    if (userId === undefined) {
      const payers = log.isOneOf("id", payerIds);
      const users = await log.all<{ id: number }>(
        `SELECT DISTINCT user_id AS id FROM payers WHERE ${payers.sql} LIMIT 2`,
        ...payers.parameters,
      );
      // One user's lines have an index of their own.
      if (users.length === 1) userId = users[0]?.id;
    }
  }
  const isByName = filter.userId === undefined && filter.username === undefined;
  return {
    userId,
    payerIds,
    sharedName: isByName ? await findSharedName(log, filter.tokenName) : undefined,
    modelId,
    channelId: filter.channelId,
    type: filter.type,
    ...marksOf(filter.outcome),
    from: Math.max(filter.startTimestamp ?? 0, isAboutLines ? await readState(log, "cleared-before") : 0),
    to: filter.endTimestamp ?? END_OF_TIME,
  };
};

/** Whether the filter asks for a model or a channel, by which the payers' own sums are not told apart. */
export const hasSubject = ({ modelId, channelId }: ResolvedFilter): boolean =>
  modelId !== undefined || channelId !== undefined;

/** The newest hours with sums, of which the rows of two tables are counted. */
const SAMPLED_HOURS = 6;

/**
 * Returns the smallest table of all users' sums by the hour that has the required columns of models and channels. Where
 * both may do, a few models may be served by thousands of channels, or many models by few.
 */
export const siteTable = async (
  log: SqlRunner,
  hasModel: boolean,
  hasChannel: boolean,
): Promise<"site_hours" | "model_hours" | "channel_hours"> => {
  if (hasModel) return hasChannel ? "site_hours" : "model_hours";
  if (hasChannel) return "channel_hours";
  const rowsOf = (table: string): string =>
    `(SELECT count(*) FROM ${table}
      WHERE hour > (SELECT max(hour) FROM ${table}) - ${SAMPLED_HOURS * HOUR_SECONDS})`;
  const [rows] = await log.all<{ models: number; channels: number }>(
    `SELECT ${rowsOf("model_hours")} AS models, ${rowsOf("channel_hours")} AS channels`,
  );
  return rows !== undefined && rows.models < rows.channels ? "model_hours" : "channel_hours";
};

/** Model and channel, which lines, receipts and sums all have. */
export const subjectConditions = ({ modelId, channelId }: ResolvedFilter): SqlPart => {
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

/** Those of the filter, where it asks for any. */
export const payerConditions = (log: SqlRunner, { payerIds }: ResolvedFilter): SqlPart => {
  if (payerIds === undefined) return { sql: "", parameters: [] };
  const { sql, parameters } = log.isOneOf("payer_id", payerIds);
  return { sql: ` AND ${sql}`, parameters };
};

/** Everything but the time, for lines. */
export const lineConditions = (log: SqlRunner, resolved: ResolvedFilter): SqlPart => {
  const { userId, type, isInterrupted, isOtherModel } = resolved;
  const payers = payerConditions(log, resolved);
  const subject = subjectConditions(resolved);
  let { sql } = subject;
  const parameters: SqlValue[] = [...subject.parameters];
  if (userId !== undefined) {
    sql += " AND user_id = ?";
    parameters.push(userId);
  }
  sql += payers.sql;
  parameters.push(...payers.parameters);
  if (type !== undefined) {
    sql += " AND type = ?";
    parameters.push(type);
  }
  // Literals, so that the engine uses the indexes of these lines alone.
  if (isOtherModel) sql += " AND is_other_model = 1";
  if (isInterrupted !== undefined) sql += ` AND is_interrupted = ${isInterrupted ? 1 : 0}`;
  return { sql, parameters };
};
