import type { TicketChanges } from "@tollgate/storage/accounts/ticket-ports";
import { DAY_SECONDS } from "@tollgate/storage/log/hours";
import type { Notices } from "../notices/notices";
import { notifyOfClosing } from "../notices/ticket-notices";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

const EVERY_MS = 3_600_000;
/** Tickets per step: other changes pass between two steps. */
const AT_ONCE = 100;

export interface TicketWork {
  write: Pick<TicketChanges, "closeSilent" | "removeClosed">;
  notices: Pick<Notices, "raise">;
  options: Pick<Options, "number">;
  /** Unix seconds. */
  now(): number;
}

/**
 * Closes tickets whose users have not replied for TicketSilenceDays, and deletes closed ones after TicketRetentionDays,
 * every hour; 0 switches each off.
 */
export const closingTickets = ({ write, notices, options, now }: TicketWork): Job => ({
  name: "closing-tickets",
  everyMs: EVERY_MS,
  async run(isStopped) {
    const silentDays = options.number("TicketSilenceDays");
    for (let isFull = silentDays > 0; isFull && !isStopped(); ) {
      const closed = await write.closeSilent(now() - silentDays * DAY_SECONDS, now(), AT_ONCE);
      for (const ticket of closed) notifyOfClosing(notices, ticket);
      isFull = closed.length >= AT_ONCE;
    }
    const keptDays = options.number("TicketRetentionDays");
    for (let isFull = keptDays > 0; isFull && !isStopped(); )
      isFull = (await write.removeClosed(now() - keptDays * DAY_SECONDS, AT_ONCE)) >= AT_ONCE;
  },
});
