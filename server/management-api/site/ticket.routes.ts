import type { User } from "@tollgate/accounts/users";
import {
  answerTicket,
  assignTicket,
  closeOwnTicket,
  closeTicket,
  getOwnTicket,
  getTicket,
  listOwnTickets,
  listTickets,
  MAX_DAILY_TICKET_MESSAGES,
  MAX_OPEN_TICKETS,
  MAX_TICKET_ENTRIES,
  MAX_TICKET_SUBJECT,
  MAX_TICKET_TEXT,
  OWN_TICKET_FILTERS,
  OWN_TICKET_SORTS,
  openTicket,
  replyToTicket,
  TICKET_FILTERS,
  TICKET_SORTS,
  type Ticket,
  type TicketPage,
} from "@tollgate/contract/api/tickets";
import type { AuditAction } from "@tollgate/contract/records/audit-record";
import type {
  TicketEntry,
  TicketFault,
  TicketOutcome,
  TicketRecord,
} from "@tollgate/contract/records/ticket-record";
import { isRoot } from "@tollgate/contract/values/roles";
import { DAY_SECONDS } from "@tollgate/storage/log/hours";
import { notifyOfAnswer, notifyOfClosing, notifyOfQuestion } from "../../notices/ticket-notices";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, type Route, type RouteContext, readFilter, readListPage } from "../route";
import type { Services } from "../services";
import { checkMaySee } from "../users/find-visible-user";

const LIMITS = {
  maxOpen: MAX_OPEN_TICKETS,
  maxDaily: MAX_DAILY_TICKET_MESSAGES,
  maxEntries: MAX_TICKET_ENTRIES,
};

const LIMIT_OF: Readonly<Record<TicketFault, number>> = {
  "too-many-open": MAX_OPEN_TICKETS,
  "too-many-today": MAX_DAILY_TICKET_MESSAGES,
  full: MAX_TICKET_ENTRIES,
};

/** Line breaks and tabs belong to a text; other control characters do not. */
const CONTROL_CHARACTERS = /[^\P{Cc}\n\r\t]/u;

const isLonger = (text: string, max: number): boolean => text.length > 2 * max || [...text].length > max;

/** @throws Failure at the field. */
const readText = (typed: string): string => {
  const text = typed.trim();
  if (text === "" || isLonger(text, MAX_TICKET_TEXT) || CONTROL_CHARACTERS.test(text))
    throw new Failure("ticket-text-length", { limit: MAX_TICKET_TEXT });
  return text;
};

/** @throws Failure at the field. */
const readSubject = (typed: string): string => {
  const subject = typed.trim();
  if (subject === "" || isLonger(subject, MAX_TICKET_SUBJECT) || /\p{C}/u.test(subject))
    throw new Failure("ticket-subject-length", { limit: MAX_TICKET_SUBJECT });
  return subject;
};

type Done = Extract<TicketOutcome, { kind: "done" }>;

/** @throws Failure for a step that was refused. */
const done = (outcome: TicketOutcome): Done => {
  if (outcome.kind === "done") return outcome;
  const { fault } = outcome;
  if (fault === "not-found") throw new Failure("record-not-found");
  if (fault === "closed") throw new Failure("ticket-closed-before");
  throw new Failure(`ticket-${fault}`, { limit: LIMIT_OF[fault] });
};

/** A ticket as its own user sees it: without the administrators who work on it. */
const ownTicket = (ticket: TicketRecord): Ticket => ({ ...ticket, assigneeId: 0, assigneeName: "" });

const encodeEntry = (
  { id, kind, side, authorId, authorName, text, createdAt }: TicketEntry,
  isForOwner: boolean,
): TicketPage["entries"][number] => {
  const hasAuthor = side === "customer" || !isForOwner;
  return {
    ...{ id, kind, side, text, created_time: createdAt },
    author_id: hasAuthor ? authorId : 0,
    author_name: hasAuthor ? authorName : "",
  };
};

const closingTime = ({ options }: Services, { state, changedAt }: TicketRecord): number => {
  const days = options.number("TicketSilenceDays");
  return state === "waiting-for-customer" && days > 0 ? changedAt + days * DAY_SECONDS : 0;
};

/** A ticket with its conversation. @param isForOwner leaves out notes, and the names of administrators. */
const pageOf = async (services: Services, ticket: TicketRecord, isForOwner: boolean): Promise<TicketPage> => {
  const entries = await services.storage.read.tickets.entries(ticket.id, !isForOwner);
  return {
    ...(isForOwner ? ownTicket(ticket) : ticket),
    closesAt: closingTime(services, ticket),
    entries: entries.map((entry) => encodeEntry(entry, isForOwner)),
  };
};

type Context = Pick<RouteContext<"user", unknown>, "services" | "caller" | "request">;

const authorOf = ({ services, caller }: Pick<Context, "services" | "caller">) => ({
  authorId: caller.id,
  authorName: caller.username,
  at: services.now(),
});

/** @throws Failure for a ticket of another user, which looks like one that does not exist. */
const findOwn = async ({ storage }: Services, caller: User, id: number): Promise<TicketRecord> => {
  const ticket = existing(await storage.read.tickets.find(id));
  if (ticket.userId !== caller.id) throw new Failure("record-not-found");
  return ticket;
};

