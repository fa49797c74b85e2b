import type { TicketRecord } from "@tollgate/contract/records/ticket-record";
import type { Notices } from "./notices";

/** Answers to a ticket within this time are one notice, seconds. */
const BUNDLE_SECONDS = 900;

const paramsOf = ({ id, username, subject }: TicketRecord) => ({ id, username, subject });

/**
 * Notifies the site that a ticket waits for support: once until support answers or closes it, so that no user can cause
 * a flood.
 * @param answeredEntry the last entry of support; 0 for none.
 */
export const notifyOfQuestion = (
  notices: Pick<Notices, "raise">,
  ticket: TicketRecord,
  answeredEntry: number,
): void =>
  notices.raise({
    event: "ticket-waiting",
    subject: `${ticket.id}:${answeredEntry}`,
    params: paramsOf(ticket),
  });

/**
 * Notifies a ticket's user of an answer. Answers that follow each other are one notice.
 * @param answeredEntry the user's last entry.
 */
export const notifyOfAnswer = (
  notices: Pick<Notices, "raise">,
  ticket: TicketRecord,
  answeredEntry: number,
): void =>
  notices.raise({
    event: "ticket-answered",
    subject: `${ticket.id}:${answeredEntry}:${Math.floor(ticket.changedAt / BUNDLE_SECONDS)}`,
    userId: ticket.userId,
    params: paramsOf(ticket),
  });

/** Notifies a ticket's user that it was closed, by support or after silence. */
export const notifyOfClosing = (notices: Pick<Notices, "raise">, ticket: TicketRecord): void =>
  notices.raise({
    event: "ticket-closed",
    subject: `${ticket.id}:${ticket.changedAt}`,
    userId: ticket.userId,
    params: paramsOf(ticket),
  });
