import * as z from "zod/mini";
import { maybe, textOrNone } from "../management/wire";
import { TICKET_CATEGORIES, TICKET_STATES } from "../records/ticket-record";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { int, text } from "../resource/fields";
import type { ListFilter } from "../resource/list-filter";
import { listOf, resource, type ValueOf } from "../resource/resource";

/*
 * Tickets (工单) of users, and the answers of administrators: /api/ticket/… (docs/guides/tickets.md). Not part of the
 * one-api contract; another server answers these calls with 404.
 */

/** Maximum lengths in characters. */
export const MAX_TICKET_SUBJECT = 100;
export const MAX_TICKET_TEXT = 5000;
/** Tickets per user that are not closed. */
export const MAX_OPEN_TICKETS = 10;
/** Messages per user and day, those that open a ticket included. */
export const MAX_DAILY_TICKET_MESSAGES = 30;
/** Messages and notes per ticket. */
export const MAX_TICKET_ENTRIES = 200;

const ticketFields = {
  id: int("id"),
  userId: int("user_id"),
  username: text("username"),
  subject: text("subject"),
  category: text("category"),
  state: text("state"),
  /** The request with the attached receipt; "" for none. */
  requestId: text("request_id"),
  /** 0 and "" without an administrator, and always for the ticket's own user. */
  assigneeId: int("assignee_id"),
  assigneeName: text("assignee_name"),
  /** Messages of both sides, without notes. */
  messageCount: int("message_count"),
  createdAt: int("created_time"),
  /** The last message, or the closing. */
  changedAt: int("changed_time"),
};

/** A ticket in a list. */
export const ticket = resource(ticketFields);
export type Ticket = ValueOf<typeof ticket>;

const entrySchema = z.object({
  id: z.int(),
  /** A TicketEntryKind. */
  kind: z.string(),
  /** A TicketSide. */
  side: z.string(),
  /** 0 and "" for the gateway, and for administrators in the version of the ticket's own user. */
  author_id: z.int(),
  author_name: z.string(),
  /** Plain text. */
  text: z.string(),
  created_time: z.int(),
});
export type TicketEntryRow = z.output<typeof entrySchema>;

/** A ticket with its conversation, the oldest entry first. */
export const ticketPage = resource({
  ...ticketFields,
  /** When it closes without another message; 0 for never. */
  closesAt: int("closes_time"),
  entries: {
    name: "entries",
    strict: z.array(entrySchema),
    loose: z.catch(z.array(entrySchema), []),
  } as const,
});
export type TicketPage = ValueOf<typeof ticketPage>;

const openBodySchema = z.object({
  subject: z.string(),
  category: z.enum(TICKET_CATEGORIES),
  text: z.string(),
  /** One of the caller's own requests that has a receipt. */
  request_id: z.pipe(textOrNone, z.string().check(z.maxLength(200))),
});

const replyBodySchema = z.object({ text: z.string() });

const answerBodySchema = z.object({
  text: z.string(),
  /** Only administrators see it. */
  is_note: maybe(z.boolean()),
});

const assignBodySchema = z.object({
  /** Whether the caller takes the ticket; false releases it. */
  is_mine: z.boolean(),
});

export const OWN_TICKET_SORTS = ["created_time", "changed_time", "state", "category", "subject"] as const;
export const TICKET_SORTS = [...OWN_TICKET_SORTS, "username"] as const;
export type TicketSort = (typeof TICKET_SORTS)[number];

export const OWN_TICKET_FILTERS = { state: "text", category: "text" } as const;
export const TICKET_FILTERS = { ...OWN_TICKET_FILTERS, user_id: "number", assignee_id: "number" } as const;
export type TicketFilter = ListFilter<keyof typeof TICKET_FILTERS>;

const OWN_FILTER_PARAMETERS = {
  state: `Only tickets in this state: ${TICKET_STATES.join(", ")}.`,
  category: `Only tickets of this category: ${TICKET_CATEGORIES.join(", ")}.`,
} as const;

const KEYWORD_PARAMETER = {
  keyword:
    "Only tickets with this in their subject, of users whose name begins with it, or with this number or request ID.",
} as const;

export const listOwnTickets = endpoint({
  method: "GET",
  path: "/api/ticket/self",
  guard: "user",
  summary: "A page of one's tickets, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...OWN_FILTER_PARAMETERS },
  sorts: OWN_TICKET_SORTS,
  filters: OWN_TICKET_FILTERS,
  data: listOf(ticket),
  reads: "tickets",
});

export const openTicket = endpoint({
  method: "POST",
  path: "/api/ticket/self",
  guard: "user",
  summary: "Opens a ticket, optionally with the receipt of one's own request",
  body: openBodySchema,
  data: ticket,
  changes: ["tickets", "attention"],
});

export const getOwnTicket = endpoint({
  method: "GET",
  path: "/api/ticket/self/:id",
  guard: "user",
  summary: "One of one's tickets with its messages",
  data: ticketPage,
  reads: "tickets",
});

export const replyToTicket = endpoint({
  method: "POST",
  path: "/api/ticket/self/:id/messages",
  guard: "user",
  summary: "Adds a message to one of one's tickets; a closed one opens again",
  body: replyBodySchema,
  data: ticket,
  changes: ["tickets", "attention"],
});

export const closeOwnTicket = endpoint({
  method: "POST",
  path: "/api/ticket/self/:id/close",
  guard: "user",
  summary: "Closes one of one's tickets",
  data: ticket,
  changes: ["tickets", "attention"],
});

export const listTickets = endpoint({
  method: "GET",
  path: "/api/ticket",
  guard: "admin",
  area: "tickets",
  summary: "A page of all tickets, the newest first; those of administrators for root alone",
  query: {
    ...PAGE_PARAMETER,
    ...SORT_PARAMETER,
    ...OWN_FILTER_PARAMETERS,
    ...KEYWORD_PARAMETER,
    user_id: "Only tickets of the user with this id.",
    assignee_id:
      "Only tickets that the administrator with this id has taken; 0 for those of no administrator.",
  },
  sorts: TICKET_SORTS,
  filters: TICKET_FILTERS,
  data: listOf(ticket),
  reads: "tickets",
});

export const getTicket = endpoint({
  method: "GET",
  path: "/api/ticket/:id",
  guard: "admin",
  area: "tickets",
  summary: "A ticket with its messages and notes",
  data: ticketPage,
  reads: "tickets",
});

export const answerTicket = endpoint({
  method: "POST",
  path: "/api/ticket/:id/messages",
  guard: "admin",
  area: "tickets",
  summary: "Answers a ticket, or adds a note that only administrators see",
  body: answerBodySchema,
  data: ticket,
  changes: ["tickets", "attention"],
});

export const closeTicket = endpoint({
  method: "POST",
  path: "/api/ticket/:id/close",
  guard: "admin",
  area: "tickets",
  summary: "Closes a ticket; a new message of its user opens it again",
  data: ticket,
  changes: ["tickets", "attention"],
});

export const assignTicket = endpoint({
  method: "POST",
  path: "/api/ticket/:id/assign",
  guard: "admin",
  area: "tickets",
  summary: "Takes a ticket, or releases it",
  body: assignBodySchema,
  data: ticket,
  changes: ["tickets"],
});
