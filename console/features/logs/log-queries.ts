import { queryOptions } from "@tanstack/react-query";
import {
  getLogTotal,
  getOwnLogTotal,
  LOG_SORTS,
  type Log,
  listLogs,
  listOwnLogs,
  OWN_LOG_SORTS,
} from "@tollgate/contract/api/logs";
import { callEndpoint } from "../../lib/call-endpoint";
import { growingList } from "../../lib/growing-list";
import { type LogSearch, logFilter, logQuery } from "./log-search";

/**
 * All lines for administrators, one's own otherwise.
 * @param isLive cached apart: a refetch covers all pages read so far, and live mode needs only the first.
 */
export const logPages = (search: LogSearch, isAdmin: boolean, isLive: boolean, sort?: string) =>
  growingList<Log>(["logs", "list", isAdmin, logFilter(search), isLive, sort], (page, signal) => {
    const order = sort === undefined ? {} : { sort };
    const query = { p: page, ...order, ...logQuery(search, isAdmin, Date.now()) };
    return isAdmin ? callEndpoint(listLogs, { query }, signal) : callEndpoint(listOwnLogs, { query }, signal);
  });

/** The lines, sorted by the server. */
export const queriedLogs = (search: LogSearch, isAdmin: boolean, isLive: boolean) => ({
  sorts: isAdmin ? LOG_SORTS : OWN_LOG_SORTS,
  pages: (sort: string | undefined) => logPages(search, isAdmin, isLive, sort),
});

/** The quota consumed by the filtered lines. */
export const logTotalQuery = (search: LogSearch, isAdmin: boolean) =>
  queryOptions({
    queryKey: ["logs", "total", isAdmin, logFilter(search)],
    queryFn: async ({ signal }): Promise<number> => {
      const query = logQuery(search, isAdmin, Date.now());
      const total = isAdmin
        ? await callEndpoint(getLogTotal, { query }, signal)
        : await callEndpoint(getOwnLogTotal, { query }, signal);
      return total?.quota ?? 0;
    },
  });
