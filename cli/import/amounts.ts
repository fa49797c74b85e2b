import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import type { TableRemarks } from "./table-remarks";

/** Converts a whole number; one beyond the exact range becomes its maximum or minimum. */
export const toNumber = (value: number | bigint | undefined, otherwise = 0): number => {
  if (value === undefined) return otherwise;
  if (typeof value === "number") return value;
  return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
};

/**
 * Reads an amount of quota.
 * @param most maximum, whole.
 * @returns from 0 to `most`; a changed amount gets a remark.
 */
export const readQuota = (
  value: number | bigint | undefined,
  {
    id,
    column,
    remarks,
    most = MAX_QUOTA,
  }: { id: number; column: string; remarks: TableRemarks; most?: number },
): number => {
  const quota = toNumber(value);
  if (quota < 0) {
    remarks.add("changed", "quota-negative", id, { column, before: String(value) });
    return 0;
  }
  if (quota <= most && typeof value !== "bigint") return quota;
  remarks.add("changed", "quota-too-large", id, { column, before: String(value), after: most });
  return most;
};

/** Unix seconds, or 0 for an invalid time. */
export const readTime = (value: number | bigint | undefined): number => Math.max(0, toNumber(value));

/** Counts characters, not units of a string. @returns the text, or its begin. */
export const cutText = (text: string, longest: number): string =>
  text.length <= longest ? text : [...text.slice(0, 2 * longest)].slice(0, longest).join("");
