import type { InSnapshot } from "../../sql/sql-runner";
import type { DAY_SECONDS, HOUR_SECONDS } from "../hours";
import type { ModelHealth } from "../ports";

/** How models were served: from the sums by model and hour, which know neither channels nor users. */
export const healthReads = (inSnapshot: InSnapshot) => ({
  ofModels: (from: number, stepSeconds: typeof HOUR_SECONDS | typeof DAY_SECONDS): Promise<ModelHealth[]> =>
    inSnapshot((log) =>
      log.all<ModelHealth>(
        `SELECT models.name AS model, hour / ${stepSeconds} * ${stepSeconds} AS time, sum(requests) AS requests,
           sum(faults) AS faults, sum(first_byte_ms) AS "firstByteMs", sum(streams) AS streams
         FROM model_hours JOIN models ON models.id = model_hours.model_id
         WHERE hour >= ? AND models.name <> '' GROUP BY 1, 2 ORDER BY 1, 2`,
        from,
      ),
    ),
});
