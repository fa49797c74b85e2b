import type { FastifyReply } from "fastify";
import { readInteger } from "./route";

/** Says in an answer's head that a list was cut, and after how many rows: clients expect a plain list. */
const LIMIT_HEADER = "X-Result-Limit";

/**
 * How many rows a search of administrators answers: more than any person looks through, and few enough that putting the answer
 * together keeps the loop for some tens of milliseconds, as one large request does.
 */
export const MAX_RESULTS_FOR_ADMINS = 5_000;

/** How many rows a search answers: as many as its caller wants, and `most` without such a wish. */
export const readLimit = ({ limit }: { readonly limit?: string }, most: number): number => {
  const wanted = readInteger(limit);
  return wanted > 0 ? Math.min(wanted, most) : most;
};

/**
 * What a search answers of what it found.
 * @param rows found by a query for one row more than may be answered.
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
