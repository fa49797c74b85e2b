/* Tickets (工单) of users, which administrators answer (docs/guides/tickets.md). Times are unix seconds. */

export const TICKET_STATES = ["waiting-for-support", "waiting-for-customer", "closed"] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const TICKET_CATEGORIES = ["billing", "requests", "account", "other"] as const;
export type TicketCategory = (typeof TICKET_CATEGORIES)[number];

/** "note": only administrators see it. "closed": the ticket was closed; it has no text. */
export const TICKET_ENTRY_KINDS = ["message", "note", "closed"] as const;
export type TicketEntryKind = (typeof TICKET_ENTRY_KINDS)[number];

/** "gateway": closed after silence. */
export const TICKET_SIDES = ["customer", "support", "gateway"] as const;
export type TicketSide = (typeof TICKET_SIDES)[number];

export interface TicketRecord {
  readonly id: number;
  readonly userId: number;
  /** The user's current name. */
  readonly username: string;
  readonly subject: string;
  readonly category: TicketCategory;
  readonly state: TicketState;
  /** The request with the attached receipt; "" for none. */
  readonly requestId: string;
  /** The administrator who has taken the ticket; 0 and "" for none. */
  readonly assigneeId: number;
  readonly assigneeName: string;
  /** Messages of both sides, without notes. */
  readonly messageCount: number;
  readonly createdAt: number;
  /** Time of the last message or of the closing. Notes do not change it, because users see it. */
  readonly changedAt: number;
}

export interface TicketEntry {
  readonly id: number;
  readonly kind: TicketEntryKind;
  readonly side: TicketSide;
  /** 0 for the gateway. */
  readonly authorId: number;
  /** The author's name at that time; "" for the gateway. */
  readonly authorName: string;
  readonly text: string;
  readonly createdAt: number;
}

/** The author of a step, and its time. */
export interface TicketActor {
  readonly authorId: number;
  readonly authorName: string;
  /** Unix seconds. */
  readonly at: number;
}

export interface NewTicket extends TicketActor {
  readonly subject: string;
  readonly category: TicketCategory;
  readonly text: string;
  readonly requestId: string;
}

export interface NewTicketMessage extends TicketActor {
  readonly text: string;
}

export interface TicketLimits {
  /** Maximum number of tickets per user that are not closed. */
  readonly maxOpen: number;
  /** Maximum number of messages per user and day (UTC), those that open a ticket included. */
  readonly maxDaily: number;
  /** Maximum number of messages and notes per ticket. */
  readonly maxEntries: number;
}

export const TICKET_FAULTS = ["too-many-open", "too-many-today", "full"] as const;
export type TicketFault = (typeof TICKET_FAULTS)[number];

export type TicketOutcome =
  | {
      readonly kind: "done";
      readonly ticket: TicketRecord;
      /** Id of the last entry of the other side; 0 for none. */
      readonly answeredEntry: number;
    }
  | { readonly kind: "refused"; readonly fault: TicketFault | "not-found" | "closed" };
