import type { ApiKeys } from "@tollgate/accounts/api-keys";
import type { Sessions } from "@tollgate/accounts/sessions";
import type { BudgetWindowChanges, VerificationChanges } from "@tollgate/storage/accounts/site-ports";
import type { Job } from "./start-job";

/** A node whose clock is slow may still count in a window that has ended. */
const DAY_SECONDS = 86_400;

/**
 * Sessions, codes, former secrets of keys and windows of budgets that are of no more use go, every hour.
 * @param now unix seconds.
 */
export const forgettingExpired = (
  sessions: Pick<Sessions, "removeExpired">,
  keys: Pick<ApiKeys, "forgetFormer">,
  verifications: Pick<VerificationChanges, "removeExpired">,
  windows: Pick<BudgetWindowChanges, "removeEnded">,
  now: () => number,
): Job => ({
  name: "forgetting-expired",
  everyMs: 3_600_000,
  async run() {
    await sessions.removeExpired(now());
    await keys.forgetFormer();
    await verifications.removeExpired(now());
    await windows.removeEnded(now() - DAY_SECONDS);
  },
});
