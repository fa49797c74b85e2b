import type { SqlRunner } from "../../sql/sql-runner";
import { dayOf, hourOf } from "../hours";
import type { SpentSince } from "../ports";

/**
 * Returns each key's quota spent since the start of a day and of a month, from the sums by the hour: a moment within an
 * hour counts as the hour's start.
 * @param dayStart and monthStart unix seconds.
 */
export const spentSince = (log: SqlRunner, dayStart: number, monthStart: number): Promise<SpentSince[]> =>
  log.all<SpentSince>(
    `SELECT payers.user_id AS "userId", payers.token_id AS "tokenId",
       sum(CASE WHEN payer_hours.hour >= ? THEN payer_hours.quota ELSE 0 END) AS "dayQuota",
       sum(payer_hours.quota) AS "monthQuota"
     FROM payer_hours JOIN payers ON payers.id = payer_hours.payer_id
     WHERE payer_hours.day >= ? AND payer_hours.hour >= ?
     GROUP BY payers.user_id, payers.token_id HAVING sum(payer_hours.quota) > 0`,
    hourOf(dayStart),
    dayOf(hourOf(monthStart)),
    hourOf(monthStart),
  );
