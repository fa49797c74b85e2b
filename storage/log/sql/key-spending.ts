import type { SqlRunner } from "../../sql/sql-runner";
import { dayOf } from "../hours";
import type { KeySpending } from "../ports";

/**
 * Returns the keys that spent at least `leastQuota` in an hour, with the hours before it, from the sums by the hour.
 * @param hour begin of the hour, unix seconds. @param from begin of the first hour that counts as their past.
 */
export const keySpending = (
  log: SqlRunner,
  hour: number,
  from: number,
  leastQuota: number,
): Promise<KeySpending[]> =>
  log.all<KeySpending>(
    `WITH spenders AS (
       SELECT payers.user_id AS user_id, payers.token_id AS token_id, sum(payer_hours.quota) AS quota
       FROM payer_hours JOIN payers ON payers.id = payer_hours.payer_id
       WHERE payer_hours.day = ? AND payer_hours.hour = ?
       GROUP BY payers.user_id, payers.token_id HAVING sum(payer_hours.quota) >= ?
     ), past AS (
       SELECT spenders.user_id AS user_id, spenders.token_id AS token_id, payer_hours.hour AS hour,
         sum(payer_hours.quota) AS quota
       FROM spenders
         JOIN payers ON payers.user_id = spenders.user_id AND payers.token_id = spenders.token_id
         JOIN payer_hours ON payer_hours.payer_id = payers.id
       WHERE payer_hours.day >= ? AND payer_hours.hour >= ? AND payer_hours.hour < ?
       GROUP BY spenders.user_id, spenders.token_id, payer_hours.hour
     )
     SELECT spenders.user_id AS "userId", spenders.token_id AS "tokenId", spenders.quota AS "quota",
       coalesce(max(past.quota), 0) AS "peakQuota", coalesce(min(past.hour), ?) AS "firstHour"
     FROM spenders
       LEFT JOIN past ON past.user_id = spenders.user_id AND past.token_id = spenders.token_id
     GROUP BY spenders.user_id, spenders.token_id, spenders.quota`,
    dayOf(hour),
    hour,
    leastQuota,
    dayOf(from),
    from,
    hour,
    hour,
  );
