import { encodeProfitRow, type ProfitRowWire } from "@tollgate/contract/api/profit";
import type { ProfitQueries, ProfitQuery } from "@tollgate/storage/log/ports";
import { ROWS_A_PAGE } from "./file-stream";

/** Rows that are there already, some at a time. */
export async function* pagesOfRows<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_A_PAGE) yield rows.slice(from, from + ROWS_A_PAGE);
}

/** The rows of a report, all of one moment. @param now unix seconds. */
export async function* profitPages(
  profit: ProfitQueries,
  query: ProfitQuery,
  now: number,
): AsyncGenerator<ProfitRowWire[]> {
  const { rows } = await profit.report(query, now);
  for await (const page of pagesOfRows(rows)) yield page.map(encodeProfitRow);
}
