import type { ImportedLine } from "@tollgate/contract/records/imported-records";
import { LOG_TOPUP } from "@tollgate/contract/values/statuses";
import { readTime, toNumber } from "./amounts";
import type { SubscriptionRow, TopUpRow } from "./source-rows";
import type { TableRemarks } from "./table-remarks";

/** What becomes of what subscriptions that run have left. */
export type SubscriptionDecision = "grant" | "drop";

const isActive = ({ status, end_time: end }: SubscriptionRow, now: number): boolean =>
  (status ?? "").toLowerCase() === "active" && (toNumber(end) <= 0 || toNumber(end) > now);

/**
 * What subscriptions become: what a user has paid for and not spent.
 * @param now unix seconds.
 * @returns what each user is given, by id, and how much runs without a decision.
 */
export const mapSubscriptions = (
  rows: readonly SubscriptionRow[],
  decision: SubscriptionDecision | undefined,
  now: number,
  remarks: TableRemarks,
): { granted: Map<number, number>; undecided: { count: number; quota: number } } => {
  const granted = new Map<number, number>();
  const undecided = { count: 0, quota: 0 };
  for (const row of rows) {
    const user = toNumber(row.user_id);
    const quota = Math.max(0, toNumber(row.amount_total) - Math.max(0, toNumber(row.amount_used)));
    if (!isActive(row, now) || quota === 0) remarks.add("left-out", "subscription-over", row.id);
    else if (decision === "grant") {
      granted.set(user, (granted.get(user) ?? 0) + quota);
      remarks.add("changed", "subscription-granted", row.id, { quota, user });
    } else if (decision === "drop") remarks.add("left-out", "subscription-dropped", row.id, { quota, user });
    else {
      undecided.count += 1;
      undecided.quota += quota;
      remarks.add("left-out", "subscription-active", row.id, { quota });
    }
  }
  return { granted, undecided };
};

/** What paid orders become: lines of the log, which say what was paid. */
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
    const parts = [row.trade_no, row.payment_method, row.money, `${String(row.amount ?? 0)}`];
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
