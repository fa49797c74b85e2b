import type { AuditChanges } from "@tollgate/storage/accounts/site-ports";
import { DAY_SECONDS } from "@tollgate/storage/log/hours";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

const EVERY_MS = 3_600_000;
/** Lines per step: other changes pass between two steps. */
const AT_ONCE = 500;

export interface AuditWork {
  write: Pick<AuditChanges, "removeBefore">;
  options: Pick<Options, "number">;
  /** Unix seconds. */
  now(): number;
}

/** Deletes lines of the audit after AuditRetentionDays, every hour; 0 keeps them. */
export const forgettingAudit = ({ write, options, now }: AuditWork): Job => ({
  name: "forgetting-audit",
  everyMs: EVERY_MS,
  async run(isStopped) {
    const days = options.number("AuditRetentionDays");
    for (let isFull = days > 0; isFull && !isStopped(); )
      isFull = (await write.removeBefore(now() - days * DAY_SECONDS, AT_ONCE)) >= AT_ONCE;
  },
});
