import type { ListSort } from "@tollgate/contract/resource/list-sort";
import type { FastifyReply } from "fastify";
import { readInteger, readListPage, readSort } from "./route";

/** Reports in a header that a list was cut, and after how many rows: clients expect a plain list. */
const LIMIT_HEADER = "X-Result-Limit";

/**
 * Maximum rows of an administrator's search: more than a person reads, and few enough that encoding the answer blocks
 * the event loop for only some tens of milliseconds, as one large request does.
 */
export const MAX_RESULTS_FOR_ADMINS = 5_000;

/** Rows of a search's answer: as many as requested, `most` by default. A page is whole, whatever is requested. */
export const readLimit = (query: { readonly limit?: string; readonly p?: string }, most: number): number => {
  const wanted = isPaged(query) ? 0 : readInteger(query.limit);
  return wanted > 0 ? Math.min(wanted, most) : most;
};

const isPaged = ({ p }: { readonly p?: string }): boolean => p !== undefined && p !== "";

/**
 * The part of a search that storage reads: the page in the query, or without one all rows up to the limit and one more,
 * for `truncateResults`. @throws Failure as readSort.
 */
export const readFoundPart = <Column extends string>(
  query: Record<string, string>,
  columns: readonly Column[],
  limit: number,
): [offset: number, limit: number, sort: ListSort<Column> | undefined] =>
  isPaged(query) ? readListPage(query, columns) : [0, limit + 1, readSort(query, columns)];

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
