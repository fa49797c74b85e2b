import type { TicketFilter, TicketSort } from "@tollgate/contract/api/tickets";
import type {
  NewTicket,
  NewTicketMessage,
  TicketActor,
  TicketEntry,
  TicketLimits,
  TicketOutcome,
  TicketRecord,
} from "@tollgate/contract/records/ticket-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";

/* Tickets of users (docs/guides/tickets.md). Offsets and limits count rows; times are unix seconds. */

/** Which tickets are listed; all of them without a value. */
export interface TicketSearch {
  readonly filter?: TicketFilter;
  /** Part of a subject, the beginning of a username, or a whole ticket number or request ID. */
  readonly keyword?: string | undefined;
  /** Leaves out tickets of administrators and root. */
  readonly isOfCustomers?: boolean;
}

export interface TicketQueries {
  /** One page, the newest first by default. */
  page(
    search: TicketSearch,
    offset: number,
    limit: number,
    sort?: ListSort<TicketSort>,
  ): Promise<TicketRecord[]>;
  find(id: number): Promise<TicketRecord | undefined>;
  /** The entries of a ticket, the oldest first. @param hasNotes whether notes of administrators are included. */
  entries(id: number, hasNotes: boolean): Promise<TicketEntry[]>;
}

export interface TicketChanges {
  /** Opens a ticket of its author. */
  open(ticket: NewTicket, limits: TicketLimits): Promise<TicketOutcome>;
  /** Adds a message of the ticket's user, and opens a closed ticket again. Tickets of other users are not found. */
  reply(id: number, message: NewTicketMessage, limits: TicketLimits): Promise<TicketOutcome>;
  /** Adds an administrator's answer: the ticket waits for its user. */
  answer(
    id: number,
    message: NewTicketMessage,
    limits: Pick<TicketLimits, "maxEntries">,
  ): Promise<TicketOutcome>;
  /** Adds a note, which changes nothing that the user sees. */
  addNote(
    id: number,
    note: NewTicketMessage,
    limits: Pick<TicketLimits, "maxEntries">,
  ): Promise<TicketOutcome>;
  /** Closes a ticket. @param side whose step it is; tickets of other users are not found by a customer. */
  close(id: number, side: "customer" | "support", by: TicketActor): Promise<TicketOutcome>;
  /** Notes the administrator who has taken a ticket. @param assignee undefined for none. */
  assign(id: number, assignee: { id: number; name: string } | undefined): Promise<TicketOutcome>;
  /** Closes tickets that have waited for their users since before `before`. @returns up to `limit` closed ones. */
  closeSilent(before: number, at: number, limit: number): Promise<TicketRecord[]>;
  /** Deletes tickets that were closed before `before`. @returns their number, up to `limit`. */
  removeClosed(before: number, limit: number): Promise<number>;
}
