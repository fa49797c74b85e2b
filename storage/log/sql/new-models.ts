import type { SqlRunner } from "../../sql/sql-runner";
import { DAY_SECONDS, dayOf } from "../hours";
import type { NewModelSpending } from "../ports";

/**
 * Returns the models on which a key spent at least `leastQuota` in an hour, and which it did not use before, from the sums
 * by the hour. A use within the last day counts only if it reached that quota in an hour, and so was returned for that
 * hour: otherwise one cheap request would make a model usual.
 * @param hour begin of the hour, unix seconds. @param from begin of the first hour that counts as the past.
 */
export const newModelSpending = (
  log: SqlRunner,
  hour: number,
  from: number,
  leastQuota: number,
): Promise<NewModelSpending[]> =>
  log.all<NewModelSpending>(
    `WITH spent AS (
       SELECT payers.user_id AS user_id, payers.token_id AS token_id, detail_hours.model_id AS model_id,
         sum(detail_hours.quota) AS quota
       FROM detail_hours JOIN payers ON payers.id = detail_hours.payer_id
       WHERE detail_hours.day = ? AND detail_hours.hour = ?
       GROUP BY payers.user_id, payers.token_id, detail_hours.model_id
       HAVING sum(detail_hours.quota) >= ? AND sum(detail_hours.requests) > 0
     )
     SELECT spent.user_id AS "userId", spent.token_id AS "tokenId", models.name AS "model", spent.quota AS "quota"
     FROM spent JOIN models ON models.id = spent.model_id
     WHERE NOT EXISTS (
       SELECT 1 FROM payers JOIN detail_hours ON detail_hours.payer_id = payers.id
       WHERE payers.user_id = spent.user_id AND payers.token_id = spent.token_id
         AND detail_hours.model_id = spent.model_id
         AND detail_hours.day >= ? AND detail_hours.hour >= ? AND detail_hours.hour < ?
       GROUP BY detail_hours.hour
       HAVING sum(detail_hours.requests) > 0 AND (detail_hours.hour <= ? OR sum(detail_hours.quota) >= ?)
     )`,
    dayOf(hour),
    hour,
    leastQuota,
    dayOf(from),
    from,
    hour,
    hour - DAY_SECONDS,
    leastQuota,
  );
