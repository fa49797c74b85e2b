import type { LogFilter } from "@tollgate/contract/api/logs";
import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { SqlRunner } from "../../sql/sql-runner";
import { wholeSum } from "../../sql/whole-sum";
import { lineConditions, narrowToOutcome, type ResolvedFilter, resolveFilter } from "./resolve-filter";
import { usageRows } from "./usage-rows";

/** The quota of lines of an outcome with separate indexes. */
const ofLines = async (log: SqlRunner, resolved: ResolvedFilter): Promise<number> => {
  const { sql, parameters } = lineConditions(log, resolved);
  const [row] = await log.all<{ quota: number | null }>(
    `SELECT ${wholeSum("quota")} AS quota FROM logs WHERE created_at >= ? AND created_at <= ?${sql}`,
    resolved.from,
    resolved.to,
    ...parameters,
  );
  return row?.quota ?? 0;
};

/** The quota of the lines that a filter leaves: from the sums, which do not know outcomes, and from lines. */
export const consumedQuota = async (log: SqlRunner, asked: LogFilter, now: number): Promise<number> => {
  const filter = narrowToOutcome(asked);
  if (!filter || (filter.type !== undefined && filter.type !== LOG_CONSUME)) return 0;
  const resolved = await resolveFilter(log, filter, true);
  if (!resolved) return 0;
  if (resolved.isInterrupted || resolved.isOtherModel) return ofLines(log, resolved);
  const { sql, parameters } = await usageRows(
    log,
    resolved,
    { by: "none", step: "range", offsetSeconds: 0 },
    now,
  );
  const [row] = await log.all<{ quota: number | null }>(
    `SELECT ${wholeSum("quota")} AS quota FROM (${sql}) AS part`,
    ...parameters,
  );
  const all = row?.quota ?? 0;
  if (resolved.isInterrupted === undefined) return all;
  return all - (await ofLines(log, { ...resolved, isInterrupted: true }));
};
