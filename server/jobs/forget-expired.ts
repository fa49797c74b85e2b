import type { ApiKeys } from "@tollgate/accounts/api-keys";
import type { Sessions } from "@tollgate/accounts/sessions";
import type { UserChanges } from "@tollgate/contract/records/people-store";
import type { BudgetWindowChanges, VerificationChanges } from "@tollgate/storage/accounts/site-ports";
import type { Job } from "./start-job";

/** A node whose clock is slow may still count in a window that has ended. */
const DAY_SECONDS = 86_400;

/** Longer than any client repeats a call without an answer. */
const OPERATION_SECONDS = 30 * DAY_SECONDS;

interface Storage {
  verifications: Pick<VerificationChanges, "removeExpired">;
  budgetWindows: Pick<BudgetWindowChanges, "removeEnded">;
  users: Pick<UserChanges, "forgetDone">;
}

/**
 * Sessions, codes, former secrets of keys, windows of budgets and notes of done operations that are of no more use go,
 * every hour.
 * @param now unix seconds.
 */
export const forgettingExpired = (
  sessions: Pick<Sessions, "removeExpired">,
  keys: Pick<ApiKeys, "forgetFormer">,
  { verifications, budgetWindows, users }: Storage,
  now: () => number,
): Job => ({
  name: "forgetting-expired",
  everyMs: 3_600_000,
  async run() {
    await sessions.removeExpired(now());
    await keys.forgetFormer();
    await verifications.removeExpired(now());
    await budgetWindows.removeEnded(now() - DAY_SECONDS);
    await users.forgetDone(now() - OPERATION_SECONDS);
  },
});