/** Returns a ticket of a user that this administrator may see. @throws Failure */
const findVisible = async (
  { storage, accounts }: Services,
  caller: User,
  id: number,
): Promise<TicketRecord> => {
  const ticket = existing(await storage.read.tickets.find(id));
  checkMaySee(caller, existing(accounts.users.find(ticket.userId)));
  return ticket;
};

/** @throws Failure for a request without a receipt, or of another user. */
const checkReceipt = async ({ storage }: Services, caller: User, requestId: string): Promise<void> => {
  if (requestId !== "" && !(await storage.read.receipts.find(requestId, caller.id)))
    throw new Failure("ticket-receipt-unknown");
};

/** Records a step of an administrator, without the written text. */
const auditStep = (
  context: Context,
  action: Extract<AuditAction, `ticket.${string}`>,
  { id, userId, username, subject }: TicketRecord,
): Promise<void> => audit(context.services, context, action, id, { subject }, { id: userId, username });

/** Tickets of users (docs/guides/tickets.md); not part of the contract. */
export const ticketRoutes: Route[] = [
  implement(listOwnTickets, async ({ services, caller, query }) => {
    const filter = { ...readFilter(query, OWN_TICKET_FILTERS), user_id: caller.id };
    const found = await services.storage.read.tickets.page(
      { filter },
      ...readListPage(query, OWN_TICKET_SORTS),
    );
    return found.map(ownTicket);
  }),
  implement(openTicket, async (context) => {
    const { services, caller, body } = context;
    if (!services.options.isOn("TicketsEnabled")) throw new Failure("ticket-off");
    const subject = readSubject(body.subject);
    const text = readText(body.text);
    const requestId = body.request_id.trim();
    await checkReceipt(services, caller, requestId);
    const opened = { ...authorOf(context), subject, category: body.category, text, requestId };
    const { ticket, answeredEntry } = done(await services.storage.write.tickets.open(opened, LIMITS));
    notifyOfQuestion(services.notices, ticket, answeredEntry);
    return ownTicket(ticket);
  }),
  implement(getOwnTicket, async ({ services, caller, params }) =>
    pageOf(services, await findOwn(services, caller, params.id), true),
  ),
  implement(replyToTicket, async (context) => {
    const { services, caller, body, params } = context;
    const { state } = await findOwn(services, caller, params.id);
    if (state === "closed" && !services.options.isOn("TicketsEnabled")) throw new Failure("ticket-off");
    const message = { ...authorOf(context), text: readText(body.text) };
    const outcome = await services.storage.write.tickets.reply(params.id, message, LIMITS);
    const { ticket, answeredEntry } = done(outcome);
    notifyOfQuestion(services.notices, ticket, answeredEntry);
    return ownTicket(ticket);
  }),
  implement(closeOwnTicket, async (context) => {
    const { services, params } = context;
    const outcome = await services.storage.write.tickets.close(params.id, "customer", authorOf(context));
    return ownTicket(done(outcome).ticket);
  }),
  implement(listTickets, ({ services, caller, query }) => {
    const keyword = (query.keyword ?? "").trim();
    return services.storage.read.tickets.page(
      {
        filter: readFilter(query, TICKET_FILTERS),
        keyword: keyword === "" ? undefined : keyword,
        isOfCustomers: !isRoot(caller.role),
      },
      ...readListPage(query, TICKET_SORTS),
    );
  }),
  implement(getTicket, async ({ services, caller, params }) =>
    pageOf(services, await findVisible(services, caller, params.id), false),
  ),
  implement(answerTicket, async (context) => {
    const { services, caller, body, params } = context;
    await findVisible(services, caller, params.id);
    const message = { ...authorOf(context), text: readText(body.text) };
    const { tickets } = services.storage.write;
    if (body.is_note === true) {
      const { ticket } = done(await tickets.addNote(params.id, message, LIMITS));
      await auditStep(context, "ticket.note", ticket);
      return ticket;
    }
    const { ticket, answeredEntry } = done(await tickets.answer(params.id, message, LIMITS));
    await auditStep(context, "ticket.answer", ticket);
    notifyOfAnswer(services.notices, ticket, answeredEntry);
    return ticket;
  }),
  implement(closeTicket, async (context) => {
    const { services, caller, params } = context;
    await findVisible(services, caller, params.id);
    const outcome = await services.storage.write.tickets.close(params.id, "support", authorOf(context));
    const { ticket } = done(outcome);
    await auditStep(context, "ticket.close", ticket);
    notifyOfClosing(services.notices, ticket);
    return ticket;
  }),
  implement(assignTicket, async (context) => {
    const { services, caller, body, params } = context;
    await findVisible(services, caller, params.id);
    const assignee = body.is_mine ? { id: caller.id, name: caller.username } : undefined;
    const { ticket } = done(await services.storage.write.tickets.assign(params.id, assignee));
    await auditStep(context, body.is_mine ? "ticket.take" : "ticket.release", ticket);
    return ticket;
  }),
];
