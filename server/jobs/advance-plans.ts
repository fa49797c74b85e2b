import type { PlanEvent, Plans } from "@tollgate/accounts/plans";
import type { PlanChanges, PlanQueries } from "@tollgate/contract/records/people-store";
import type { Notices } from "../notices/notices";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

/** Maximum delay of a period's begin while the process runs. */
const EVERY_MS = 3000;
const DAY_SECONDS = 86_400;
/** Users notified per round that their plan ends soon. */
const MAX_NOTIFIED = 500;

/** A day as people read it; by this machine's clock, by which periods end. */
const dayOf = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

/** Notifies a user of an event of their plan. */
export const notifyPlanEvent = (notices: Pick<Notices, "raise">, { what, subscription }: PlanEvent): void => {
  const { id, userId, title, endsAt } = subscription;
  const event = what === "expired" ? "plan-ended" : (`plan-${what}` as const);
  notices.raise({ event, subject: id, userId, params: { plan: title, until: dayOf(endsAt) } });
};

export interface PlanWork {
  plans: Pick<Plans, "advanceAll">;
  read: Pick<PlanQueries, "endingSoon">;
  write: Pick<PlanChanges, "setNotified">;
  notices: Pick<Notices, "raise">;
  options: Pick<Options, "number">;
  /** Unix seconds. */
  now(): number;
}

/** Begins and ends the periods of plans, and notifies users some days before theirs end (docs/reference/plans.md). */
export const advancingPlans = ({ plans, read, write, notices, options, now }: PlanWork): Job => ({
  name: "advancing-plans",
  everyMs: EVERY_MS,
  async run(isStopped) {
    await plans.advanceAll(isStopped);
    const days = options.number("PlanNoticeDays");
    if (days === 0) return;
    for (const { id, userId, title, startsAt, endsAt, renews } of await read.endingSoon(
      now() + days * DAY_SECONDS,
      MAX_NOTIFIED,
    )) {
      if (isStopped()) return;
      // A renewed plan needs no action; and a plan of a few days would be announced as soon as it is bought.
      if (!renews && endsAt - startsAt > 2 * days * DAY_SECONDS)
        notices.raise({
          event: "plan-ending",
          subject: id,
          userId,
          params: { plan: title, until: dayOf(endsAt) },
        });
      await write.setNotified(id);
    }
  },
});
