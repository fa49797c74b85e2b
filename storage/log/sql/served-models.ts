import type { LogFilter } from "@tollgate/contract/api/logs";
import type { ServedModel } from "@tollgate/contract/api/usage";
import type { InSnapshot, SqlRunner } from "../../sql/sql-runner";
import type { UsageQueries } from "../ports";
import { decodeReceiptDetail } from "../receipt-detail";
import { resolveFilter } from "./resolve-filter";
import { SERVED_COLUMNS } from "./sum-columns";
import type { ChannelNames } from "./usage";
import { usageRows } from "./usage-rows";

/** For so many rows the newest difference is looked up; others have only their numbers. */
const MAX_LOOKED_UP = 30;

interface Sum {
  channelId: number;
  modelId: number;
  named: number;
  other: number;
}

/** Finds the newest answer of a channel's model that named another one. */
const findLast = async (
  log: SqlRunner,
  { channelId, modelId }: Sum,
  from: number,
  to: number,
): Promise<ServedModel["last"]> => {
  const [row] = await log.all<{ at: number; requestId: string; detail: string | null }>(
    `SELECT line.created_at AS at, receipts.request_id AS "requestId", receipts.detail FROM (
       SELECT created_at, receipt_id FROM logs WHERE is_other_model = 1 AND channel_id = ? AND model_id = ?
         AND created_at >= ? AND created_at <= ? ORDER BY created_at DESC LIMIT 1
     ) AS line JOIN receipts ON receipts.id = line.receipt_id AND receipts.created_at = line.created_at
       AND receipts.created_at >= ? AND receipts.created_at <= ?`,
    ...[channelId, modelId, from, to, from, to],
  );
  if (!row || row.detail === null) return undefined;
  const attempt = decodeReceiptDetail(row.detail).attempts.findLast(({ isOtherModel }) => isOtherModel);
  return attempt?.servedModel === undefined
    ? undefined
    : { name: attempt.servedModel, at: row.at, request_id: row.requestId };
};

/** Whether answers named the model that was asked for: counts from the sums, the newest name from its receipt. */
export const servedModelReads = (
  inSnapshot: InSnapshot,
  channels: ChannelNames,
): Pick<UsageQueries, "servedModels"> => ({
  servedModels: (filter: LogFilter, limit: number, now: number) =>
    inSnapshot(async (log) => {
      const resolved = await resolveFilter(log, filter, false);
      if (!resolved) return [];
      const { sql, parameters } = await usageRows(
        log,
        resolved,
        { by: "channel_model", step: "range", offsetSeconds: 0, columns: SERVED_COLUMNS },
        now,
      );
      const sums = await log.all<Sum>(
        `SELECT channel_id AS "channelId", model_id AS "modelId", sum(named_answers) AS named,
           sum(other_model_answers) AS other
         FROM (${sql}) AS part GROUP BY 1, 2 HAVING sum(named_answers) > 0
         ORDER BY other DESC, named DESC, 1, 2 LIMIT ?`,
        ...parameters,
        limit,
      );
      const channelNames = new Map((await channels.all()).map(({ id, name }) => [id, name]));
      const ofModels = log.isOneOf(
        "id",
        sums.map(({ modelId }) => modelId),
      );
      const models = await log.all<{ id: number; name: string }>(
        `SELECT id, name FROM models WHERE ${ofModels.sql}`,
        ...ofModels.parameters,
      );
      const modelNames = new Map(models.map(({ id, name }) => [id, name]));
      const rows: ServedModel[] = [];
      for (const sum of sums) {
        const { channelId, modelId, named, other } = sum;
        const isLookedUp = other > 0 && rows.length < MAX_LOOKED_UP;
        const last = isLookedUp ? await findLast(log, sum, resolved.from, resolved.to) : undefined;
        rows.push({
          channel: channelId,
          channel_name: channelNames.get(channelId) ?? "",
          model: modelNames.get(modelId) ?? "",
          named,
          other,
          ...(last && { last }),
        });
      }
      return rows;
    }),
});
