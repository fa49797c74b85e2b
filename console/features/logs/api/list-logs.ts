import { type Log, readLogs } from "@tollgate/contract/management/log";
import { callApi } from "../../../lib/api-client";
import { growingList } from "../../../lib/growing-list";
import { type LogSearch, logFilter, logQuery } from "../log-search";

/** GET /api/log/ for administrators, GET /api/log/self/ for everyone else. */
export const logPages = (search: LogSearch, isAdmin: boolean) =>
  growingList<Log>(["logs", "list", isAdmin, logFilter(search)], async (page, signal) =>
    readLogs(
      (
        await callApi("GET", isAdmin ? "/api/log/" : "/api/log/self/", {
          query: { p: page, ...logQuery(search, isAdmin, Date.now()) },
          signal,
        })
      ).data,
    ),
  );
