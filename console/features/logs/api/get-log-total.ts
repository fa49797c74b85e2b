import { queryOptions } from "@tanstack/react-query";
import { logStatSchema } from "@tollgate/contract/management/log";
import { callApi } from "../../../lib/api-client";
import { type LogSearch, logFilter, logQuery } from "../log-search";

/** GET /api/log/stat or /api/log/self/stat: the quota consumed by what the filter lets through. */
export const logTotalQuery = (search: LogSearch, isAdmin: boolean) =>
  queryOptions({
    queryKey: ["logs", "total", isAdmin, logFilter(search)],
    queryFn: async ({ signal }): Promise<number> => {
      const path = isAdmin ? "/api/log/stat" : "/api/log/self/stat";
      const { data } = await callApi("GET", path, { query: logQuery(search, isAdmin, Date.now()), signal });
      const parsed = logStatSchema.safeParse(data);
      return parsed.success ? parsed.data.quota : 0;
    },
  });
