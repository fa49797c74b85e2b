import type { FastifyReply } from "fastify";
import { readInteger } from "./route";

/** Reports in a header that a list was cut, and after how many rows: clients expect a plain list. */
const LIMIT_HEADER = "X-Result-Limit";

/**
 * Maximum rows of an administrator's search: more than a person reads, and few enough that encoding the answer blocks
 * the event loop for only some tens of milliseconds, as one large request does.
 */
export const MAX_RESULTS_FOR_ADMINS = 5_000;

/** Rows of a search's answer: as many as requested, `most` by default. */
export const readLimit = ({ limit }: { readonly limit?: string }, most: number): number => {
  const wanted = readInteger(limit);
  return wanted > 0 ? Math.min(wanted, most) : most;
};

/**
 * Cuts a search's rows to the limit.
 * @param rows from a query for one row more than the limit.
 */
export const truncateResults = <Row>(
  rows: readonly Row[],
  most: number,
  reply: FastifyReply,
): readonly Row[] => {
  if (rows.length <= most) return rows;
  reply.header(LIMIT_HEADER, String(most));
  return rows.slice(0, most);
};
