import type { SqlRunner } from "../../sql/sql-runner";
import { dayOf, hourOf } from "../hours";
import type { SpentSince } from "../ports";

/** The part of a row: the latest start that is not after its hour. */
const partOf = (starts: readonly number[]): string =>
  `CASE ${starts.map(() => "WHEN payer_hours.hour >= ? THEN CAST(? AS BIGINT)").join(" ")} END`;

/**
 * Returns each key's quota and requests, in parts from each of these moments until the next one, from the sums by the
 * hour: a moment within an hour counts as the hour's start.
 * @param moments unix seconds.
 */
export const spentSince = async (log: SqlRunner, moments: readonly number[]): Promise<SpentSince[]> => {
  const starts = [...new Set(moments.map(hourOf))].sort((one, other) => other - one);
  const first = starts.at(-1);
  if (first === undefined) return [];
  return await log.all<SpentSince>(
    `SELECT user_id AS "userId", token_id AS "tokenId", part AS "from",
       sum(quota) AS quota, sum(requests) AS requests
     FROM (
       SELECT payers.user_id, payers.token_id, payer_hours.quota, payer_hours.requests, ${partOf(starts)} AS part
       FROM payer_hours JOIN payers ON payers.id = payer_hours.payer_id
       WHERE payer_hours.day >= ? AND payer_hours.hour >= ?
     ) AS hours
     GROUP BY user_id, token_id, part HAVING sum(quota) <> 0 OR sum(requests) <> 0`,
    ...starts.flatMap((start) => [start, start]),
    dayOf(first),
    first,
  );
};
