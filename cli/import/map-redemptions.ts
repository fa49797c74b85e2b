import { MAX_REDEMPTION_NAME } from "@tollgate/contract/api/redemptions";
import type { ImportedRedemption } from "@tollgate/contract/records/imported-records";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { REDEMPTION_DISABLED, REDEMPTION_UNUSED, REDEMPTION_USED } from "@tollgate/contract/values/statuses";
import { cutText, readTime, toNumber } from "./amounts";
import type { RedemptionRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** The owner of redemption codes, and the remarks on them so far. */
interface CodeContext {
  /** Codes that are taken over, with the id of their row. */
  owners: Map<string, number>;
  redeemerOf: (time: number) => number | undefined;
  /** Unix seconds. */
  now: number;
  remarks: TableRemarks;
}

const redemptionOf = (row: RedemptionRow, redeemerOf: CodeContext["redeemerOf"]) => {
  if (toNumber(row.status) !== REDEMPTION_USED) return { redeemedTime: 0, redeemedBy: 0 };
  const redeemedTime = readTime(row.redeemed_time) || readTime(row.created_time) || 1;
  return { redeemedTime, redeemedBy: toNumber(row.used_user_id) || redeemerOf(redeemedTime) || 0 };
};

/** Tells why a code is left out, if it is. */
const isLeftOut = (row: RedemptionRow, redeemedBy: number, { owners, remarks }: CodeContext): boolean => {
  const { id, key = "" } = row;
  const quota = toNumber(row.quota);
  const other = owners.get(key);
  if ((row.deleted_at ?? "") !== "") remarks.add("left-out", "code-deleted", id);
  else if (key === "") remarks.add("left-out", "code-empty", id);
  else if (other !== undefined) remarks.add("left-out", "code-taken", id, { other });
  else if (quota <= 0 || quota > MAX_QUOTA || typeof row.quota === "bigint")
    remarks.add("left-out", "code-without-quota", id, { before: String(row.quota ?? 0) });
  else if (toNumber(row.status) === REDEMPTION_USED && redeemedBy <= 0)
    remarks.add("left-out", "code-redeemer-unknown", id);
  else return false;
  return true;
};

/** A state that this gateway knows; expired codes and those of an unknown state are off. */
const statusOf = (row: RedemptionRow, { now, remarks }: CodeContext): number => {
  const state = toNumber(row.status, REDEMPTION_DISABLED);
  const expires = readTime(row.expired_time);
  if (![REDEMPTION_UNUSED, REDEMPTION_DISABLED, REDEMPTION_USED].includes(state))
    remarks.add("changed", "code-status", row.id, { before: String(row.status) });
  else if (state === REDEMPTION_UNUSED && expires > 0 && expires <= now)
    remarks.add("changed", "code-expired", row.id);
  else return state;
  return REDEMPTION_DISABLED;
};

const mapRedemption = (row: RedemptionRow, context: CodeContext): ImportedRedemption | undefined => {
  const { id, key = "", name = "" } = row;
  const redemption = redemptionOf(row, context.redeemerOf);
  if (isLeftOut(row, redemption.redeemedBy, context)) return undefined;
  context.owners.set(key, id);
  const shown = cutText(name, MAX_REDEMPTION_NAME);
  if (shown !== name) context.remarks.add("changed", "name-cut", id, { longest: MAX_REDEMPTION_NAME });
  return {
    id,
    userId: Math.max(0, toNumber(row.user_id)),
    key,
    name: shown,
    status: statusOf(row, context),
    quota: toNumber(row.quota),
    createdTime: readTime(row.created_time),
    ...redemption,
    expiresTime: readTime(row.expired_time),
  };
};

/**
 * Maps redemption codes.
 * @param redeemerOf finds the user with a top-up in the log at that second: one-api does not say it elsewhere.
 * @param now unix seconds.
 */
export const mapRedemptions = (
  rows: readonly RedemptionRow[],
  redeemerOf: (time: number) => number | undefined,
  now: number,
  remarks: TableRemarks,
): ImportedRedemption[] => {
  const context = { owners: new Map<string, number>(), redeemerOf, now, remarks };
  return rows.flatMap((row) => mapRedemption(row, context) ?? []);
};
