import { getOwnTicket, getTicket, listOwnTickets, listTickets } from "@tollgate/contract/api/tickets";
import { endpointPages, endpointQueried, endpointSearched } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

/** Servers with only the one-api contract have no tickets. */
const EXTRA = { isExtra: true };

/** Interval at which an open conversation is read again. */
const REFETCH_MS = 60_000;

export const ownTicketPages = endpointPages(listOwnTickets, {}, EXTRA);
export const queriedOwnTickets = endpointQueried(listOwnTickets, {}, EXTRA);

export const ticketPages = endpointPages(listTickets, {}, EXTRA);
export const queriedTickets = endpointSearched(listTickets, listTickets);

/** A ticket and its conversation. @param isOwn as its own user sees it. */
export const ticketQuery = (id: number, isOwn: boolean) => ({
  ...endpointQuery(isOwn ? getOwnTicket : getTicket, { params: { id } }),
  refetchInterval: REFETCH_MS,
  meta: EXTRA,
});
