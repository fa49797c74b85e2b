import { MAX_TICKET_SUBJECT, MAX_TICKET_TEXT } from "@tollgate/contract/api/tickets";
import { TICKET_CATEGORIES, type TicketCategory } from "@tollgate/contract/records/ticket-record";
import * as z from "zod/mini";

/** A new ticket as form fields. */
export interface TicketFields {
  subject: string;
  category: TicketCategory;
  text: string;
  requestId: string;
}

/** @param requestId of the receipt that is attached; "" for none. */
export const newTicket = (requestId: string): TicketFields => ({
  subject: "",
  category: requestId === "" ? "other" : "requests",
  text: "",
  requestId,
});

const isWithin = (text: string, max: number): boolean => [...text.trim()].length <= max;

/** Mistakes are locale keys. */
export const ticketFieldsSchema = z.object({
  subject: z.string().check(
    z.refine((subject) => subject.trim() !== "", "field.missing"),
    z.refine((subject) => isWithin(subject, MAX_TICKET_SUBJECT), "ticket.subjectLong"),
  ),
  category: z.enum(TICKET_CATEGORIES),
  text: z.string().check(
    z.refine((text) => text.trim() !== "", "field.missing"),
    z.refine((text) => isWithin(text, MAX_TICKET_TEXT), "ticket.textLong"),
  ),
  requestId: z.string(),
});
