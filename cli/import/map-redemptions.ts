import { MAX_REDEMPTION_NAME } from "@tollgate/contract/api/redemptions";
import type { ImportedRedemption } from "@tollgate/contract/records/imported-records";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { cutText, readTime, toNumber } from "./amounts";
import type { RedemptionRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/**
 * What redemption codes become.
 * @param redeemerOf who had a top-up in the log at that second: one-api does not say it elsewhere.
 * @param now unix seconds.
 */
export const mapRedemptions = (
  rows: readonly RedemptionRow[],
  redeemerOf: (time: number) => number | undefined,
  now: number,
  remarks: TableRemarks,
): ImportedRedemption[] => {
  const records: ImportedRedemption[] = [];
  const owners = new Map<string, number>();
  for (const row of rows) {
    const { id, key = "", name = "" } = row;
    const quota = toNumber(row.quota);
    const other = owners.get(key);
    const state = toNumber(row.status, REDEMPTION_DISABLED);
    const isUsed = state === REDEMPTION_USED;
    const redeemedTime = isUsed ? readTime(row.redeemed_time) || readTime(row.created_time) || 1 : 0;
    const redeemedBy = isUsed ? toNumber(row.used_user_id) || redeemerOf(redeemedTime) || 0 : 0;
    if ((row.deleted_at ?? "") !== "") remarks.add("left-out", "code-deleted", id);
    else if (key === "") remarks.add("left-out", "code-empty", id);
    else if (other !== undefined) remarks.add("left-out", "code-taken", id, { other });
    else if (quota <= 0 || quota > MAX_QUOTA || typeof row.quota === "bigint")
      remarks.add("left-out", "code-without-quota", id, { before: String(row.quota ?? 0) });
    else if (isUsed && redeemedBy <= 0) remarks.add("left-out", "code-redeemer-unknown", id);
    else {
      owners.set(key, id);
      const shown = cutText(name, MAX_REDEMPTION_NAME);
      if (shown !== name) remarks.add("changed", "name-cut", id, { longest: MAX_REDEMPTION_NAME });
      const expires = readTime(row.expired_time);
      const isExpired = expires > 0 && expires <= now;
      const isKnown = [REDEMPTION_UNUSED, REDEMPTION_DISABLED, REDEMPTION_USED].includes(state);
      if (!isKnown) remarks.add("changed", "code-status", id, { before: String(row.status) });
      else if (state === REDEMPTION_UNUSED && isExpired) remarks.add("changed", "code-expired", id);
      const isOff = !isKnown || (state === REDEMPTION_UNUSED && isExpired);
      records.push({
        id,
        userId: Math.max(0, toNumber(row.user_id)),
        key,
        name: shown,
        status: isOff ? REDEMPTION_DISABLED : state,
        quota,
        createdTime: readTime(row.created_time),
        redeemedTime,
        redeemedBy,
        expiresTime: expires,
      });
    }
  }
  return records;
};
