import {
  clearLogs,
  getLogTotal,
  getOwnLogTotal,
  type Log,
  type LogFilter,
  listLogs,
  listOwnLogs,
  type StoredLog,
  searchLogs,
  searchOwnLogs,
} from "@tollgate/contract/api/logs";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { clearLog } from "../../jobs/log-retention";
import { findLogBeginnings } from "../../locales/find-log-beginnings";
import { formatLogContent } from "../../locales/format-log";
import type { Language } from "../../locales/languages";
import { audit } from "../audit";
import { Failure } from "../failure";
import { implement, readInteger, readPage } from "../route";
import type { Services } from "../services";
import { readAdminFilter, readOwnFilter, readOwnTotalFilter } from "./log-filter";

/** How many rows a search gives at most (contract section 3.1). */
const SEARCH_LIMIT = 100;

interface Reader {
  services: Services;
  language: Language;
}

const translate = (language: Language, logs: readonly StoredLog[]): Log[] =>
  logs.map((log) => ({ ...log, content: formatLogContent(language, log.content) }));

const readLogPage = async ({ services, language }: Reader, filter: LogFilter, page: number): Promise<Log[]> =>
  translate(language, await services.storage.read.logs.page(filter, page * PAGE_SIZE, PAGE_SIZE));

/** @param userId undefined for all users' lines, which are also found by the beginning of their text */
const findLogs = async (
  { services, language }: Reader,
  keyword: string,
  userId: number | undefined,
): Promise<Log[]> => {
  const beginnings = userId === undefined ? findLogBeginnings(language, keyword) : [];
  const { logs } = services.storage.read;
  return translate(language, await logs.search(keyword, beginnings, userId, SEARCH_LIMIT));
};

const readTotal = async ({ storage, now }: Services, filter: LogFilter): Promise<{ quota: number }> => ({
  quota: await storage.read.usage.consumedQuota(filter, now()),
});

/** The usage log (contract section 1.9). */
export const logRoutes = [
  implement(listLogs, (context) =>
    readLogPage(context, readAdminFilter(context.query), readPage(context.query)),
  ),
  implement(listOwnLogs, (context) =>
    readLogPage(context, readOwnFilter(context.query, context.caller.id), readPage(context.query)),
  ),
  implement(searchLogs, (context) => findLogs(context, context.query.keyword ?? "", undefined)),
  implement(searchOwnLogs, (context) => findLogs(context, context.query.keyword ?? "", context.caller.id)),
  implement(clearLogs, async (context) => {
    const { services, query } = context;
    const timestamp = readInteger(query.target_timestamp);
    if (timestamp <= 0) throw new Failure("timestamp-required");
    const count = await clearLog(services.storage, timestamp, services.now());
    await audit(services, context, "log.clear", timestamp, { count });
    return count;
  }),
  implement(getLogTotal, ({ services, query }) => readTotal(services, readAdminFilter(query))),
  implement(getOwnLogTotal, ({ services, caller, query }) =>
    readTotal(services, readOwnTotalFilter(query, caller.id)),
  ),
];
