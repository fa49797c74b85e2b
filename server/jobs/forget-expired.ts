import type { ApiKeys } from "@tollgate/accounts/api-keys";
import type { Sessions } from "@tollgate/accounts/sessions";
import type { VerificationChanges } from "@tollgate/storage/accounts/site-ports";
import type { Job } from "./start-job";

/** Sessions, codes and former secrets of keys that are of no more use go, every hour. @param now unix seconds. */
export const forgettingExpired = (
  sessions: Pick<Sessions, "removeExpired">,
  keys: Pick<ApiKeys, "forgetFormer">,
  verifications: Pick<VerificationChanges, "removeExpired">,
  now: () => number,
): Job => ({
  name: "forgetting-expired",
  everyMs: 3_600_000,
  async run() {
    await sessions.removeExpired(now());
    await keys.forgetFormer();
    await verifications.removeExpired(now());
  },
});
