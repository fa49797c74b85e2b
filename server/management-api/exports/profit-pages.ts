import { encodeProfitRow, type ProfitRowWire } from "@tollgate/contract/management/profit";
import type { ProfitQueries, ProfitQuery } from "@tollgate/storage/log/ports";
import { ROWS_A_PAGE } from "./file-stream";

/** The rows of a report, all of one moment. @param now unix seconds. */
export async function* profitPages(
  profit: ProfitQueries,
  query: ProfitQuery,
  now: number,
): AsyncGenerator<ProfitRowWire[]> {
  const { rows } = await profit.report(query, now);
  for (let from = 0; from < rows.length; from += ROWS_A_PAGE)
    yield rows.slice(from, from + ROWS_A_PAGE).map(encodeProfitRow);
}
