import type { ImportedLine } from "@tollgate/contract/records/imported-records";
import { LOG_TOPUP } from "@tollgate/contract/values/statuses";
import { readTime, toNumber } from "./amounts";
import type { TopUpRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** Maps paid orders to lines of the log with their payments. */
export const mapTopUps = (
  rows: readonly TopUpRow[],
  nameOf: (userId: number) => string | undefined,
  now: number,
  remarks: TableRemarks,
): ImportedLine[] => {
  const lines: ImportedLine[] = [];
  for (const row of rows) {
    const userId = toNumber(row.user_id);
    if ((row.status ?? "").toLowerCase() !== "success") {
      remarks.add("left-out", "top-up-not-a-line", row.id);
      continue;
    }
    remarks.add("changed", "top-up-as-line", row.id);
    const parts = [
      row.trade_no,
      row.payment_provider,
      row.payment_method,
      row.money,
      `${String(row.amount ?? 0)}`,
    ];
    lines.push({
      createdAt: Math.min(now, readTime(row.complete_time) || readTime(row.create_time)),
      userId: Math.max(0, userId),
      username: nameOf(userId) ?? "",
      type: LOG_TOPUP,
      content: parts.filter((part) => part !== undefined && part !== "").join(" · "),
      tokenId: 0,
      tokenName: "",
      channelId: 0,
      modelName: "",
      quota: 0,
      promptTokens: 0,
      completionTokens: 0,
      isStream: false,
      durationMs: 0,
      firstByteMs: undefined,
    });
  }
  return lines;
};
