import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { InSnapshot } from "../../sql/sql-runner";
import { HOUR_SECONDS, hourOf } from "../hours";
import type { PricedLineQueries, PricedPart } from "../ports";
import { readState } from "./log-state";
import { NO_MODEL } from "./no-request";

/**
 * Reads the materials of lines.
 * @param blocks selects the bytes of the hours between two parameters, as `hour`, `lines` and `data`.
 */
export const pricedLineReads = (inSnapshot: InSnapshot, blocks: string): PricedLineQueries => ({
  shapes: () =>
    inSnapshot((log) =>
      log.all<{ id: number; text: string }>("SELECT id, text FROM price_shapes ORDER BY id"),
    ),

  lines: (from, to) =>
    inSnapshot(async (log) => {
      const start = Math.max(from, await readState(log, "cleared-before"));
      const firstWhole = Math.min(to, hourOf(start + HOUR_SECONDS - 1));
      const lastWhole = Math.max(firstWhole, hourOf(to));
      const [whole] = await log.all<{ lines: number | null }>(
        `SELECT sum(lines) AS lines FROM model_hours WHERE hour >= ? AND hour < ? AND model_id <> ${NO_MODEL}`,
        firstWhole,
        lastWhole,
      );
      const [cut] = await log.all<{ lines: number }>(
        `SELECT count(*) AS lines FROM logs WHERE type = ${LOG_CONSUME}
           AND ((created_at >= ? AND created_at < ?) OR (created_at >= ? AND created_at < ?))`,
        start,
        firstWhole,
        lastWhole,
        to,
      );
      return { from: start, lines: (whole?.lines ?? 0) + (cut?.lines ?? 0) };
    }),

  part: (fromHour, toHour) =>
    inSnapshot(async (log) => {
      const rows = await log.all<Omit<PricedPart, "data"> & { data: Uint8Array | ArrayBuffer }>(
        blocks,
        fromHour,
        toHour,
      );
      // SQLite gives bytes without a view of them.
      return rows.map(({ data, ...row }) => ({
        ...row,
        data: data instanceof ArrayBuffer ? new Uint8Array(data) : data,
      }));
    }),
});
